#!/bin/sh
# Reads calendar messages with icalendar, a parser in Python. Its version is in
# internal/test/delivery/testdata/icalendar.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir"
"$dir/bin/pip" install --quiet --disable-pip-version-check -r internal/test/delivery/testdata/icalendar/requirements.txt
TEST_ICALENDAR=$dir/bin/python "${GO:-go}" test -count=1 -run TestCalendarMessagesAreParsedByOthers ./internal/test/delivery
