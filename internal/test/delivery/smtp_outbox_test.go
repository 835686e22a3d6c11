package delivery_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// TestOutboxShowsEveryMail reads mails on another instance than the one that sent them.
func TestOutboxShowsEveryMail(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		outbox := &smtp.Outbox{DB: a.DB, Clock: a.Clock.Now}
		m := smtp.Message{From: "Moothall <no-reply@example.org>", To: "ann@example.org", Subject: "<b>Hello</b> & welcome",
			Text: "Plain <i>text</i>", HTML: `<p onclick="x()">Rich <a href="https://example.org">text</a></p><script>x()</script>`}
		if err := outbox.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		c := a.Anonymous().On(1)
		list := c.Get("/dev/mail").Want(http.StatusOK)
		if !strings.Contains(string(list.Body), "&lt;b&gt;Hello&lt;/b&gt; &amp; welcome") || !strings.Contains(string(list.Body), m.To) {
			t.Errorf("list %s", list.Body)
		}
		id := a.Mail(m.To).ID.String()
		page := c.Get("/dev/mail/" + id).Want(http.StatusOK)
		for _, want := range []string{"Plain &lt;i&gt;text&lt;/i&gt;", `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"`,
			`src="` + id + `/html"`} {
			if !strings.Contains(string(page.Body), want) {
				t.Errorf("the page has no %s: %s", want, page.Body)
			}
		}
		html := c.Get("/dev/mail/" + id + "/html").Want(http.StatusOK)
		if policy := html.Header.Get("Content-Security-Policy"); !strings.HasSuffix(string(html.Body), m.HTML) ||
			!strings.HasPrefix(policy, "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';") ||
			strings.Contains(policy, "script") {
			t.Errorf("HTML part: %s: %s", policy, html.Body)
		}
		source := c.Get("/dev/mail/" + id + "/source").Want(http.StatusOK)
		if text := string(source.Body); !strings.Contains(text, "multipart/alternative") ||
			!strings.Contains(text, "Auto-Submitted: auto-generated") ||
			!strings.HasPrefix(source.Header.Get("Content-Type"), "text/plain") {
			t.Errorf("source %s", text)
		}
		for _, path := range []string{"x", "x/html", "01890a5d-ac96-474b-bcce-b302099a8057", "01890a5d-ac96-474b-bcce-b302099a8057/source"} {
			c.Get("/dev/mail/" + path).Want(http.StatusNotFound)
		}
	}, apptest.Instances(2))
}

func TestOutboxKeepsNewestMails(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		outbox := &smtp.Outbox{DB: a.DB, Clock: a.Clock.Now}
		for i := range 203 {
			a.Clock.Advance(time.Millisecond)
			if err := outbox.Send(t.Context(), smtp.Message{From: "no-reply@localhost", To: "ann@example.org",
				Subject: fmt.Sprint("number ", i)}); err != nil {
				t.Fatal(err)
			}
		}
		all, err := outbox.List(t.Context())
		if err != nil || len(all) != 200 || all[0].Subject != "number 202" || all[199].Subject != "number 3" {
			t.Errorf("%d mails, %v", len(all), err)
		}
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

// TestOutboxIsForDevelopmentOnly checks that neither staging nor a service with a mail
// server shows mails.
func TestOutboxIsForDevelopmentOnly(t *testing.T) {
	for name, options := range map[string][]apptest.Option{
		"staging":     {apptest.Setting("APP_ENV", "staging")},
		"mail server": {apptest.Setting("SMTP_URL", "smtp://127.0.0.1:1"), apptest.Setting("MAIL_FROM", "no-reply@example.org")},
	} {
		t.Run(name, func(t *testing.T) {
			a := apptest.New(t, db.SQLite, options...)
			for _, path := range []string{"", "/gallery", "/01890a5d-ac96-474b-bcce-b302099a8057", "/01890a5d-ac96-474b-bcce-b302099a8057/html"} {
				a.Anonymous().Get("/dev/mail" + path).Want(http.StatusNotFound)
			}
			if page := a.Anonymous().Get("/").Want(http.StatusOK); strings.Contains(string(page.Body), "dev/mail") {
				t.Error("the start page links to the mails")
			}
		})
	}
}
