#!/bin/sh
# Compares the speed of pages in Chromium with that of the same pages as a Svelte app, which it builds from
# bench/svelte-page. Needs Node.js and the npm registry.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
(
	cd bench/svelte-page
	npm ci --loglevel=error --ignore-scripts --no-audit --no-fund
	node_modules/.bin/vite build --logLevel warn --outDir "$dir"
)
SVELTE_PAGE=$dir "${GO:-go}" test -count=1 -timeout 20m -run TestSpeedOfPages -v ./internal/test/browser
