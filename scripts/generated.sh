#!/bin/sh
# Fails when the generated code is not up to date with the contract.
set -eu
cd "$(dirname "$0")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
cp api/gen/* "$before"
"${GO:-go}" generate ./...
diff -r "$before" api/gen || { echo "api/gen was not up to date with api/openapi.yaml: run make generate and commit" >&2; exit 1; }
