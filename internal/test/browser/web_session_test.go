package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var webCodeInMail = regexp.MustCompile(`\b\d{6}\b`)

// TestJoinWithEmail joins an event in one form: address, code, done.
func TestJoinWithEmail(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"starts_at": a.Clock.Now().Add(48 * time.Hour)})
		page, b := "/events/"+event, visitor(t, a)
		fields := url.Values{"event_id": {event}, "participation_visibility": {"incognito"}, "return_to": {page}}
		r := b.submit("joinEvent", page, fields)
		if r.StatusCode != http.StatusOK || !strings.Contains(r.Body, `name="email"`) {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		if _, card, _ := strings.Cut(r.Body, `id="join"`); !strings.Contains(card, `<dialog open`) || !strings.Contains(card, `name="name"`) ||
			!strings.Contains(r.Body, `action="/do/joinEvent#join"`) {
			t.Error("without scripts, the next step does not stand where its button was")
		}
		fields.Set("email", "new@example.org")
		fields.Set("name", "Noor")
		if r := b.submit("joinEvent", page, fields); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, `name="code"`) {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		fields.Set("code", "000000")
		if r := b.submit("verifyEmailSignIn", page, fields); r.StatusCode != http.StatusUnprocessableEntity ||
			!strings.Contains(r.Body, "wrong or has expired") {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		fields.Set("code", webCodeInMail.FindString(a.Mail("new@example.org").Text))
		if r := b.submit("verifyEmailSignIn", page, fields); r.StatusCode != http.StatusSeeOther ||
			r.Header.Get("Location") != page+"?joined=yes" {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		if r := b.open(page + "?joined=yes"); !strings.Contains(r.Body, "You are going incognito") || !strings.Contains(r.Body, "You are in") ||
			!strings.Contains(r.Body, "Noor") {
			t.Errorf("%s", r.Body)
		}
		if r := b.submit("verifyEmailSignIn", page, fields); r.StatusCode != http.StatusSeeOther {
			t.Errorf("a form that is sent again, with a code that was right: %d %s", r.StatusCode, r.Body)
		}
		if got := org.Get("/events/" + event).Want(http.StatusOK).Get("social_proof.incognito_count"); got != 1.0 {
			t.Errorf("%v incognito", got)
		}
		if r := b.submit("leaveEvent", page, fields); r.StatusCode != http.StatusSeeOther {
			t.Errorf("%d", r.StatusCode)
		}
	}, settings...)
}

// TestWrongCodeOffersNewOne enters a wrong code until it is spent, and asks for a new one on the
// same page. A refused request leaves the field for the code.
func TestWrongCodeOffersNewOne(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(settings, apptest.Setting("RATE_LIMITS", "email_start_per_address=2/1h"))...)
	b, fields := visitor(t, a), url.Values{"email": {"new@example.org"}, "return_to": {"/settings"}}
	b.submit("startEmailSignIn", "/login", fields)
	a.Mail("new@example.org") // a code that is spent before its mail is not sent
	fields.Set("code", "000000")
	for range 5 {
		r := b.submit("verifyEmailSignIn", "/login", fields)
		if !strings.Contains(r.Body, "Send a new code") || !strings.Contains(r.Body, `name="resend"`) ||
			!strings.Contains(r.Body, "No mail in two minutes?") {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
	}
	a.Clock.Advance(time.Second) // so that the next mail is the newest
	fields.Set("resend", "yes")
	if r := b.submit("startEmailSignIn", "/login", fields); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, `name="code"`) {
		t.Fatalf("%d %s", r.StatusCode, r.Body)
	}
	if r := b.submit("startEmailSignIn", "/login", fields); r.StatusCode != http.StatusUnprocessableEntity ||
		!strings.Contains(r.Body, `name="code"`) {
		t.Fatalf("%d %s", r.StatusCode, r.Body)
	}
	fields.Set("code", webCodeInMail.FindString(a.Mail("new@example.org").Text))
	if r := b.submit("verifyEmailSignIn", "/login", fields); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/settings" {
		t.Fatalf("%d %s", r.StatusCode, r.Body)
	}
}

// TestNewAccountHasZoneOfBrowser signs up and in, by e-mail and by phone: the time zone of the
// browser is that of a new account, and changes nothing later.
func TestNewAccountHasZoneOfBrowser(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	byMail := func(zone string) *webBrowser {
		b, fields := visitor(t, a), url.Values{"email": {"new@example.org"}, "timezone": {zone}}
		b.submit("startEmailSignIn", "/login", fields)
		fields.Set("code", webCodeInMail.FindString(a.Mail("new@example.org").Text))
		b.submit("verifyEmailSignIn", "/login", fields)
		return b
	}
	byPhone := func(zone string) *webBrowser {
		b := visitor(t, a)
		b.submit("startPhoneCall", "/login", url.Values{"phone": {"+79991230602"}, "timezone": {zone}})
		number := numberToCall.FindStringSubmatch(b.open("/login/call").Body)
		a.Anonymous().Form("/dev/calls", url.Values{"phone": {"+79991230602"}, "number": {number[1]}})
		b.open("/login/call")
		return b
	}
	for name, signIn := range map[string]func(zone string) *webBrowser{"mail": byMail, "phone": byPhone} {
		for _, zone := range []string{"Asia/Tokyo", "Europe/Berlin", "", "nonsense"} {
			if r := signIn(zone).open("/settings"); !strings.Contains(r.Body, `value="Asia/Tokyo"`) {
				t.Errorf("%s with zone %q: %d %s", name, zone, r.StatusCode, r.Body)
			}
			a.Clock.Advance(10 * time.Minute)
		}
	}
}

var numberToCall = regexp.MustCompile(`href="tel:(\+\d+)"`)

func TestPagesExtendTheSession(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	ann := signedIn(t, a, "ann")
	extended := func() bool {
		for _, c := range ann.open("/").Cookies() {
			if c.Name == apptest.RefreshCookie {
				return true
			}
		}
		return false
	}
	if extended() || !extended() || extended() {
		t.Error("want a key at the first page, one refresh at the second, none at the third")
	}
	ann.setCookie("refreshed", "") // the browser drops it after a day
	if r := ann.open("/", "Sec-Fetch-Dest", "empty"); len(r.Cookies()) > 0 {
		t.Error("a part of a page extends the session")
	}
}

// TestManyTabsStaySignedIn opens 50 tabs at once, each of which extends the session.
func TestManyTabsStaySignedIn(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		token := a.SignIn("ann@example.org").RefreshToken
		var mu sync.Mutex
		next := map[string]bool{}
		apptest.Concurrently(50, func(int) {
			b := visitor(t, a)
			b.setCookie(apptest.RefreshCookie, token)
			b.setCookie("session_key", "key-of-this-browser")
			r := b.open("/")
			if strings.Contains(r.Body, "Sign in") {
				t.Error("signed out")
			}
			mu.Lock()
			defer mu.Unlock()
			for _, c := range r.Cookies() {
				if c.Name == apptest.RefreshCookie && c.Value != "" {
					next[c.Value] = true
				}
			}
		})
		if len(next) != 1 {
			t.Errorf("%d different tokens", len(next))
		}
	}, settings...)
}

// TestKeyOfPagesIsSecret steals the refresh token of a browser and uses it within the minute in
// which a repeated refresh returns the same tokens: without the key of the browser, it is reuse.
func TestKeyOfPagesIsSecret(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		stolen := a.SignIn("ann@example.org").RefreshToken
		keys := map[string]bool{"web-client": true}
		var newest string
		for range 2 {
			b := visitor(t, a)
			b.setCookie(apptest.RefreshCookie, a.SignIn("bob@example.org").RefreshToken)
			for _, c := range append(b.open("/").Cookies(), b.open("/").Cookies()...) {
				if c.Name == "session_key" {
					keys[c.Value] = true
					if !c.HttpOnly || len(c.Value) < 26 {
						t.Errorf("%v", c)
					}
				}
			}
		}
		if len(keys) != 3 {
			t.Fatalf("keys %v, want one for each browser", keys)
		}
		ann := visitor(t, a)
		ann.setCookie(apptest.RefreshCookie, stolen)
		ann.open("/")
		for _, c := range ann.open("/").Cookies() {
			if c.Name == apptest.RefreshCookie {
				newest = c.Value
			}
		}
		for key := range keys {
			a.Anonymous().With("Idempotency-Key", key).Refresh(stolen).WantError(http.StatusUnauthorized, "unauthorized")
		}
		a.Anonymous().Refresh(newest).WantError(http.StatusUnauthorized, "unauthorized") // the session has ended
	}, append(settings, apptest.Setting("REFRESH_RACE_WINDOW", "0s"))...)
}

// TestEndedSessionIsForgotten checks that a browser asks once more before it is signed out:
// another tab may just have extended the session.
func TestEndedSessionIsForgotten(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b := visitor(t, a)
	b.setCookie(apptest.RefreshCookie, "rt_"+strings.Repeat("A", 43))
	b.setCookie("refreshed", "1")
	if r := b.open("/"); r.Header.Get("Refresh") == "" || r.StatusCode != http.StatusOK {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	if r := b.open("/"); r.StatusCode != http.StatusOK || !strings.Contains(r.Body, "Sign in") {
		t.Errorf("%d %s", r.StatusCode, r.Body)
	}
	if r := b.open("/"); r.Header.Get("Cache-Control") != "no-cache" {
		t.Error("the cookie is still there")
	}
}

// TestOnlyPagesEndTheSession sends an old cookie as the worker of the browser does, beside a page that has just
// extended the session: the response must not remove the new cookie, and says that it is not to be stored.
func TestOnlyPagesEndTheSession(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b := visitor(t, a)
	b.setCookie(apptest.RefreshCookie, "rt_"+strings.Repeat("A", 43))
	b.setCookie("refreshed", "1")
	for range 2 {
		if r := b.open("/offline", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"); r.StatusCode != http.StatusOK || len(r.Cookies()) > 0 ||
			r.Header.Get("Refresh") == "" {
			t.Errorf("%d %v", r.StatusCode, r.Header)
		}
	}
}

func TestSignOutClearsTheBrowser(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	ann := signedIn(t, a, "ann")
	ann.open("/")
	r := ann.submit("logout", "/", nil)
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Clear-Site-Data") != `"cache", "storage"` {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	if r := ann.open("/"); !strings.Contains(r.Body, "Sign in") {
		t.Error("still signed in")
	}
}

// TestSignInSaysWhyJoiningIsRefused joins a paid event by e-mail: the visitor is signed in, so the page wants no code again.
func TestSignInSaysWhyJoiningIsRefused(t *testing.T) {
	a, event := paidEvent(t)
	page, b := "/events/"+event, visitor(t, a)
	fields := url.Values{"event_id": {event}, "return_to": {page}, "email": {"new@example.org"}}
	b.submit("startEmailSignIn", page, fields).want(t, http.StatusOK, `name="code"`)
	fields.Set("code", webCodeInMail.FindString(a.Mail("new@example.org").Text))
	b.submit("verifyEmailSignIn", page, fields).want(t, http.StatusUnprocessableEntity, "Pay for the event first.", "Pay 12.50", "not",
		`name="code"`)
}
