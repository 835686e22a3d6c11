package identity_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestScannersOpenLinksInVain opens the link as programs do that scan mails, with and
// without the cookie: it still works.
func TestScannersOpenLinksInVain(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		m := begun(t, a, "ann@example.org")
		for range 3 {
			for _, c := range []*apptest.Client{a.Anonymous(), browser(a, m.challenge)} {
				m.open(c).Want(http.StatusOK)
				c.Do(http.MethodHead, pagePath+"?c="+m.link, nil).Want(http.StatusOK)
				c.Get(pagePath + "?c=" + m.link + "&number=" + m.number).Want(http.StatusOK)
			}
		}
		if got := emailStatus(a.Anonymous(), m.challenge).Text("status"); got != "pending" {
			t.Errorf("status %s", got)
		}
		if n := a.Count(emailSessionsStmt); n != 0 {
			t.Errorf("%d sessions", n)
		}
		m.confirm(browser(a, m.challenge), "").Want(http.StatusSeeOther)
	})
}

func TestLinkSignsInTheBrowserThatStarted(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for returnTo, want := range map[string]string{
			"/events?city=Berlin": "/events?city=Berlin", "": "/profile", "https://evil.example": "/profile", "//evil.example": "/profile",
			"/auth/logout": "/profile",
		} {
			started := a.Anonymous().Post("/auth/email/start", apptest.Fields{"email": "ann@example.org", "return_to": returnTo}).Want(http.StatusOK)
			m := read(t, a, "ann@example.org", started)
			page := m.open(browser(a, m.challenge)).Want(http.StatusOK)
			if text := string(page.Body); strings.Contains(text, `name="number"`) || !strings.Contains(text, `value="`+m.link+`"`) ||
				strings.Contains(text, "<script") {
				t.Errorf("page %s", text)
			}
			r := m.confirm(browser(a, m.challenge), "").Want(http.StatusSeeOther)
			if got := r.Header.Get("Location"); got != apptest.WebOrigin+want {
				t.Errorf("%q leads to %s", returnTo, got)
			}
			token := apptest.RefreshTokenOf(r)
			a.WithCookie(token).Get("/me").Want(http.StatusOK)
			for _, c := range []*apptest.Client{browser(a, m.challenge), a.Anonymous()} {
				m.open(c).Want(http.StatusGone)
				m.confirm(c, m.number).Want(http.StatusGone)
			}
		}
	})
}

// TestLinkElsewhereAsksForTheNumber opens the link on another device: the session goes to
// the client that started, never to that device.
func TestLinkElsewhereAsksForTheNumber(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		started := emailStart(a.Anonymous().With("User-Agent", "Mozilla/5.0 (Windows NT 10.0)"), "ann@example.org").Want(http.StatusOK)
		m := read(t, a, "ann@example.org", started)
		if text := a.Mail(m.email); strings.Contains(strings.NewReplacer(m.code, "", m.link, "", m.email, "", "10 minutes",
			"").Replace(text.Text+text.Subject), m.number) {
			t.Errorf("the mail contains the number %s: %s", m.number, text.Text)
		}
		elsewhere := a.Anonymous().With("Accept-Language", "de")
		page := string(m.open(elsewhere).Want(http.StatusOK).Body)
		if !strings.Contains(page, `name="number"`) || !strings.Contains(page, "Windows") || !strings.Contains(page, `lang="de"`) ||
			strings.Contains(page, m.email) {
			t.Errorf("page %s", page)
		}
		for range 2 { // the user may press the button twice
			if r := m.confirm(elsewhere, m.number).Want(http.StatusOK); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("the other device got %s", r.Header.Get("Set-Cookie"))
			}
		}
		stranger := begun(t, a, "bob@example.org")
		if got := emailStatus(a.Anonymous(), stranger.challenge).Text("status"); got != "pending" {
			t.Errorf("a stranger's status is %s", got)
		}
		in := emailStatus(a.Anonymous(), m.challenge).Want(http.StatusOK)
		if in.Text("status") != "verified" || in.Text("current_user.user.email") != m.email {
			t.Errorf("%s", in.Body)
		}
		a.WithBearer(in.Text("access_token")).Get("/me").Want(http.StatusOK)
		emailStatus(a.Anonymous(), m.challenge).WantError(http.StatusUnauthorized, "unauthorized")
	})
}

// TestVictimOfForwardedLinkLetsNobodyIn lets an attacker start a sign-in with the victim's
// address. The victim opens the link and presses the button without the number, or with a
// guessed one: the attacker gets nothing, and there is no second guess.
func TestVictimOfForwardedLinkLetsNobodyIn(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for name, number := range map[string]func(right string) string{
			"none":    func(string) string { return "" },
			"guessed": func(right string) string { return other(right, 0) },
			"spaces":  func(right string) string { return right + " " },
		} {
			attack := begun(t, a, "victim@example.org")
			victim := browser(a, begun(t, a, "victim@example.org").challenge) // has a sign-in of their own
			attack.open(victim).Want(http.StatusOK)
			if r := attack.confirm(victim, number(attack.number)).Want(http.StatusForbidden); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: a cookie was set", name)
			}
			attack.confirm(victim, attack.number).Want(http.StatusGone)
			emailStatus(a.Anonymous(), attack.challenge).WantError(http.StatusUnauthorized, "unauthorized")
			attack.verify(a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
		}
		if !strings.Contains(a.Log(), `"event":"sign_in_failed"`) {
			t.Error("the security log has no failure")
		}
	})
}

// TestLinkWithTwoHosts lets the web client and the API have different hosts: the link opens
// the host of the API, which has the cookie, and the browser returns to the web client.
func TestLinkWithTwoHosts(t *testing.T) {
	const baseURL = "https://api.moothall.test/v1"
	a := apptest.New(t, db.SQLite, apptest.Setting("PUBLIC_BASE_URL", baseURL))
	started := emailStart(a.Anonymous(), "ann@example.org").Want(http.StatusOK)
	text := a.Mail("ann@example.org").Text
	_, link, found := strings.Cut(text, baseURL+pagePath+"?c=")
	if !found {
		t.Fatalf("the mail has no link to the API: %s", text)
	}
	link, _, _ = strings.Cut(link, "\n")
	m := attempt{link: link, challenge: started.Text("challenge")}
	if got := m.confirm(browser(a, m.challenge), "").Want(http.StatusSeeOther).Header.Get("Location"); got != apptest.WebOrigin+"/profile" {
		t.Errorf("the link leads to %s", got)
	}
}

// TestForeignPagesCannotUseTheChallenge sends the cookie of a browser that started from pages of other origins.
func TestForeignPagesCannotUseTheChallenge(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	m := begun(t, a, "ann@example.org")
	for path, body := range map[string]apptest.Fields{
		"/auth/email/start":  {"email": m.email},
		"/auth/email/verify": {"email": m.email, "code": m.code},
		"/auth/email/status": {},
	} {
		for header, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
			browser(a, m.challenge).With(header, value).Post(path, body).WantError(http.StatusForbidden, "forbidden")
		}
	}
	browser(a, m.challenge).With("Origin", apptest.WebOrigin).Post("/auth/email/status", apptest.Fields{}).Want(http.StatusOK)
	a.Anonymous().With("Origin", "https://evil.example").Post("/auth/email/status",
		apptest.Fields{"challenge": m.challenge}).Want(http.StatusOK)
	browser(a, m.challenge).With("Sec-Fetch-Site", "same-origin").Post("/auth/email/verify",
		apptest.Fields{"email": m.email, "code": m.code}).Want(http.StatusOK)
}

func TestLinkPageIsProtected(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	m := begun(t, a, "ann@example.org")
	page := m.open(a.Anonymous()).Want(http.StatusOK)
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self' " + apptest.WebOrigin +
			"; frame-ancestors 'none'",
		"Cache-Control":   "private, no-store",
		"Referrer-Policy": "no-referrer",
		"Content-Type":    "text/html; charset=utf-8",
	} {
		if got := page.Header.Get(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
	foreign := browser(a, m.challenge).With("Content-Type", "application/x-www-form-urlencoded")
	for _, c := range []*apptest.Client{foreign.With("Sec-Fetch-Site", "cross-site"), foreign.With("Sec-Fetch-Site", "same-site"),
		foreign.With("Origin", "https://evil.example")} {
		c.Post(pagePath, url.Values{"c": {m.link}}.Encode()).Want(http.StatusForbidden)
	}
	for _, token := range []string{"", "x", "el_", m.challenge, "el_" + strings.Repeat("A", 43), m.link + "A", "<script>", "%00",
		strings.Repeat("e", 3000)} {
		if r := a.Anonymous().Get(pagePath + "?c=" + url.QueryEscape(token)).Want(http.StatusGone); strings.Contains(string(r.Body), "<script>") {
			t.Errorf("%q: %s", token, r.Body)
		}
		a.Anonymous().Form(pagePath, url.Values{"c": {token}, "number": {"12"}}).Want(http.StatusGone)
	}
	foreign.With("Origin", apptest.WebOrigin).Post(pagePath, url.Values{"c": {m.link}}.Encode()).Want(http.StatusSeeOther)
	if log := a.Log(); strings.Contains(log, m.link) || strings.Contains(log, m.challenge) || strings.Contains(log, m.email) {
		t.Error("the log contains a secret")
	}
}
