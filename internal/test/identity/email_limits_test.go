package identity_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func limited(limits string) []apptest.Option {
	return []apptest.Option{apptest.Setting("RATE_LIMITS", limits), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"), apptest.StartAt(begin)}
}

// TestLockedAddressAllowsKnownClients lets strangers use up the limits of an address: a
// client that has signed in with it has its own, another signed-in client has not.
func TestLockedAddressAllowsKnownClients(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.SignIn("ann@example.org"), a.SignIn("bob@example.org")
		for i := range 5 {
			emailStart(at(a, fmt.Sprintf("192.0.2.%d", i)), "ann@example.org").Want(http.StatusOK)
		}
		refused := func(c *apptest.Client) {
			t.Helper()
			if r := emailStart(c, "ann@example.org"); r.Header.Get("Retry-After") != "120" {
				t.Errorf("Retry-After %s", r.Header.Get("Retry-After"))
			} else {
				r.WantError(http.StatusTooManyRequests, "rate_limited")
			}
		}
		refused(a.Anonymous())
		refused(bob)
		refused(a.WithBearer("at_unknown"))
		emailStart(ann, "ann@example.org").Want(http.StatusOK)
		emailStart(a.WithCookie(ann.RefreshToken), "ann@example.org").Want(http.StatusOK)
		a.Clock.Advance(2 * time.Minute)
		emailStart(a.Anonymous(), "ann@example.org").Want(http.StatusOK)
	}, limited("on")...)
}

// TestStartsAreLimited checks each limit of starts.
func TestStartsAreLimited(t *testing.T) {
	a := apptest.New(t, db.SQLite,
		limited("email_start_per_address=2/1h, email_start_per_network=4/1h, email_start_per_email_day=3/24h, email_starts_per_day=200/24h")...)
	n := 0
	fresh := func() string { n++; return fmt.Sprintf("user%d@example.org", n) }
	for _, c := range []struct {
		rule    string
		address func(i int) string
		email   func() string
		allowed int
	}{
		{"per address", func(int) string { return "192.0.2.1" }, fresh, 2},
		{"per network", func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, fresh, 4},
		{"per e-mail address and day", func(i int) string { return fmt.Sprintf("203.%d.113.1", i) }, func() string { return "ann@example.org" }, 3},
		{"budget of an IPv6 /32", func(i int) string { return fmt.Sprintf("2001:db8:%x::1", i) }, fresh, 40},
	} {
		for i := range c.allowed {
			if r := emailStart(at(a, c.address(i)), c.email()); r.Status != http.StatusOK {
				t.Fatalf("%s: only %d: %s", c.rule, i, r.Body)
			}
		}
		emailStart(at(a, c.address(c.allowed)), c.email()).WantError(http.StatusTooManyRequests, "rate_limited")
	}
}

// TestSuffixesAreOneMailbox starts for suffixes of one mailbox, which have accounts of their own.
func TestSuffixesAreOneMailbox(t *testing.T) {
	a := apptest.New(t, db.SQLite, limited("email_start_per_address=2000/1h")...)
	if a.SignIn("ann@example.org").UserID == a.SignIn("ann+x@example.org").UserID {
		t.Error("a suffix has the account of another address")
	}
	for i, suffix := range []string{"", "+a", "+b", "+a+b", "+"} {
		emailStart(at(a, fmt.Sprintf("192.0.2.%d", i)), "ann"+suffix+"@example.org").Want(http.StatusOK)
	}
	emailStart(a.Anonymous(), "ann+c@example.org").WantError(http.StatusTooManyRequests, "rate_limited")
	emailStart(a.Anonymous(), "anna+c@example.org").Want(http.StatusOK)
	emailStart(a.Anonymous(), "ann@example.com").Want(http.StatusOK)
}

// TestFloodLeavesMailsToKnownUsers uses up the budget of the day from many networks. Everybody
// gets the same response as before; known clients and accounts also get a mail.
func TestFloodLeavesMailsToKnownUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.SignIn("ann@example.org")
		a.SignIn("bob@example.org")
		a.Clock.Advance(24 * time.Hour)
		before := emailResponse(emailStart(at(a, "198.51.100.1"), "first@example.org").Want(http.StatusOK))
		for i := range 20 { // the half for strangers
			emailStart(at(a, fmt.Sprintf("10.%d.0.1", i)), fmt.Sprintf("flood%d@example.org", i)).Want(http.StatusOK)
		}
		a.RunJobs()
		for _, c := range []struct {
			who, email string
			client     *apptest.Client
			mail       bool
		}{
			{"a stranger", "stranger@example.org", at(a, "198.51.101.1"), false},
			{"an account", "bob@example.org", at(a, "198.51.102.1"), true},
			{"a client", "ann@example.org", ann.With("X-Forwarded-For", "198.51.103.1"), true},
			{"a client with another address", "cora@example.org", ann.With("X-Forwarded-For", "198.51.104.1"), false},
		} {
			mails := a.Count(mailsStmt)
			if got := emailResponse(emailStart(c.client, c.email)); got != before {
				t.Errorf("%s:\n%s\nbefore the flood:\n%s", c.who, got, before)
			}
			a.RunJobs()
			if got := a.Count(mailsStmt) > mails; got != c.mail {
				t.Errorf("%s: mail %t", c.who, got)
			}
		}
		for i := range 40 { // strangers also use up the other half
			email := fmt.Sprintf("known%d@example.org", i%20)
			if i < 20 {
				a.SignIn(email)
			}
			emailStart(at(a, fmt.Sprintf("10.%d.1.1", i)), email).Want(http.StatusOK)
		}
		a.RunJobs()
		if n := a.Count(mailsStmt); n != 40 {
			t.Errorf("%d mails of a budget of 40", n)
		}
	}, limited("email_starts_per_day=40/24h, dev_start_per_address=1000/1h")...)
}

func TestTriesAreLimited(t *testing.T) {
	a := apptest.New(t, db.SQLite,
		limited("email_verify_per_address=2/10m, email_confirms_per_address=2/10m, email_status_per_sign_in=2/1m")...)
	m := begun(t, a, "ann@example.org")
	for name, call := range map[string]func(c *apptest.Client) *apptest.Reply{
		"verify":  func(c *apptest.Client) *apptest.Reply { return emailVerify(c, m.email, other(m.code, 0), m.challenge) },
		"confirm": func(c *apptest.Client) *apptest.Reply { c.Form(pagePath, nil); return c.Form(pagePath, nil) },
		"status":  func(c *apptest.Client) *apptest.Reply { return emailStatus(c, m.challenge) },
	} {
		for i := range 3 {
			if r := call(at(a, "192.0.2.7")); (r.Status == http.StatusTooManyRequests) != (i == 2 || name == "confirm" && i == 1) {
				t.Errorf("%s %d: %d", name, i, r.Status)
			}
		}
	}
}
