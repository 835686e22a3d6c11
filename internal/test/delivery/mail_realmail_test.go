package delivery_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// realMail is a mail as Python reads it by IMAP.
type realMail struct {
	Subject, To, ID, Text, HTML string
	ReturnPath                  string `json:"return_path"`
	Headers, Defects            []string
	Signed                      bool
}

var reasonsStmt = db.SQL("deliver_test.reasons", `SELECT COUNT(*) FROM deliveries WHERE state = 'failed' AND reason LIKE 'bounce %'`)

// TestRealMailServer sends mails through Postfix, reads them by IMAP from Dovecot, and gets others
// back. scripts/mail.sh starts both.
func TestRealMailServer(t *testing.T) {
	dir := os.Getenv("TEST_MAIL")
	if dir == "" {
		t.Skip("TEST_MAIL is not set: make test needs no mail server; scripts/mail.sh, in make check, runs this")
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	private := filepath.Join(t.TempDir(), "dkim.pem")
	write(t, private, string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})))
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	database := filepath.Join(dir, "database")
	environment := map[string]string{
		"DATABASE_URL": "sqlite:" + filepath.Join(database, "moothall.db"), "SECRET_KEY": apptest.SecretKey,
		"SMTP_URL":  "smtp://" + os.Getenv("TEST_SMTP"),
		"MAIL_FROM": "Moothall <no-reply@moothall.test>", "MAIL_BOUNCES": "bounces@moothall.test",
	}
	options := []apptest.Option{apptest.Setting("NOTIFICATIONS", "mail"), apptest.Setting("MAIL_GRACE", "0s"),
		apptest.Setting("DKIM", private)}
	command := "#!/bin/sh\n"
	for name, value := range environment {
		options = append(options, apptest.Setting(name, value))
		command += fmt.Sprintf("export %s='%s'\n", name, value)
	}
	write(t, filepath.Join(dir, "receive"), command+dir+"/moothall mail receive \"$1\"\n")
	a := apptest.New(t, db.SQLite, options...)
	for _, file := range []string{"", "moothall.db", "moothall.db-wal", "moothall.db-shm"} { // the pipe of Postfix has another user
		if err := os.Chmod(filepath.Join(database, file), 0o777); err != nil {
			t.Fatal(err)
		}
	}

	titles := 0
	org := a.As("org")
	for _, title := range hostile {
		created := org.Post("/events", apptest.Fields{"title": title, "location_text": title, "starts_at": a.Clock.Now().Add(48 * time.Hour)})
		if created.Status == 400 {
			continue // the contract refuses the title
		}
		titles++
		event := created.Want(201).Text("event.id")
		org.Post("/events/"+event+"/publish", nil).Want(200)
		for _, name := range []string{"ann", "ben", "cora", "dora"} {
			a.As(name).Join(event)
		}
		a.RunJobs() // else nobody gets the mail about a participation that has ended
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		a.RunJobs()
	}
	suppressed := func(name string) bool {
		return a.As(name).Get(preferencesPath).Want(200).Get("email.suppressed_at") != nil
	}
	within(t, time.Minute, "what came back", func() bool { return suppressed("ben") && a.Count(reasonsStmt) > 2*titles })
	for _, name := range []string{"ann", "cora", "dora"} {
		if suppressed(name) {
			t.Errorf("%s is suppressed", name)
		}
	}

	var mails []realMail
	within(t, time.Minute, "the mails to ann", func() bool {
		mails = readByIMAP(t, dir, "ann", "v=DKIM1; k=rsa; p="+base64.StdEncoding.EncodeToString(public))
		return len(mails) == 1+2*titles // the code to sign in; that ann goes, and does not
	})
	if n := canceled(mails); n != titles {
		t.Errorf("%d mails of %d canceled events:", n, titles)
		for _, m := range mails {
			t.Logf("%q, %q, %s", m.Subject, m.Text, m.ReturnPath)
		}
	}
	for _, m := range mails {
		if !m.Signed || len(m.Defects) > 0 || m.To != "ann@example.org" || !strings.HasSuffix(m.ID, "@moothall.test>") {
			t.Errorf("%+v", m)
		}
		if strings.Contains(strings.ToLower(strings.Join(m.Headers, "\n")), "bcc") || strings.Contains(m.HTML, "<script") ||
			strings.Contains(m.HTML, "<img") {
			t.Errorf("%+v", m)
		}
	}

	list := program(t, dir, environment, "deliveries")
	for _, want := range []string{"bounce 5.1.1", "bounce 5.2.2", "bounce 5.7.1"} {
		if !strings.Contains(list, want) {
			t.Errorf("moothall deliveries does not list %s:\n%s", want, list)
		}
	}
	if tested := program(t, dir, environment, "mail", "test", "ann@example.org"); !strings.Contains(tested,
		"ok       mail        the server has accepted a mail to ann@example.org") {
		t.Errorf("moothall mail test: %s", tested)
	}
	t.Logf("%d titles, %d mails read by IMAP, %d came back", titles, len(mails), a.Count(reasonsStmt))
}

// canceled returns how many mails say, in every part, that an event is canceled, or are about
// the event whose title is too long a character.
func canceled(mails []realMail) (n int) {
	for _, m := range mails {
		if m.Subject != "Canceled: “…”" && !(strings.HasPrefix(m.Subject, "Canceled: ") && strings.Contains(m.Text, " is canceled") &&
			strings.Contains(m.HTML, " is canceled")) {
			continue
		}
		if strings.HasPrefix(m.ReturnPath, "<bounces+") {
			n++
		}
	}
	return n
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil { // the user of Postfix's pipe reads one of them
		t.Fatal(err)
	}
}

// within waits until something is true.
func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(200 * time.Millisecond) {
		if time.Since(began) > limit {
			t.Fatalf("%s: not within %v", what, limit)
		}
	}
}

func readByIMAP(t *testing.T, dir, user, record string) (all []realMail) {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), filepath.Join(dir, "venv", "bin", "python"), "testdata/realmail/read.py",
		os.Getenv("TEST_IMAP"), user, record).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if err := json.Unmarshal(output, &all); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return all
}

// program runs the built command, and returns what it prints.
func program(t *testing.T, dir string, environment map[string]string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(dir, "moothall"), arguments...)
	for name, value := range environment {
		command.Env = append(command.Env, name+"="+value)
	}
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	_ = command.Run() // mail test fails, because the domain has no DNS records
	return output.String()
}
