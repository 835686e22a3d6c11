#!/bin/sh
# Prints the licences of the third-party parts of the program on all systems: Go, Go modules, and the scripts, styles and
# fonts of the web client. Most of these licences require that copies contain them.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}

# print prints the licences in a folder, with a title.
print() {
	names=$(ls "$2" | grep -iE '^(licen[cs]e|copying|notice|patents)(\.|$)') || {
		echo "$1 has no file with its licence" >&2
		exit 1
	}
	for name in $names; do
		printf '%s\n%s\n\n' "$1" "$(echo "$1" | sed 's/./=/g')"
		cat "$2/$name"
		printf '\n\n'
	done
}

print "Go $($go env GOVERSION | sed 's/^go//')" "$($go env GOROOT)"
modules=$(for system in linux darwin freebsd windows; do
	GOOS=$system CGO_ENABLED=0 $go list -deps \
		-f '{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' ./cmd/moothall
done)
echo "$modules" | LC_ALL=C sort -u | while read -r path version folder; do print "$path $version" "$folder"; done
for folder in internal/web/ui/vendor/*/; do print "$(basename "$folder")" "$folder"; done
