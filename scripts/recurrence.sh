#!/bin/sh
# Compares the dates of 20,000 recurrence rules in all zones with dateutil and ical.js, which read the same data about zones, and the content
# lines of 5,000 calendars with ical.js. UPDATE=1 writes the sample of rules that the tests read. Versions are in
# internal/platform/recurrence/testdata/second.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
second=internal/platform/recurrence/testdata/second
python3 -m venv "$dir/python"
"$dir/python/bin/pip" install --quiet --disable-pip-version-check -r "$second/requirements.txt"
cp "$second"/* internal/platform/ical/testdata/*.mjs "$dir"
(cd "$dir" && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund)
ZONEINFO=$("$dir/python/bin/python" -c 'import os, tzdata; print(os.path.join(os.path.dirname(tzdata.__file__), "zoneinfo"))')
export ZONEINFO PYTHONTZPATH=
export TEST_DATEUTIL="$dir/python/bin/python" TEST_ICALJS="$dir"
"${GO:-go}" test -count=1 -v -run 'TestRulesEqualOtherLibraries|TestContentLinesEqualICALJS' ./internal/platform/recurrence ./internal/platform/ical
