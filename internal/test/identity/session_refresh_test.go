package identity_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

func TestRefreshReplacesBothTokens(t *testing.T) {
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		a.Clock.Advance(time.Hour)
		next := a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
		if next.Text("access_token_expires_at") != "2026-11-20T11:15:00Z" || next.Text("expires_at") != "2026-12-20T11:00:00Z" ||
			next.Text("token_type") != "Bearer" || next.Text("session_id") == "" {
			t.Errorf("refreshed: %s", next.Body)
		}
		wantCookie := apptest.RefreshCookie + "=" + next.Text("refresh_token") + "; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax"
		if got := next.Header.Get("Set-Cookie"); got != wantCookie {
			t.Errorf("Set-Cookie %q", got)
		}
		wantEverywhere(t, ann, http.StatusUnauthorized)
		wantEverywhere(t, a.WithCookie(ann.RefreshToken), http.StatusUnauthorized)
		wantEverywhere(t, a.WithBearer(next.Text("access_token")), http.StatusOK)
		wantEverywhere(t, a.WithCookie(next.Text("refresh_token")), http.StatusOK)
	}, apptest.Instances(instances), apptest.StartAt(begin))
}

func TestTokensExpire(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		a.Clock.Advance(14 * time.Minute)
		ann.Get("/me").Want(http.StatusOK)
		a.Clock.Advance(2 * time.Minute)
		ann.Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		token := ann.RefreshToken
		for day := 29; day < 180; day += 29 { // sliding
			a.Clock.Advance(29 * 24 * time.Hour)
			token = a.Anonymous().Refresh(token).Want(http.StatusOK).Text("refresh_token")
		}
		a.Clock.Advance(6 * 24 * time.Hour) // 180 days and 16 minutes: absolute
		a.Anonymous().Refresh(token).WantError(http.StatusUnauthorized, "unauthorized")

		bob := a.As("bob")
		a.Clock.Advance(31 * 24 * time.Hour)
		a.Anonymous().Refresh(bob.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		if n := a.Count(revokedStmt, bob.ID()); n != 0 {
			t.Error("an expired token revoked its session")
		}
	})
}

// TestConcurrentRefreshesHaveOneSuccessor checks that exactly one of two concurrent
// refreshes succeeds, and that the other does not end the session.
func TestConcurrentRefreshesHaveOneSuccessor(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		token := a.As("ann").RefreshToken
		for round := range testutil.Rounds(100, 1000) {
			replies := apptest.Replies(2, func(i int) *apptest.Reply {
				return a.Anonymous().On((round + i) % instances).Refresh(token)
			})
			good := apptest.Accepted(t, replies)
			if len(good) != 1 {
				t.Fatalf("round %d: %d successors", round, len(good))
			}
			token = good[0].Text("refresh_token")
		}
		wantEverywhere(t, a.WithCookie(token), http.StatusOK)
	}, apptest.Instances(instances), apptest.Setting("REFRESH_RACE_WINDOW", "1m"))
}

func TestFiftyConcurrentRefreshesHaveOneSuccessor(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		token := ann.RefreshToken
		rounds := testutil.Rounds(10, 1000)
		for round := range rounds {
			good := apptest.Accepted(t, apptest.Replies(50, func(i int) *apptest.Reply {
				return a.Anonymous().On(i % instances).Refresh(token)
			}))
			if len(good) != 1 {
				t.Fatalf("round %d: %d successors", round, len(good))
			}
			old := token
			token = good[0].Text("refresh_token")
			wantEverywhere(t, a.WithBearer(good[0].Text("access_token")), http.StatusOK)
			if round < rounds-1 {
				continue
			}
			a.Clock.Advance(2 * time.Minute) // reuse after the race window is theft
			a.Anonymous().Refresh(old).WantError(http.StatusUnauthorized, "unauthorized")
			wantEverywhere(t, a.WithCookie(token), http.StatusUnauthorized)
			wantEverywhere(t, a.WithBearer(good[0].Text("access_token")), http.StatusUnauthorized)
		}
	}, apptest.Instances(instances), apptest.Setting("REFRESH_RACE_WINDOW", "1m"))
}

func TestReuseAfterRaceWindowEndsSession(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		other := a.SignIn("ann@example.org") // another session is not affected
		next := a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)

		a.Clock.Advance(2900 * time.Millisecond) // within the window of 3 s
		a.Anonymous().Refresh(ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		a.WithBearer(next.Text("access_token")).Get("/me").Want(http.StatusOK)

		a.Clock.Advance(5 * time.Second)
		a.WithCookie(ann.RefreshToken).Get("/me").WantError(http.StatusUnauthorized, "unauthorized") // elsewhere it only fails
		a.WithBearer(next.Text("access_token")).Get("/me").Want(http.StatusOK)

		a.Anonymous().Refresh(ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		a.WithBearer(next.Text("access_token")).Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		a.Anonymous().Refresh(next.Text("refresh_token")).WantError(http.StatusUnauthorized, "unauthorized")
		other.Get("/me").Want(http.StatusOK)
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func TestReuseWithoutRaceWindowEndsSession(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("REFRESH_RACE_WINDOW", "0s"))
	ann := a.As("ann")
	next := a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
	a.Anonymous().Refresh(ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
	a.Anonymous().Refresh(next.Text("refresh_token")).WantError(http.StatusUnauthorized, "unauthorized")
}

func TestRefreshReadsTokenFromBodyOrCookie(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		refused := func(r *apptest.Reply, status int, code string) {
			t.Helper()
			if r.WantError(status, code); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("a refusal sets a cookie, which would log out the tab that succeeded")
			}
		}
		refused(a.Anonymous().Post("/auth/refresh", nil), 401, "unauthorized")
		refused(a.Anonymous().Post("/auth/refresh", `{}`), 401, "unauthorized")
		refused(a.Anonymous().Post("/auth/refresh", `{"refresh_token":null}`), 401, "unauthorized")
		refused(a.Anonymous().Post("/auth/refresh", `{"refresh_token":1}`), 400, "invalid_request")
		refused(a.Anonymous().Post("/auth/refresh", `{"refresh_token":"`+strings.Repeat("x", 513)+`"}`), 400, "invalid_request")

		cookie := func() *apptest.Client { return a.WithCookie(a.SignIn("ann@example.org").RefreshToken) }
		cookie().Post("/auth/refresh", nil).Want(http.StatusOK)
		cookie().Post("/auth/refresh", `{}`).Want(http.StatusOK)
		cookie().Post("/auth/refresh", `{"refresh_token":null}`).Want(http.StatusOK)
		cookie().With("Origin", apptest.WebOrigin).Post("/auth/refresh", nil).Want(http.StatusOK)
		refused(cookie().Post("/auth/refresh", `{"refresh_token":""}`), 401, "unauthorized") // the body wins
		refused(cookie().With("Origin", "https://evil.example").Post("/auth/refresh", nil), 403, "forbidden")

		// two different cookies: an attacker may have planted one
		ann, planted := a.SignIn("ann@example.org"), a.SignIn("mallory@example.org")
		both := a.Anonymous().With("Cookie", apptest.RefreshCookie+"="+planted.RefreshToken+"; "+apptest.RefreshCookie+"="+ann.RefreshToken)
		refused(both.Post("/auth/refresh", nil), 401, "unauthorized")
		refused(both.Post("/auth/logout", nil), 401, "unauthorized")
		refused(both.Get("/me"), 401, "unauthorized")
		ann.Get("/me").Want(http.StatusOK)
		cat := a.SignIn("cat@example.org")
		for _, header := range []string{"Bearer " + cat.AccessToken, "Bearer at_unknown", "Basic Y2F0OmNhdA==", ""} {
			for _, body := range []any{nil, `{}`} { // the header does not count
				both := a.WithCookie(cat.RefreshToken).Header("Authorization", header)
				refused(both.With("Origin", "https://evil.example").Post("/auth/refresh", body), 403, "forbidden")
				cat.RefreshToken = both.Post("/auth/refresh", body).Want(http.StatusOK).Text("refresh_token")
			}
		}
		wantEverywhere(t, a.WithCookie(cat.RefreshToken), http.StatusOK)
		refused(cat.Post("/auth/refresh", nil), 401, "unauthorized") // only an access token
		a.WithCookie("rt_other").With("Authorization", "Bearer at_unknown").Refresh(cat.RefreshToken).Want(http.StatusOK)

		bob := a.SignIn("bob@example.org")
		next := cookie().Refresh(bob.RefreshToken).Want(http.StatusOK) // the body wins
		if got := a.WithBearer(next.Text("access_token")).Get("/me").Text("user.email"); got != "bob@example.org" {
			t.Errorf("the body of bob refreshed the session of %s", got)
		}
	}, apptest.Instances(instances))
}
