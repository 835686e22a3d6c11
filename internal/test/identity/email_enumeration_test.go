package identity_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
)

// statements records the statements of each request, which decide about its time.
type statements struct {
	mu  sync.Mutex
	ran map[string][]string
}

func (s *statements) record(ctx context.Context, stmt *db.Stmt) {
	if id := httpapi.ResponseHeader(ctx).Get("X-Request-Id"); id != "" {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ran[id] = append(s.ran[id], stmt.Name())
	}
}

// TestSignInByEmailDoesNotRevealAccounts checks that requests for a user with an account, one
// without and one who is suspended get equal responses, after the same statements.
func TestSignInByEmailDoesNotRevealAccounts(t *testing.T) {
	ran := &statements{ran: map[string][]string{}}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		a.As("known")
		a.Exec(emailSuspendStmt, a.As("suspended").ID(), a.Clock.Now())
		in := a.SignIn("somebody@example.org")
		a.Clock.Advance(24 * time.Hour) // all quotas are full again
		var want map[string]string
		for i, name := range []string{"known", "unknown", "suspended"} {
			email := apptest.Email(name)
			c := a.Anonymous().With("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i+1))
			got, requests := map[string]string{}, 0
			call := func(what string, c *apptest.Client, path string, body apptest.Fields) *apptest.Reply {
				requests++
				id := fmt.Sprint(a.Engine(), name, requests)
				r := c.With("X-Request-Id", id).Post(path, body)
				ran.mu.Lock()
				defer ran.mu.Unlock()
				got[what] = emailResponse(r) + strings.Join(ran.ran[id], " ")
				return r
			}
			challenge := call("start", c, "/auth/email/start", apptest.Fields{"email": email}).Text("challenge")
			call("start again", c, "/auth/email/start", apptest.Fields{"email": email, "challenge": challenge})
			call("start with a session", c.With("Authorization", "Bearer "+in.AccessToken), "/auth/email/start", apptest.Fields{"email": email})
			call("wrong code", c, "/auth/email/verify", apptest.Fields{"email": email, "code": "000000", "challenge": challenge})
			call("wrong challenge", c, "/auth/email/verify", apptest.Fields{"email": email, "code": "000000",
				"challenge": "es_" + strings.Repeat("A", 43)})
			call("status", c, "/auth/email/status", apptest.Fields{"challenge": challenge})
			if want == nil {
				want = got
			}
			for what := range want {
				if got[what] != want[what] {
					t.Errorf("%s, %s:\n%s\nknown:\n%s", what, name, got[what], want[what])
				}
			}
		}
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"), apptest.StartAt(begin),
		apptest.OnStatement(ran.record))
}

var random = regexp.MustCompile(`es_[A-Za-z0-9_-]{43}|"number":"\d\d"`)

// emailResponse returns all that the client receives, except the date and random values.
func emailResponse(r *apptest.Reply) string {
	r.Header.Del("Date")
	r.Header.Del("X-Request-Id")
	var text bytes.Buffer
	fmt.Fprintln(&text, r.Status)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		fmt.Fprintln(&text, name, r.Header[name])
	}
	text.Write(r.Body)
	return random.ReplaceAllString(text.String(), "RANDOM") + "\n"
}
