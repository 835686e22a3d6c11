#!/bin/sh
# Sends mails through Postfix to mailboxes, and reads them from Dovecot by IMAP. Postfix returns some mails to
# "moothall mail receive", as docs/mail.md describes. Python parses the mails and verifies their signatures.
# Only root can start Postfix: for other users, the script does nothing.
set -eu
cd "$(dirname "$0")/.."
if [ "$(id -u)" != 0 ]; then
	echo "scripts/mail.sh: skipped, because only root can start Postfix" >&2
	exit
fi
scripts/needs.sh mail
dir=$(mktemp -d)
trap 'postfix -c "$dir/postfix" stop 2>/dev/null || true; doveadm -c "$dir/dovecot.conf" stop 2>/dev/null || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
smtp=$(port)
imap=$(port)
"${GO:-go}" build -o "$dir/moothall" ./cmd/moothall
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check -r internal/test/delivery/testdata/realmail/requirements.txt

# ann has a mailbox, ben has none. The next server refuses mails to cora and dora.
mkdir "$dir/postfix" "$dir/queue" "$dir/data" "$dir/mailboxes"
chown postfix "$dir/data"
chown nobody "$dir/mailboxes"
cat >"$dir/postfix/main.cf" <<END
compatibility_level = 3.6
queue_directory = $dir/queue
data_directory = $dir/data
myhostname = mail.moothall.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_reject_unlisted_recipient = no
recipient_delimiter = +
virtual_mailbox_domains = example.org
virtual_mailbox_base = $dir/mailboxes
virtual_mailbox_maps = inline:{ann@example.org=ann/}
virtual_uid_maps = static:$(id -u nobody)
virtual_gid_maps = static:$(id -g nobody)
relay_domains = moothall.test
transport_maps = inline:{bounces@moothall.test=moothall:, {cora@example.org = error:5.2.2 mailbox full}, {dora@example.org = error:5.7.1 refused as spam}}
default_transport = error:no mail leaves this machine
maillog_file = $dir/postfix.log
maillog_file_prefixes = $dir
END
cat >"$dir/postfix/master.cf" <<END
127.0.0.1:$smtp inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
relay unix - - n - - smtp
smtp unix - - n - - smtp
virtual unix - n n - - virtual
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
moothall unix - n n - 2 pipe
  flags=q user=nobody argv=/bin/sh $dir/receive \${original_recipient}
END
cat >"$dir/dovecot.conf" <<END
protocols = imap
base_dir = $dir/dovecot
state_dir = $dir/dovecot
log_path = $dir/dovecot.log
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:$dir/mailboxes/%n
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=$dir/mailboxes/%n
}
service imap-login {
  inet_listener imap {
    address = 127.0.0.1
    port = $imap
  }
  inet_listener imaps {
    port = 0
  }
}
END
postfix -c "$dir/postfix" start
dovecot -c "$dir/dovecot.conf"
TEST_MAIL=$dir TEST_SMTP=127.0.0.1:$smtp TEST_IMAP=$imap "${GO:-go}" test -count=1 -v -run TestRealMailServer ./internal/test/delivery || {
	cat "$dir/postfix.log" "$dir/dovecot.log" >&2
	exit 1
}
