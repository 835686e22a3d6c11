#!/bin/sh
# Tests clients with a running service:
# - the SDK for TypeScript. Its types must be up to date with the contract, and its npm package must have the right files;
# - clients that generators write from the contract: oapi-codegen (version: OAPI_CODEGEN), openapi-python-client and, with
#   Maven, openapi-generator for Kotlin. They read 30 events that start at the same time, in pages of 7.
# Also checks the types of the scripts of the web client.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
contract=$PWD/api/openapi.yaml
license=$PWD/LICENSE
dir=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$dir"' EXIT
cp -r api/testdata/clients/. "$dir"
mkdir -p "$dir/sdk" "$dir/web/internal/web" "$dir/web/sdk/typescript"
git ls-files -z sdk/typescript | xargs -0 cp -r --parents -t "$dir"
cp -r internal/web/ui "$dir/web/internal/web"
cp -r sdk/typescript/src "$dir/web/sdk/typescript"
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

cd "$dir/sdk/typescript"
npm ci --loglevel=error --ignore-scripts --no-audit --no-fund
run node_modules/.bin/openapi-typescript "$contract" -o contract.ts
cmp contract.ts src/contract.ts || { echo "sdk/typescript was not up to date: run make generate and commit" >&2; exit 1; }
run node_modules/.bin/tsc
run node_modules/.bin/tsc -p test
run node built/test/realtime.js
run node_modules/.bin/publint --strict
run node_modules/.bin/attw --pack . --profile esm-only
cmp LICENSE "$license" || { echo "sdk/typescript/LICENSE differs from LICENSE: copy it" >&2; exit 1; }
npm pack --silent | xargs tar -tzf | sort >packed
{ echo package/LICENSE; echo package/README.md; echo package/package.json; ls src | sed 's#\(.*\)\.ts#package/dist/\1.js\npackage/dist/\1.d.ts#'; } | sort | diff - packed

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
for test in test/service test/client example; do
	node --experimental-websocket "sdk/typescript/built/$test.js" "$url" >/dev/null
done
PYTHONPATH=python python/venv/bin/python python/pages.py "$url" "$organizer"
if command -v mvn >/dev/null; then
	mvn -B -q -f kotlin exec:java -Dexec.args="$url $organizer"
fi
