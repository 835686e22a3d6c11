#!/bin/sh
# Fails if generated files are not up to date with their sources: the code of the contract, and the
# styles, scripts and templates of the web client. scripts/clients.sh checks sdk/typescript/src/contract.ts.
set -eu
cd "$(dirname "$0")/.."
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
generated() { find api/gen internal/web/assets/dist sdk/go sdk/typescript/src -type f; find internal/web/view -name '*_templ.go'; }
generated | xargs sha256sum >"$before/sums"
"${GO:-go}" generate ./...
generated | xargs sha256sum | diff "$before/sums" - || { echo "generated files were not up to date: run make generate and commit" >&2; exit 1; }
