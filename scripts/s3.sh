#!/bin/sh
# Runs the tests of package blob against moto, an S3 server in Python. Its version is in
# internal/platform/blob/testdata.
set -eu
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check -r internal/platform/blob/testdata/requirements.txt
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$dir/venv/bin/moto_server" -H 127.0.0.1 -p "$port" >"$dir/log" 2>&1 &
server=$!
for _ in $(seq 100); do
	curl -s "http://127.0.0.1:$port/" >/dev/null && break
	sleep 0.1
done
TEST_S3=http://127.0.0.1:$port "${GO:-go}" test -count=1 -run 'TestStores|TestConcurrentPuts' ./internal/platform/blob || { cat "$dir/log" >&2; exit 1; }
