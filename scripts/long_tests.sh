#!/bin/sh
# Runs the long forms of all tests, or of the tests of some packages: scripts/long_tests.sh ./internal/test/faults
# Then prints one line for each fault that the tests caused. docs/faults.md explains them.
set -eu
cd "$(dirname "$0")/.."
FAULT_REPORT=$(mktemp)
trap 'echo "Faults:"; sort -k 2 "$FAULT_REPORT"; rm -f "$FAULT_REPORT"' EXIT
export FAULT_REPORT LONG_TESTS=1
go=${GO:-go}
"$go" run ./internal/test/pgtest/withcluster "$go" test -timeout 60m "${@:-./...}"
