package session_test

import (
	"cmp"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

func TestRefresh(t *testing.T) {
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		a.Clock.Advance(time.Hour)
		next := refresh(a.Anonymous(), ann.RefreshToken).Want(http.StatusOK)
		if next.Text("access_token_expires_at") != "2026-11-20T11:15:00Z" || next.Text("expires_at") != "2026-12-20T11:00:00Z" ||
			next.Text("token_type") != "Bearer" || next.Text("session_id") == "" {
			t.Errorf("refreshed: %s", next.Body)
		}
		wantCookie := cookieName + "=" + next.Text("refresh_token") + "; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax"
		if got := next.Header.Get("Set-Cookie"); got != wantCookie {
			t.Errorf("Set-Cookie %q", got)
		}
		wantEverywhere(t, ann, http.StatusUnauthorized)
		wantEverywhere(t, withCookie(a, ann.RefreshToken), http.StatusUnauthorized)
		wantEverywhere(t, bearer(a, next.Text("access_token")), http.StatusOK)
		wantEverywhere(t, withCookie(a, next.Text("refresh_token")), http.StatusOK)
	}, apptest.Instances(instances), apptest.StartAt(begin))
}

func TestExpiry(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		a.Clock.Advance(14 * time.Minute)
		ann.Get("/me").Want(http.StatusOK)
		a.Clock.Advance(2 * time.Minute)
		ann.Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		token := ann.RefreshToken
		for day := 29; day < 180; day += 29 { // sliding
			a.Clock.Advance(29 * 24 * time.Hour)
			token = refresh(a.Anonymous(), token).Want(http.StatusOK).Text("refresh_token")
		}
		a.Clock.Advance(6 * 24 * time.Hour) // 180 days and 16 minutes: absolute
		refresh(a.Anonymous(), token).WantError(http.StatusUnauthorized, "unauthorized")

		bob := a.As("bob")
		a.Clock.Advance(31 * 24 * time.Hour)
		refresh(a.Anonymous(), bob.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		if n := number(t, a.DB, revokedStmt, userID(t, bob)); n != 0 {
			t.Error("an expired token revoked its session")
		}
	})
}

// Exactly one of two wins, a thousand times, and the loser does no harm.
func TestThousandRaces(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		token := a.As("ann").RefreshToken
		for round := range 1000 {
			replies := parallel(2, func(i int) *apptest.Reply {
				return refresh(a.Anonymous().On((round+i)%instances), token)
			})
			good := successes(t, replies)
			if len(good) != 1 {
				t.Fatalf("round %d: %d successors", round, len(good))
			}
			token = good[0].Text("refresh_token")
		}
		wantEverywhere(t, withCookie(a, token), http.StatusOK)
	}, apptest.Instances(instances), apptest.Setting("REFRESH_RACE_WINDOW", "1m"))
}

// crowdedRounds is how often a crowd of fifty races; `make check` sets a thousand.
func crowdedRounds(t *testing.T) int {
	rounds, err := strconv.Atoi(cmp.Or(os.Getenv("CROWDED_ROUNDS"), "10"))
	if err != nil || rounds < 1 {
		t.Fatalf("CROWDED_ROUNDS must be a number from 1 on")
	}
	return rounds
}

func TestCrowdedRaces(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		token := ann.RefreshToken
		rounds := crowdedRounds(t)
		for round := range rounds {
			good := successes(t, parallel(50, func(i int) *apptest.Reply {
				return refresh(a.Anonymous().On(i%instances), token)
			}))
			if len(good) != 1 {
				t.Fatalf("round %d: %d successors", round, len(good))
			}
			old := token
			token = good[0].Text("refresh_token")
			wantEverywhere(t, bearer(a, good[0].Text("access_token")), http.StatusOK)
			if round < rounds-1 {
				continue
			}
			a.Clock.Advance(2 * time.Minute) // a replay later on is theft
			refresh(a.Anonymous(), old).WantError(http.StatusUnauthorized, "unauthorized")
			wantEverywhere(t, withCookie(a, token), http.StatusUnauthorized)
			wantEverywhere(t, bearer(a, good[0].Text("access_token")), http.StatusUnauthorized)
		}
	}, apptest.Instances(instances), apptest.Setting("REFRESH_RACE_WINDOW", "1m"))
}

func TestReuse(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		other := a.SignIn("ann@example.org") // another session is not concerned
		next := refresh(a.Anonymous(), ann.RefreshToken).Want(http.StatusOK)

		a.Clock.Advance(2900 * time.Millisecond) // within the window of 3 s
		refresh(a.Anonymous(), ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		bearer(a, next.Text("access_token")).Get("/me").Want(http.StatusOK)

		a.Clock.Advance(5 * time.Second)
		withCookie(a, ann.RefreshToken).Get("/me").WantError(http.StatusUnauthorized, "unauthorized") // elsewhere it only fails
		bearer(a, next.Text("access_token")).Get("/me").Want(http.StatusOK)

		refresh(a.Anonymous(), ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		bearer(a, next.Text("access_token")).Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		refresh(a.Anonymous(), next.Text("refresh_token")).WantError(http.StatusUnauthorized, "unauthorized")
		other.Get("/me").Want(http.StatusOK)
	}, apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

func TestNoRaceWindow(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("REFRESH_RACE_WINDOW", "0s"))
	ann := a.As("ann")
	next := refresh(a.Anonymous(), ann.RefreshToken).Want(http.StatusOK)
	refresh(a.Anonymous(), ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
	refresh(a.Anonymous(), next.Text("refresh_token")).WantError(http.StatusUnauthorized, "unauthorized")
}

func TestWhereTheTokenIsSent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		refused := func(r *apptest.Reply, status int, code string) {
			t.Helper()
			if r.WantError(status, code); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("a refusal sets a cookie: it would log out the tab that won")
			}
		}
		refused(a.Anonymous().Post("/auth/refresh", nil), 401, "unauthorized")
		refused(a.Anonymous().Post("/auth/refresh", `{}`), 401, "unauthorized")
		refused(a.Anonymous().Post("/auth/refresh", `{"refresh_token":null}`), 401, "unauthorized")
		refused(a.Anonymous().Post("/auth/refresh", `{"refresh_token":1}`), 400, "invalid_request")
		refused(a.Anonymous().Post("/auth/refresh", `{"refresh_token":"`+strings.Repeat("x", 513)+`"}`), 400, "invalid_request")

		cookie := func() *apptest.Client { return withCookie(a, a.SignIn("ann@example.org").RefreshToken) }
		cookie().Post("/auth/refresh", nil).Want(http.StatusOK)
		cookie().Post("/auth/refresh", `{}`).Want(http.StatusOK)
		cookie().Post("/auth/refresh", `{"refresh_token":null}`).Want(http.StatusOK)
		cookie().With("Origin", apptest.WebOrigin).Post("/auth/refresh", nil).Want(http.StatusOK)
		refused(cookie().Post("/auth/refresh", `{"refresh_token":""}`), 401, "unauthorized") // the body wins
		refused(cookie().With("Origin", "https://evil.example").Post("/auth/refresh", nil), 403, "forbidden")

		// two cookies that disagree: somebody may have planted one
		ann, planted := a.SignIn("ann@example.org"), a.SignIn("mallory@example.org")
		both := a.Anonymous().With("Cookie", cookieName+"="+planted.RefreshToken+"; "+cookieName+"="+ann.RefreshToken)
		refused(both.Post("/auth/refresh", nil), 401, "unauthorized")
		refused(both.Post("/auth/logout", nil), 401, "unauthorized")
		refused(both.Get("/me"), 401, "unauthorized")
		ann.Get("/me").Want(http.StatusOK)
		cat := a.SignIn("cat@example.org")
		for _, header := range []string{"Bearer " + cat.AccessToken, "Bearer at_unknown", "Basic Y2F0OmNhdA==", ""} {
			both := withCookie(a, cat.RefreshToken).Header("Authorization", header)
			refused(both.Post("/auth/refresh", nil), 401, "unauthorized") // the header alone counts
			refused(both.Post("/auth/refresh", `{}`), 401, "unauthorized")
		}
		wantEverywhere(t, withCookie(a, cat.RefreshToken), http.StatusOK)
		refresh(withCookie(a, "rt_other").With("Authorization", "Bearer at_unknown"), cat.RefreshToken).Want(http.StatusOK)

		bob := a.SignIn("bob@example.org")
		next := refresh(cookie(), bob.RefreshToken).Want(http.StatusOK) // the body wins
		if got := bearer(a, next.Text("access_token")).Get("/me").Text("user.email"); got != "bob@example.org" {
			t.Errorf("the body of bob refreshed the session of %s", got)
		}
	}, apptest.Instances(instances))
}
