#!/bin/sh
# Checks the files of deploy/: the Dockerfile, the configuration of HAProxy, the systemd unit, the Helm chart and the
# files for Docker Compose. Then builds the packages of the release from committed files, and checks them:
# - the lists of components match the schema of CycloneDX;
# - two builds in different folders have the same bytes;
# - the links between the pages lead to files of the package;
# - the service runs in a root file system without other files.
# Also runs "go vet" for other systems.
# Usage: scripts/packages.sh GORELEASER SYFT [TARGET...], such as linux_amd64. Needs neither Docker nor Kubernetes.
set -eu
cd "$(dirname "$0")/.."
repository=$PWD
goreleaser=$PWD/$1
syft=$PWD/$2
shift 2
go=${GO:-go}
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check -r tools/packages/requirements.txt

echo "== Dockerfile"
"$dir/venv/bin/hadolint" --no-color deploy/docker/Dockerfile

echo "== HAProxy"
haproxy=$(command -v haproxy || echo /usr/sbin/haproxy)
sed 's/moothall-[0-9]:8080/127.0.0.1:8080/' deploy/haproxy/haproxy.cfg >"$dir/haproxy.cfg"
"$haproxy" -c -f "$dir/haproxy.cfg"

echo "== systemd"
if command -v systemd-analyze >/dev/null; then
	sed 's|/usr/local/bin/moothall|/bin/true|' deploy/systemd/moothall.service >"$dir/moothall.service"
	systemd-analyze verify "$dir/moothall.service"
	systemd-analyze security --offline=true --threshold=15 "$dir/moothall.service" | tail -n 1
else
	echo "skipped: systemd-analyze is missing" >&2
fi

echo "== Helm and Docker Compose"
(cd tools/packages && "$go" run . "$repository/deploy")

# The second build is in another folder, without the cache of the first.
echo "== release"
git clone --quiet --no-hardlinks . "$dir/one"
git clone --quiet --no-hardlinks . "$dir/another/folder"
"$dir/one/scripts/release.sh" "$goreleaser" "$syft" "$@"
GOCACHE="$dir/cache" "$dir/another/folder/scripts/release.sh" "$goreleaser" "$syft" linux_amd64
(cd "$dir/one/dist" && sha256sum --check --quiet SHA256SUMS)
for file in "$dir"/another/folder/dist/moothall-*; do
	cmp "$file" "$dir/one/dist/$(basename "$file")"
done
echo "two builds of linux/amd64 have the same bytes"
mkdir "$dir/unpacked"
tar -xzf "$(ls "$dir"/one/dist/moothall-*-linux-amd64.tar.gz)" -C "$dir/unpacked" --strip-components=1
"$dir/venv/bin/python" - "$dir/unpacked" <<'END'
import pathlib, re, sys
links = [page.parent / link for page in pathlib.Path(sys.argv[1]).rglob("*.md") for link in re.findall(r"\]\(([^)#:]+)[)#]", page.read_text())]
if dead := [str(link) for link in links if not link.exists()]:
    sys.exit("links to files that are not in the archive: " + ", ".join(dead))
print(f"the pages have {len(links)} links to files of the archive")
END
"$dir/venv/bin/python" - "$dir"/one/dist/*.cdx.json <<'END'
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
for path in sys.argv[1:]:
    text = open(path).read()
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if error:
        sys.exit(f"{path}: {error}")
    print(f"{path.rsplit('/', 1)[1]}: {len(json.loads(text)['components'])} components")
END

echo "== go vet for other systems" # -trimpath: with the packages that the release has compiled
for system in darwin freebsd windows; do
	GOFLAGS=-trimpath CGO_ENABLED=0 GOOS=$system "$go" vet ./...
done

scripts/bare_root.sh "$(ls "$dir"/one/dist/moothall-*-linux-amd64.tar.gz)"
