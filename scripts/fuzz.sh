#!/bin/sh
# Runs every fuzz test for the given time: scripts/fuzz.sh 1m
set -eu
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# found_nothing: at the end of the time, fuzzing may fail with "context deadline exceeded" although nothing is wrong
# (https://go.dev/issue/75804, until Go 1.27). A failure of the test has an input, which Go writes.
found_nothing() { grep -q '^    context deadline exceeded$' "$log" && ! grep -q 'Failing input written' "$log"; }

grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | while IFS=: read -r file target; do
	"${GO:-go}" test -run '^$' -fuzz "^${target#func }\$" -fuzztime "${1:-1m}" "$(dirname "$file")" \
		</dev/null >"$log" 2>&1 && failed= || failed=yes
	cat "$log"
	[ -z "$failed" ] || found_nothing || exit 1
done
