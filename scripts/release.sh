#!/bin/sh
# Builds the packages of a release into dist/. Builds of one commit have the same bytes on every machine: they depend only on
# the source, the version, the commit and its time. Usage: scripts/release.sh GORELEASER SYFT [TARGET...], such as linux_amd64.
set -eu
goreleaser=$(realpath "$1")
SYFT=$(realpath "$2")
cd "$(dirname "$0")/.."
shift 2

if [ -n "$(git status --porcelain)" ]; then
	git status --short >&2
	echo "commit these changes first" >&2
	exit 1
fi
COMMIT=$(git rev-parse HEAD)
export TZ=UTC # also of the times in zip archives
COMMIT_TIME=$(git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
COMMIT_SECONDS=$(git log -1 --format=%ct)
VERSION=$(git describe --tags --exact-match 2>/dev/null || echo "v0.0.0-$(echo "$COMMIT" | cut -c1-12)")
VERSION=${VERSION#v}
export SYFT COMMIT COMMIT_TIME COMMIT_SECONDS VERSION

config=bin/goreleaser.yaml
mkdir -p bin
cp .goreleaser.yaml $config
if [ $# -gt 0 ]; then
	sed "s/^    targets: .*/    targets: [$(echo "$*" | tr ' ' ,)]/" .goreleaser.yaml >$config
fi

# The program of this system prints its man pages and completions.
"$goreleaser" build --config $config --clean --snapshot --single-target --output bin/moothall

# The files of all packages.
files=bin/release
rm -rf $files
mkdir -p $files/completions $files/docs $files/deploy
cp LICENSE CHANGELOG.md deploy/README.txt $files
for page in backup.md faults.md install.md mail.md operations.md payments.md realtime.md runbook security.md settings.md webhooks.md; do
	cp -R "docs/$page" $files/docs
done
cp -R deploy/haproxy deploy/helm deploy/observability deploy/systemd $files/deploy
# Links to files that the packages do not have become plain text.
find $files -name '*.md' -execdir perl -pi -e 's{\[([^]]+)\]\(([^)#:]+)(#[^)]*)?\)}{-e $2 ? $& : $1}ge' {} +
bin/moothall man $files/man1
bin/moothall completion bash >$files/completions/moothall.bash
bin/moothall completion fish >$files/completions/moothall.fish
bin/moothall completion powershell >$files/completions/moothall.ps1
bin/moothall completion zsh >$files/completions/_moothall
scripts/licenses.sh >$files/THIRD_PARTY_LICENSES

"$goreleaser" release --config $config --clean --snapshot # a snapshot needs no tag and is not uploaded
