#!/bin/sh
# Fails when generating the code of the contract anew changes anything.
set -eu
cd "$(dirname "$0")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp api/gen/* "$before"
"${GO:-go}" generate ./...
diff -r "$before" api/gen || { echo "api/gen was not up to date with api/openapi.yaml: commit what has changed" >&2; exit 1; }
