#!/bin/sh
# Generates clients from the contract, compiles them, and reads 30 events that start
# together in pages of 7 from a server. The generators are oapi-codegen (its version is in
# OAPI_CODEGEN), openapi-typescript, openapi-python-client and, where Maven is installed,
# openapi-generator for Kotlin. It also tests the realtime client in TypeScript, with the same server, and checks
# the types of the scripts of the web client.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
contract=$PWD/api/openapi.yaml
dir=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$dir"' EXIT
cp -r api/testdata/clients/. "$dir"
cp -r sdk/typescript "$dir/realtime"
mkdir -p "$dir/web/internal/web" "$dir/web/sdk"
cp -r internal/web/ui "$dir/web/internal/web"
cp -r sdk/typescript "$dir/web/sdk"
"$go" build -o "$dir/moothall" ./cmd/moothall

# run calls a program. It fails if the program does, or if it prints a warning.
run() {
	"$@" >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
	if grep -i warn "$dir/log" >&2; then exit 1; fi
}

cd "$dir/go"
run "$go" run "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$OAPI_CODEGEN" -config config.yaml "$contract"
run "$go" vet .
run "$go" build -o client .

cd "$dir/typescript"
npm ci --loglevel=error --ignore-scripts --no-audit --no-fund
run node_modules/.bin/openapi-typescript "$contract" -o api.ts
run node_modules/.bin/tsc

cd "$dir/realtime"
run ../typescript/node_modules/.bin/tsc
run node realtime.test.js

cd "$dir/web/internal/web/ui/ts"
npm ci --loglevel=error --ignore-scripts --no-audit --no-fund
run node_modules/.bin/tsc

cd "$dir/python"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check -r requirements.txt
# The generator cannot choose between several types of one body: it gets one type of pictures.
sed '/^  requestBodies:/,/^  responses:/{/image\/\(png\|gif\|webp\):/,+1d}' "$contract" >contract.yaml
PATH=$PWD/venv/bin:$PATH run openapi-python-client generate --path contract.yaml --config config.yaml --output-path client --meta none

if command -v mvn >/dev/null; then
	# The generator warns that its support of OpenAPI 3.1 is new.
	venv/bin/pip install --quiet --disable-pip-version-check -r ../kotlin/requirements.txt
	venv/bin/openapi-generator-cli generate -i "$contract" -g kotlin -o ../kotlin/generated --package-name moothall.client \
		--global-property apiTests=false,modelTests=false >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
	run mvn -B -q -f ../kotlin compile
fi

cd "$dir"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
LISTEN_ADDR=127.0.0.1:$port DATABASE_URL=sqlite:$dir/clients.db RATE_LIMITS=off ./moothall serve >server.log 2>&1 &
server=$!
for _ in $(seq 100); do
	curl -fs "$url/healthz" >health && break
	sleep 0.1
done
organizer=$(go/client "$url" create)
go/client "$url" "$organizer"
node typescript/pages.js "$url" "$organizer"
node --experimental-websocket realtime/service.test.js "$url"
PYTHONPATH=python python/venv/bin/python python/pages.py "$url" "$organizer"
if command -v mvn >/dev/null; then
	mvn -B -q -f kotlin exec:java -Dexec.args="$url $organizer"
fi
