package main

import (
	"bytes"
	"strings"
	"testing"

	"moothall/internal/platform/observe"
	"moothall/internal/test/apptest"
)

// TestMailTest prints the steps against a server on a real socket, whose domain lacks a record.
func TestMailTest(t *testing.T) {
	m := apptest.NewMailServer(t, nil)
	_, port, _ := strings.Cut(m.Address, ":")
	resolver := apptest.NewResolver(t, "mail.example.org A 127.0.0.1", "example.org TXT v=spf1 a:mail.example.org -all",
		"example.org MX mail.example.org")
	var stdout bytes.Buffer
	c := &call{stdout: &stdout, stderr: observe.NewLogWriter(&bytes.Buffer{}), environ: []string{
		"SMTP_URL=smtp://mail.example.org:" + port, "MAIL_FROM=Moothall <no-reply@example.org>", "MAIL_BOUNCES=bounces@example.org",
	}}
	err := c.testMail(t.Context(), "Anna@Example.com", resolver)
	if err == nil || err.Error() != "mail test: 1 failed: see what to do above" {
		t.Errorf("%v", err)
	}
	want := `ok       address     mail.example.org is 127.0.0.1
ok       connection  mail.example.org:` + port + `
skipped  TLS         the server offers none, and mails are sent without it on localhost and in development
skipped  login       SMTP_URL has no user
ok       mail        the server has accepted a mail to Anna@example.com
                     -> Look whether it arrives, also in the folder for spam.
ok       SPF         example.org has an SPF record
                     -> Check that it allows the address from which the mail server sends to the internet: that is not visible from here.
skipped  DKIM        DKIM is not set
                     -> Let the mail server sign: the mail that arrives must have a header DKIM-Signature.
failed   DMARC       _dmarc.example.org has no record
                     -> Add the record _dmarc.example.org TXT "v=DMARC1; p=none; rua=mailto:postmaster@example.org". Change p to quarantine when the reports show no failures.
ok       bounces     example.org gets mail at mail.example.org
`
	if got := stdout.String(); got != want {
		t.Errorf("printed\n%s\nwant\n%s", got, want)
	}
	if got := m.Received(); len(got) != 1 || got[0].From != "bounces@example.org" || got[0].To != "Anna@example.com" {
		t.Errorf("mails %+v", got)
	}
}

// TestMailReceive exits with 0 for every mail that needs nothing more, and with 75 when the mail
// server should try again.
func TestMailReceive(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "sqlite:" + t.TempDir() + "/moothall.db", "SECRET_KEY": apptest.SecretKey}
	receive := func(code int, stdin, out, complaint string) {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invokeWith(t, t.Context(), environment, stdin, &stderr, "mail", "receive", "bounces+abc@example.org")
		if got != code || stdout != out || !strings.Contains(stderr.String(), complaint) {
			t.Errorf("code %d, %q, %q", got, stdout, stderr.String())
		}
	}
	const bounce = "From: MAILER-DAEMON@example.net\nContent-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n"
	receive(exitTryAgain, bounce, "", "no such file")
	if code, _ := invoke(t, t.Context(), environment, &bytes.Buffer{}, "migrate"); code != 0 {
		t.Fatal("cannot migrate")
	}
	receive(exitOK, bounce, "ignored: not a return path of this service\n", "")
	receive(exitOK, "\x00", "ignored: not a mail\n", "")
	receive(exitOK, bounce+strings.Repeat("x", 3<<20), "ignored: not a return path of this service\n", "")
	environment["LOG_LEVEL"] = "loud"
	receive(exitTryAgain, bounce, "", "LOG_LEVEL")
	delete(environment, "LOG_LEVEL")
	delete(environment, "SECRET_KEY")
	environment["DATABASE_URL"] = "postgres://127.0.0.1:1/none"
	receive(exitTryAgain, bounce, "", "moothall: ")
}
