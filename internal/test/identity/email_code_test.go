package identity_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/identity/signin/email"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func TestSignInByCode(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		started := emailStart(a.Anonymous(), "Ann@Example.org").Want(http.StatusOK)
		m := read(t, a, "Ann@example.org", started)
		want := `{"status":"pending","challenge":"` + m.challenge + `","number":"` + m.number + `","expires_at":"2026-11-20T10:10:00Z",` +
			`"expires_in_seconds":600,"resend_after_seconds":60,"code_length":6,"poll_interval_seconds":2}`
		if string(started.Body) != want {
			t.Errorf("started: %s", started.Body)
		}
		wantCookie := "__Host-email_sign_in=" + m.challenge + "; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"
		if got := started.Header.Values("Set-Cookie"); len(got) != 1 || got[0] != wantCookie {
			t.Errorf("Set-Cookie %q, want %q", got, wantCookie)
		}
		in := browser(a, m.challenge).Post("/auth/email/verify", apptest.Fields{"email": "ann@example.ORG", "code": m.code}).Want(http.StatusOK)
		if in.Text("current_user.user.email") != "Ann@example.org" || in.Text("expires_at") != "2026-12-20T10:00:00Z" {
			t.Errorf("signed in: %s", in.Body)
		}
		cookies := strings.Join(in.Header.Values("Set-Cookie"), "\n")
		if !strings.Contains(cookies, apptest.RefreshCookie+"="+in.Text("refresh_token")) ||
			!strings.Contains(cookies, "__Host-email_sign_in=; Path=/; Max-Age=0") {
			t.Errorf("Set-Cookie %q", cookies)
		}
		listed := a.WithBearer(in.Text("access_token")).Get("/auth/sessions").Want(http.StatusOK)
		if got := listed.Text("items.0.auth_method"); got != "email" {
			t.Errorf("auth_method %s", got)
		}
		again := begun(t, a, "ann@example.org").verify(a.Anonymous()).Want(http.StatusOK)
		if again.Text("current_user.user.id") != in.Text("current_user.user.id") {
			t.Error("two accounts for one address")
		}
	}, apptest.StartAt(begin))
}

func TestMailIsInTheClientsLanguage(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	for i, c := range []struct{ languages, subject, text string }{
		{"", "is your sign-in code", "expire in 10 minutes"},
		{"fr, en;q=0.5", "is your sign-in code", "ignore this e-mail"},
		{"de-AT, en;q=0.8", "ist dein Anmeldecode", "gelten 10 Minuten"},
		{"ru", "ваш код для входа", "действуют 10 минут"},
	} {
		email := fmt.Sprintf("user%d@example.org", i)
		m := read(t, a, email, emailStart(a.Anonymous().With("Accept-Language", c.languages), email).Want(http.StatusOK))
		got := a.Mail(email)
		for _, want := range []string{c.text, m.link, m.code} {
			if !strings.Contains(got.Text, want) || !strings.Contains(got.HTML, want) || !strings.Contains(got.Subject, c.subject) {
				t.Errorf("%q: %s: %s\n%s", c.languages, got.Subject, got.Text, got.HTML)
			}
		}
		if strings.Contains(got.Text+got.HTML, "<no value>") || !strings.Contains(got.Source, "multipart/alternative") {
			t.Errorf("%s", got.Source)
		}
	}
}

// TestOnlyClientThatStartedUsesCode checks that a code is worthless without the challenge,
// and a challenge without the code.
func TestOnlyClientThatStartedUsesCode(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		m, stranger := begun(t, a, "ann@example.org"), begun(t, a, "bob@example.org")
		for name, r := range map[string]*apptest.Reply{
			"no challenge":       emailVerify(a.Anonymous(), m.email, m.code, ""),
			"null and no cookie": a.Anonymous().Post("/auth/email/verify", apptest.Fields{"email": m.email, "code": m.code, "challenge": nil}),
			"another challenge":  emailVerify(a.Anonymous(), m.email, m.code, stranger.challenge),
			"another address":    emailVerify(a.Anonymous(), stranger.email, m.code, m.challenge),
			"another code":       emailVerify(a.Anonymous(), m.email, other(m.code, 0), m.challenge),
			"the link's token":   emailVerify(a.Anonymous(), m.email, m.code, m.link),
			"two cookies": a.Anonymous().With("Cookie", "__Host-email_sign_in="+m.challenge+"; __Host-email_sign_in="+stranger.challenge).
				Post("/auth/email/verify", apptest.Fields{"email": m.email, "code": m.code}),
		} {
			if r.WantError(http.StatusUnauthorized, "unauthorized"); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: a cookie was set", name)
			}
		}
		m.verify(a.Anonymous()).Want(http.StatusOK)
		m.verify(a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
		emailStatus(a.Anonymous(), m.challenge).WantError(http.StatusUnauthorized, "unauthorized")
	})
}

func TestSignInEnds(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		refused := func(m attempt, why string) {
			t.Helper()
			m.verify(a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
			if m.open(browser(a, m.challenge)).Status != http.StatusGone || m.confirm(browser(a, m.challenge), "").Status != http.StatusGone {
				t.Errorf("%s: the link still works", why)
			}
		}
		m := begun(t, a, "ann@example.org")
		for n := range 5 {
			emailVerify(a.Anonymous(), m.email, other(m.code, n), m.challenge).WantError(http.StatusUnauthorized, "unauthorized")
			emailStart(browser(a, m.challenge), m.email).Want(http.StatusOK) // adds no tries
		}
		refused(m, "five wrong codes")
		if got := emailStatus(a.Anonymous(), m.challenge).Want(http.StatusOK).Text("status"); got != "expired" {
			t.Errorf("after five wrong codes: %s", got)
		}

		m = begun(t, a, "ann@example.org")
		a.Clock.Advance(10 * time.Minute)
		refused(m, "expired")
		if got := emailStatus(a.Anonymous(), m.challenge).Want(http.StatusOK).Text("status"); got != "expired" {
			t.Errorf("after ten minutes: %s", got)
		}
		s := &email.Service{DB: a.DB, Clock: a.Clock.Now}
		if err := s.Purge(t.Context()); err != nil || a.Count(openStmt) != 0 {
			t.Errorf("%d sign-ins are left, %v", a.Count(openStmt), err)
		}

		m = begun(t, a, "ann@example.org")
		a.Exec(emailSuspendStmt, a.As("ann").ID(), a.Clock.Now())
		refused(m, "suspended")
	}, apptest.StartAt(begin))
}

// TestRepeatedStartSendsSameMail checks that a mail that arrives late still works, and that
// a repetition by another client changes nothing.
func TestRepeatedStartSendsSameMail(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		m := begun(t, a, "ann@example.org")
		a.Clock.Advance(4 * time.Minute)
		begun(t, a, "ann@example.org") // a stranger
		a.Clock.Advance(time.Second)   // mails are in the order of their times
		again := emailStart(browser(a, m.challenge), "ANN@example.org").Want(http.StatusOK)
		if repeated := read(t, a, m.email, again); repeated.code != m.code || repeated.challenge != m.challenge || repeated.link != m.link ||
			repeated.number != m.number {
			t.Errorf("%+v changed to %+v", m, repeated)
		}
		if got := again.Get("expires_in_seconds"); got != 359.0 {
			t.Errorf("expires in %v s", got)
		}
		if bob := emailStart(browser(a, m.challenge), "bob@example.org").Want(http.StatusOK); bob.Text("challenge") == m.challenge {
			t.Error("another address has the same challenge")
		}
		a.Clock.Advance(2 * time.Minute)
		fresh := read(t, a, m.email, emailStart(browser(a, m.challenge), m.email).Want(http.StatusOK))
		if fresh.challenge == m.challenge {
			t.Error("after five minutes the challenge is the same")
		}
		fresh.verify(a.Anonymous()).Want(http.StatusOK)
		planted := strings.Repeat("A", 43)
		if r := emailStart(browser(a, "es_"+planted), m.email).Want(http.StatusOK); strings.Contains(r.Text("challenge"), planted) {
			t.Error("the client chose the challenge")
		}
	}, apptest.StartAt(begin))
}

// TestConcurrentFinishesHaveOneSession uses the code, the link and the confirmed status of
// one sign-in at the same moment, on all instances.
func TestConcurrentFinishesHaveOneSession(t *testing.T) {
	t.Parallel()
	const instances = 3
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		m := begun(t, a, "ann@example.org")
		m.confirm(a.Anonymous(), m.number).Want(http.StatusOK)
		replies := apptest.Replies(30, func(i int) *apptest.Reply {
			switch i % 3 {
			case 0:
				return m.verify(a.Anonymous().On(i))
			case 1:
				return m.confirm(browser(a, m.challenge).On(i), "")
			}
			return emailStatus(a.Anonymous().On(i), m.challenge)
		})
		sessions := 0
		for _, r := range replies {
			if strings.Contains(strings.Join(r.Header.Values("Set-Cookie"), "\n"), apptest.RefreshCookie+"=rt_") {
				sessions++
			}
		}
		if n := a.Count(emailSessionsStmt); sessions != 1 || n != 1 {
			t.Errorf("%d clients have a session, %d sessions exist", sessions, n)
		}
		m = begun(t, a, "bob@example.org")
		for _, r := range apptest.Replies(60, func(i int) *apptest.Reply {
			return emailVerify(a.Anonymous().On(i), m.email, other(m.code, i), m.challenge)
		}) {
			r.WantError(http.StatusUnauthorized, "unauthorized")
		}
		m.verify(a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
	}, apptest.Instances(instances))
}

// TestDisabledWithoutMail checks that a service that sends no mail has no such operation.
func TestDisabledWithoutMail(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("APP_ENV", "staging"))
	emailStart(a.Anonymous(), "ann@example.org").WantError(http.StatusNotFound, "not_found")
	emailVerify(a.Anonymous(), "ann@example.org", "123456", "").WantError(http.StatusNotFound, "not_found")
	emailStatus(a.Anonymous(), "").WantError(http.StatusNotFound, "not_found")
	a.Anonymous().Get(pagePath + "?c=x").Want(http.StatusNotFound)
	if !strings.Contains(a.Log(), "sign-in by e-mail is disabled: set SMTP_URL") {
		t.Errorf("the log does not say so: %s", a.Log())
	}
}
