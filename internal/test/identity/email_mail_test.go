package identity_test

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestMailIsSentAfterTheResponse checks that a broken mail server delays no response and is
// not named in it, that the mail is sent once the server works, and that no mail is sent
// after its sign-in has ended.
func TestMailIsSentAfterTheResponse(t *testing.T) {
	t.Parallel()
	server := apptest.NewMailServer(t, func(m *apptest.MailServer, _ *smtp.Server) {
		m.Refuse(&smtp.SMTPError{Code: 451, Message: "try later"})
	})
	a := apptest.New(t, db.PostgreSQL, apptest.Setting("SMTP_URL", "smtp://"+server.Address),
		apptest.Setting("MAIL_FROM", "Moothall <no-reply@moothall.test>"))
	emailStart(a.Anonymous(), "ann@bücher.example").Want(http.StatusOK)
	failed := func(n int) func() bool {
		return func() bool { return strings.Count(a.Log(), `"kind":"emailsignin.send","result":"failed"`) >= n }
	}
	testutil.Until(t, "a failed attempt", failed(1))
	var job string
	if err := a.DB.One(t.Context(), payloadStmt).Scan(&job); err != nil {
		t.Fatal(err)
	}
	server.Refuse(nil)
	a.Clock.Advance(3 * time.Second) // the next attempt is due
	testutil.Until(t, "a mail", func() bool { return len(server.Received()) == 1 })
	got := server.Received()[0]
	if got.From != "no-reply@moothall.test" || got.To != "ann@xn--bcher-kva.example" {
		t.Errorf("from %s to %s", got.From, got.To)
	}
	m, err := mail.ReadMessage(strings.NewReader(got.Text))
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(strings.Trim(m.Header.Get("Message-Id"), "<>"), "@moothall.test")
	if !strings.Contains(job, `"mail_id":"`+id+`"`) { // every attempt has the same one
		t.Errorf("Message-ID %s of the job %s", m.Header.Get("Message-Id"), job)
	}
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s, %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, want := range []string{"text/plain", "text/html"} {
		part, err := parts.NextPart() // decodes quoted-printable
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part)
		if err != nil || !strings.HasPrefix(part.Header.Get("Content-Type"), want) || linkInMail.FindStringSubmatch(string(text)) == nil {
			t.Errorf("%s, %v: %s", part.Header.Get("Content-Type"), err, text)
		}
	}

	server.Refuse(&smtp.SMTPError{Code: 451, Message: "try later"})
	before := strings.Count(a.Log(), `"result":"failed"`)
	emailStart(a.Anonymous(), "bob@example.org").Want(http.StatusOK)
	testutil.Until(t, "another failed attempt", failed(before+1))
	a.Clock.Advance(11 * time.Minute)
	server.Refuse(nil)
	testutil.Until(t, "the end of the job", func() bool { return a.Count(unsentStmt) == 0 })
	if n := len(server.Received()); n != 1 {
		t.Errorf("%d mails", n)
	}
	if strings.Contains(a.Log(), "bcher") || strings.Contains(a.Log(), "bob@") {
		t.Error("the log contains an address")
	}
}
