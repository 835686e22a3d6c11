#!/bin/sh
# Starts the program of a release in a read-only root file system that has no other files: once as
# the systemd unit does, once as the image does. Each time the service must become healthy, and
# "moothall doctor" must find no fault. Usage: scripts/bare_root.sh ARCHIVE.tar.gz
# chroot needs root: for other users, the script does nothing.
set -eu
cd "$(dirname "$0")/.."
archive=$1
if [ "$(id -u)" != 0 ]; then
	echo "scripts/bare_root.sh: skipped, because chroot needs root" >&2
	exit
fi
dir=$(mktemp -d)
chmod 755 "$dir"
mail=
service=
trap 'for p in $service $mail; do kill "$p" 2>/dev/null || true; done; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
http=$(port)
smtp=$(port)

# A mail server that accepts every command, for SMTP_URL.
python3 -c '
import socketserver, sys
class Session(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"220 localhost\r\n")
        for line in self.rfile:
            self.wfile.write(b"250 localhost\r\n")
            if line.upper().startswith(b"QUIT"): return
socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Session).serve_forever()' "$smtp" &
mail=$!

# inside runs a command in $root as $user, with only the variables of $environment. The command can
# write only to the folders $writable.
inside() {
	ROOT=$root ACCOUNT=$user WRITABLE=$writable ENVIRONMENT=$environment exec unshare --mount sh -euc '
		mount --bind "$ROOT" "$ROOT"
		for folder in $WRITABLE; do mount --bind "$ROOT$folder" "$ROOT$folder"; done
		mount -o remount,bind,ro "$ROOT"
		exec env -i $ENVIRONMENT "$(command -v chroot)" --userspec="$ACCOUNT:$ACCOUNT" "$ROOT" "$@"' sh "$@"
}

# check starts the service by a command line, waits until it is healthy, runs doctor, and stops it.
check() {
	(inside "$@") >"$dir/log" 2>&1 &
	service=$!
	tries=0
	until (inside "$program" healthcheck $config) >/dev/null 2>&1; do
		tries=$((tries + 1))
		if [ "$tries" = 300 ] || ! kill -0 "$service"; then
			cat "$dir/log" >&2
			exit 1
		fi
		sleep 0.2
	done
	curl -fsS "http://127.0.0.1:$http/" | grep -q '</html>'
	if ! (inside "$program" doctor $config) >"$dir/doctor" 2>&1; then
		cat "$dir/log" "$dir/doctor" >&2
		exit 1
	fi
	kill -TERM "$service"
	wait "$service"
	service=
	echo "healthy; $(grep -c '^ok' "$dir/doctor") checks of doctor are ok, none failed; stopped by SIGTERM"
}

mkdir "$dir/release"
tar -xzf "$archive" -C "$dir/release" --strip-components=1
settings() { # the settings of the package, with a key and free ports
	sed -e "s|^SECRET_KEY=.*|SECRET_KEY=$(head -c 32 /dev/urandom | base64)|" -e "s|^LISTEN_ADDR=.*|LISTEN_ADDR=127.0.0.1:$http|" -e "s|^SMTP_URL=.*|SMTP_URL=smtp://127.0.0.1:$smtp|" \
		"$dir/release/deploy/systemd/moothall.env"
	printf 'SHUTDOWN_DELAY=0s\n'
}

# The files that systemd creates for the unit: the credential, /tmp, StateDirectory and CacheDirectory.
echo "systemd unit:"
root=$dir/unit user=61184 writable="/tmp /var/lib/moothall /var/cache/moothall"
credentials=/run/credentials/moothall.service
environment=CREDENTIALS_DIRECTORY=$credentials
mkdir -p "$root/usr/local/bin" "$root$credentials" "$root/tmp" "$root/var/lib/moothall" "$root/var/cache/moothall"
cp "$dir/release/moothall" "$root/usr/local/bin"
settings >"$root$credentials/moothall.env"
chmod 400 "$root$credentials/moothall.env"
chown -R "$user:$user" "$root$credentials" "$root/tmp" "$root/var"
command=$(sed -n 's/^ExecStart=//p' "$dir/release/deploy/systemd/moothall.service" | sed "s|\${CREDENTIALS_DIRECTORY}|$credentials|")
program=${command%% *} config="--config $credentials/moothall.env"
# shellcheck disable=SC2086 # a command line without quotes
check $command

# The files of the last stage of the Dockerfile, and its ENV with a free port.
echo "image:"
root=$dir/image user=65532 writable="/tmp /data /cache"
environment=$(sed -n '/^ENV/,/[^\\]$/p' deploy/docker/Dockerfile | sed -e 's/^ENV//' -e 's/\\$//' -e "s/:8080/:$http/")
mkdir -p "$root/data" "$root/cache" "$root/tmp"
cp "$dir/release/moothall" "$dir/release/LICENSE" "$root"
chown "$user:$user" "$root/data" "$root/cache" "$root/tmp"
program=/moothall config=
check "$program" serve
