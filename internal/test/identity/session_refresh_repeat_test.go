package identity_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

func refreshWithKey(c *apptest.Client, token, key string) *apptest.Reply {
	return c.With("Idempotency-Key", key).Refresh(token)
}

// TestRepeatedRefreshReturnsSamePair checks that the same old token with the same key gets
// the same pair for 60 seconds, on every instance, from body and cookie.
func TestRepeatedRefreshReturnsSamePair(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		refreshWithKey(a.Anonymous(), ann.RefreshToken, "key 1").WantError(http.StatusBadRequest, "invalid_request")
		first := refreshWithKey(a.Anonymous(), ann.RefreshToken, "key-1").Want(http.StatusOK)
		a.Clock.Advance(59 * time.Second)
		byBody := refreshWithKey(a.Anonymous().On(1), ann.RefreshToken, "key-1").Want(http.StatusOK)
		byCookie := a.WithCookie(ann.RefreshToken).On(2).With("Idempotency-Key", "key-1").Post("/auth/refresh", nil).Want(http.StatusOK)
		for _, again := range []*apptest.Reply{byBody, byCookie} {
			if string(again.Body) != string(first.Body) {
				t.Errorf("first %s, repeated %s", first.Body, again.Body)
			}
			if !strings.HasPrefix(again.Header.Get("Set-Cookie"), apptest.RefreshCookie+"="+first.Text("refresh_token")+";") {
				t.Errorf("Set-Cookie %q", again.Header.Get("Set-Cookie"))
			}
		}
		wantEverywhere(t, a.WithBearer(first.Text("access_token")), http.StatusOK)
		wantEverywhere(t, ann, http.StatusUnauthorized)
		other := refreshWithKey(a.Anonymous(), bob.RefreshToken, "key-1").Want(http.StatusOK)
		if other.Text("refresh_token") == first.Text("refresh_token") || other.Text("access_token") == first.Text("access_token") {
			t.Error("two sessions got the same tokens")
		}
		next := refreshWithKey(a.Anonymous(), first.Text("refresh_token"), "key-1").Want(http.StatusOK) // the key may be used again
		if next.Text("refresh_token") == first.Text("refresh_token") {
			t.Error("the second refresh returned the same token")
		}
		a.WithBearer(next.Text("access_token")).Get("/me").Want(http.StatusOK)
	}, apptest.Instances(instances), apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

// TestReuseWithAnotherKeyEndsSession checks that everything but a repeat is the reuse of a
// rotated token.
func TestReuseWithAnotherKeyEndsSession(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for name, reuse := range map[string]func(old, next string){
			"no key":      func(old, _ string) { a.Anonymous().Refresh(old).WantError(401, "unauthorized") },
			"another key": func(old, _ string) { refreshWithKey(a.Anonymous(), old, "key-2").WantError(401, "unauthorized") },
			"after 60 seconds": func(old, _ string) {
				a.Clock.Advance(time.Minute)
				refreshWithKey(a.Anonymous(), old, "key-1").WantError(401, "unauthorized")
			},
			"after the next refresh": func(old, next string) {
				a.Anonymous().Refresh(next).Want(http.StatusOK)
				refreshWithKey(a.Anonymous(), old, "key-1").WantError(401, "unauthorized")
			},
		} {
			ann := a.SignIn("ann@example.org")
			next := refreshWithKey(a.Anonymous(), ann.RefreshToken, "key-1").Want(http.StatusOK)
			reuse(ann.RefreshToken, next.Text("refresh_token"))
			if got := a.WithBearer(next.Text("access_token")).Get("/me").Status; got != http.StatusUnauthorized {
				t.Errorf("%s: the session is alive: %d", name, got)
			}
			refreshWithKey(a.Anonymous(), ann.RefreshToken, "key-1").WantError(401, "unauthorized") // no pair of an ended session
		}
		ann := a.SignIn("ann@example.org")
		a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
		refreshWithKey(a.Anonymous(), ann.RefreshToken, "key-1").WantError(401, "unauthorized") // the first one had no key

		bob := a.SignIn("bob@example.org")
		next := refreshWithKey(a.Anonymous(), bob.RefreshToken, "key-1").Want(http.StatusOK)
		a.Exec(sessionSuspendStmt, bob.ID(), a.Clock.Now())
		refreshWithKey(a.Anonymous(), bob.RefreshToken, "key-1").WantError(401, "unauthorized")
		if next.Text("access_token") == "" {
			t.Error("no token")
		}
	}, apptest.Setting("REFRESH_RACE_WINDOW", "0s"), apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func TestConcurrentRepeatsReturnOnePair(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		token := a.As("ann").RefreshToken
		for range testutil.Rounds(20, 500) {
			replies := apptest.Replies(8, func(i int) *apptest.Reply { return refreshWithKey(a.Anonymous().On(i), token, "key") })
			for _, r := range replies {
				if r.Want(http.StatusOK).Text("refresh_token") != replies[0].Text("refresh_token") ||
					r.Text("access_token") != replies[0].Text("access_token") {
					t.Fatalf("%s and %s", r.Body, replies[0].Body)
				}
			}
			token = replies[0].Text("refresh_token")
			wantEverywhere(t, a.WithBearer(replies[0].Text("access_token")), http.StatusOK)
		}
		if n := a.Count(revokedStmt, a.As("ann").ID()); n != 0 {
			t.Error("a repeat ended the session")
		}
	}, apptest.Instances(instances), apptest.Setting("REFRESH_RACE_WINDOW", "0s"))
}
