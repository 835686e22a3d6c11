#!/bin/sh
# Runs every fuzz test for the given time: scripts/fuzz.sh 1m
set -eu
cd "$(dirname "$0")/.."
grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sort | while IFS=: read -r file target; do
	"${GO:-go}" test -run '^$' -fuzz "^${target#func }\$" -fuzztime "${1:-1m}" "$(dirname "$file")" </dev/null
done
