#!/bin/sh
# Installs missing programs that the tests need, with apt-get: PostgreSQL and HAProxy (the tests start them), Node.js with
# npm (for a test OpenID provider), Chromium (for the web client and passkeys), bash and curl (for the examples of the
# README). It starts no service. Where Debian has it, it also installs the headless shell of
# Chromium, which makes the tests of pages faster; they run without it, too. An argument adds more:
# - race: a C compiler, for the race detector;
# - mail: Postfix, Dovecot and venv, for scripts/mail.sh;
# - observability: Prometheus, for scripts/observability.sh;
# - spreadsheet: LibreOffice, for scripts/spreadsheet.sh;
# - pictures: fonts for the languages of the demo, for make pictures.
set -eu

has() { command -v "$1" >/dev/null 2>&1; }

has_postgresql() {
	has initdb && has postgres && return
	for dir in "$(pg_config --bindir 2>/dev/null || true)" /usr/lib/postgresql/*/bin; do
		[ -x "$dir/initdb" ] && [ -x "$dir/postgres" ] && return
	done
	return 1
}

# The headers of the C library are a separate package on Debian.
has_compiler() { echo '#include <stdlib.h>' | "${CC:-gcc}" -E - >/dev/null 2>&1; }

has_chromium() { has chromium || has chromium-browser || has google-chrome; }

# Debian installs it in a folder that may not be in the PATH of users.
has_haproxy() { has haproxy || [ -x /usr/sbin/haproxy ]; }

# has_font LANGUAGE: und-zsye means emoji.
has_font() { fc-list ":lang=$1" 2>/dev/null | grep -q .; }

missing=
has_postgresql || missing="$missing postgresql"
has node || missing="$missing nodejs"
has npm || missing="$missing npm"
has_chromium || missing="$missing chromium"
has_haproxy || missing="$missing haproxy"
has bash || missing="$missing bash"
has curl || missing="$missing curl"
if [ "${1:-}" = race ]; then
	has_compiler || missing="$missing gcc libc6-dev"
fi
if [ "${1:-}" = observability ]; then
	{ has prometheus && has promtool; } || missing="$missing prometheus"
fi
if [ "${1:-}" = mail ]; then
	has postfix || missing="$missing postfix"
	has dovecot && [ -d /usr/lib/dovecot/modules ] || missing="$missing dovecot-imapd"
	python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
fi
if [ "${1:-}" = spreadsheet ]; then
	has soffice || missing="$missing libreoffice-calc-nogui"
fi
if [ "${1:-}" = pictures ]; then
	has_font ja || missing="$missing fonts-droid-fallback"
	has_font und-zsye || missing="$missing fonts-noto-color-emoji"
fi
faster=
has chromium-headless-shell || has chrome-headless-shell || ! apt-cache show chromium-headless-shell >/dev/null 2>&1 || faster=chromium-headless-shell
[ -z "$missing$faster" ] && exit

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@" # may ask for a password
	else
		sudo -n "$@"
	fi
}

give_up() {
	[ -z "$missing" ] && exit
	cat >&2 <<END
The tests need these packages (Debian names):$missing
  Debian, Ubuntu:  apt-get install$missing
  Fedora:          dnf install postgresql-server nodejs npm chromium haproxy curl
  macOS:           brew install postgresql node haproxy; brew install --cask chromium
END
	exit 1
}

has apt-get || give_up
[ "$(id -u)" = 0 ] || has sudo || give_up

echo "installing:$missing $faster"
# Meanwhile the compiler is idle: it compiles most of what the tests need. go test reports its errors.
"${GO:-go}" build ./internal/test/apptest >/dev/null 2>&1 &
as_root apt-get update -qq || give_up
# Debian's packages start their services unless this program refuses.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	trap 'as_root rm -f "$policy"' EXIT
	trap 'exit 1' INT TERM
	printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
	as_root chmod 755 "$policy"
fi
# Postfix gets no configuration.
if has debconf-set-selections; then
	echo "postfix postfix/main_mailer_type select No configuration" | as_root debconf-set-selections
fi
# shellcheck disable=SC2086 # a list of packages
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing $faster </dev/null || give_up
wait
