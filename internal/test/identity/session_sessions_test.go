package identity_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/identity/session"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

func TestListShowsActiveSessions(t *testing.T) {
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		phone := a.As("ann").With("User-Agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)")
		code := sessionStart(a, "ann@example.org").Text("dev_code")
		in := sessionVerify(phone.With("Authorization", ""), "ann@example.org", code).Want(http.StatusOK)
		a.Clock.Advance(time.Second)
		laptop := a.SignIn("ann@example.org")
		a.SignIn("bob@example.org")

		list := a.WithBearer(in.Text("access_token")).Get("/auth/sessions").Want(http.StatusOK)
		if list.Len("items") != 3 || list.Get("next_cursor") != nil {
			t.Fatalf("sessions: %s", list.Body)
		}
		want := `{"session_id":"` + in.Text("session_id") + `","is_current":true,"auth_method":"dev_email",` +
			`"user_agent":"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)","device_name":"iPhone","ip":"127.0.0.0",` +
			`"created_at":"2026-11-20T10:00:00Z","last_used_at":"2026-11-20T10:00:00Z","expires_at":"2026-12-20T10:00:00Z"}`
		if !strings.HasPrefix(string(list.Body), `{"items":[`+want+`,`) {
			t.Errorf("the current session is not first or differs: %s", list.Body)
		}
		if list.Get("items.1.is_current") != false || list.Text("items.1.created_at") != "2026-11-20T10:00:01Z" {
			t.Errorf("not sorted by last use: %s", list.Body)
		}

		laptop.Delete("/auth/sessions/" + in.Text("session_id")).Want(http.StatusNoContent)
		if list := laptop.Get("/auth/sessions"); list.Len("items") != 2 {
			t.Errorf("a revoked session is listed: %s", list.Body)
		}
		a.Clock.Advance(31 * 24 * time.Hour)
		fresh := a.SignIn("ann@example.org")
		if list := fresh.Get("/auth/sessions"); list.Len("items") != 1 {
			t.Errorf("expired sessions are listed: %s", list.Body)
		}
		a.Anonymous().Get("/auth/sessions").WantError(http.StatusUnauthorized, "unauthorized")
	}, apptest.StartAt(begin))
}

func sessionID(c *apptest.Client) string { return c.Get("/auth/sessions").Text("items.0.session_id") }

func TestRevokeEndsOwnSessionOnly(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		phone, laptop, bob := a.SignIn("ann@example.org"), a.SignIn("ann@example.org"), a.SignIn("bob@example.org")
		bob.Delete("/auth/sessions/" + sessionID(phone)).Want(http.StatusNoContent)
		wantEverywhere(t, phone, http.StatusOK)
		bob.Delete("/auth/sessions/01890000-0000-7000-8000-000000000000").Want(http.StatusNoContent)
		bob.Delete("/auth/sessions/nonsense").WantError(http.StatusNotFound, "not_found")
		a.Anonymous().Delete("/auth/sessions/"+sessionID(phone)).WantError(http.StatusUnauthorized, "unauthorized")

		laptop.On(1).Delete("/auth/sessions/" + sessionID(phone)).Want(http.StatusNoContent)
		wantEverywhere(t, phone, http.StatusUnauthorized)
		wantEverywhere(t, a.WithCookie(phone.RefreshToken), http.StatusUnauthorized)
		a.Anonymous().On(2).Refresh(phone.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		wantEverywhere(t, laptop, http.StatusOK)
		laptop.Delete("/auth/sessions/" + sessionID(laptop)).Want(http.StatusNoContent) // the current one too
		wantEverywhere(t, laptop, http.StatusUnauthorized)
	}, apptest.Instances(instances))
}

func TestRevokeOthersKeepsCurrentSession(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		bob := a.SignIn("bob@example.org")
		var mine []*apptest.Client
		for range 4 {
			mine = append(mine, a.SignIn("ann@example.org"))
		}
		mine[0].On(1).Post("/auth/sessions/revoke-others", nil).Want(http.StatusNoContent)
		wantEverywhere(t, mine[0], http.StatusOK)
		wantEverywhere(t, bob, http.StatusOK)
		for _, other := range mine[1:] {
			wantEverywhere(t, other, http.StatusUnauthorized)
			a.Anonymous().Refresh(other.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		}
		a.WithCookie(mine[0].RefreshToken).Post("/auth/sessions/revoke-others", nil).Want(http.StatusNoContent)
		a.Anonymous().Post("/auth/sessions/revoke-others", nil).WantError(http.StatusUnauthorized, "unauthorized")
	}, apptest.Instances(instances))
}

func TestLogoutEndsSessionOfRefreshToken(t *testing.T) {
	const body, expired = "/auth/logout", apptest.RefreshCookie + "=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax"
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		tokenBody := func(token string) map[string]string { return map[string]string{"refresh_token": token} }
		done := func(r *apptest.Reply) {
			t.Helper()
			if r.Want(http.StatusNoContent); r.Header.Get("Set-Cookie") != expired {
				t.Errorf("Set-Cookie %q", r.Header.Get("Set-Cookie"))
			}
		}
		ann := a.SignIn("ann@example.org")
		done(a.Anonymous().On(1).Post(body, tokenBody(ann.RefreshToken)))
		wantEverywhere(t, ann, http.StatusUnauthorized)
		done(a.Anonymous().Post(body, tokenBody(ann.RefreshToken))) // already revoked
		done(a.Anonymous().Post(body, tokenBody("rt_unknown")))
		done(a.WithCookie("nonsense").Post(body, nil))

		ann = a.SignIn("ann@example.org")
		done(a.WithCookie(ann.RefreshToken).Post(body, nil))
		wantEverywhere(t, ann, http.StatusUnauthorized)

		ann = a.SignIn("ann@example.org")
		next := a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
		done(a.Anonymous().Post(body, tokenBody(ann.RefreshToken))) // by a rotated token
		wantEverywhere(t, a.WithBearer(next.Text("access_token")), http.StatusUnauthorized)

		ann = a.SignIn("ann@example.org")
		done(a.WithBearer("at_expired").Post(body, tokenBody(ann.RefreshToken)))
		wantEverywhere(t, ann, http.StatusUnauthorized)

		ann = a.SignIn("ann@example.org")
		bob := a.SignIn("bob@example.org")
		for _, header := range []string{"Bearer " + ann.AccessToken, "Bearer " + bob.AccessToken, "Bearer at_unknown", "Basic Y2F0OmNhdA==", ""} {
			both := a.WithCookie(bob.RefreshToken).Header("Authorization", header) // the header does not count
			both.With("Origin", "https://evil.example").Post(body, nil).WantError(http.StatusForbidden, "forbidden")
			wantEverywhere(t, bob, http.StatusOK)
			done(both.Post(body, nil))
			wantEverywhere(t, bob, http.StatusUnauthorized)
			bob = a.SignIn("bob@example.org")
		}
		wantEverywhere(t, ann, http.StatusOK)
		done(a.WithCookie(bob.RefreshToken).Post(body, tokenBody(ann.RefreshToken))) // the body wins
		wantEverywhere(t, ann, http.StatusUnauthorized)
		wantEverywhere(t, bob, http.StatusOK)
		bob.Post(body, nil).WantError(http.StatusUnauthorized, "unauthorized") // only an access token
		wantEverywhere(t, bob, http.StatusOK)

		a.Anonymous().Post(body, nil).WantError(http.StatusUnauthorized, "unauthorized")
		a.Anonymous().Post(body, `{}`).WantError(http.StatusUnauthorized, "unauthorized")
		a.WithBearer("at_unknown").Post(body, nil).WantError(http.StatusUnauthorized, "unauthorized")
		a.WithCookie(a.SignIn("ann@example.org").RefreshToken).With("Origin", "https://evil.example").
			Post(body, nil).WantError(http.StatusForbidden, "forbidden")
	}, apptest.Instances(instances))
}

func TestLastUseIsRecordedOncePerMinute(t *testing.T) {
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		a.Clock.Advance(59 * time.Second)
		ann.Get("/me").Want(http.StatusOK)
		time.Sleep(50 * time.Millisecond) // a background write would be done by now
		if got := ann.Get("/auth/sessions").Text("items.0.last_used_at"); got != "2026-11-20T10:00:00Z" {
			t.Errorf("within a minute last_used_at is %s", got)
		}
		a.Clock.Advance(2 * time.Second)
		ann.Get("/me").Want(http.StatusOK)
		const want = "2026-11-20T10:01:01Z"
		testutil.Until(t, "last_used_at "+want, func() bool {
			return ann.Get("/auth/sessions").Text("items.0.last_used_at") == want
		})
	}, apptest.StartAt(begin))
}

func TestPurgeDeletesExpiredTokensAndSessions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		sessions := &session.Service{DB: a.DB, Clock: a.Clock.Now}
		purge := func(want int) {
			t.Helper()
			if err := sessions.Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n := a.Count(sessionRowsStmt); n != want {
				t.Errorf("%d rows are left, want %d", n, want)
			}
		}
		ann := a.As("ann")
		a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
		purge(2)
		a.Clock.Advance(30*24*time.Hour + time.Minute)
		purge(1) // the rotated token is gone
		a.Clock.Advance(30 * 24 * time.Hour)
		purge(0) // the session is gone
	})
}

func TestDeviceName(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15": "iPhone",
		"Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)":                               "iPad",
		"Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130.0 Mobile Safari/537.36":  "Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/130.0":                       "Chromebook",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/132.0":                     "Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15":             "Mac",
		"Moothall/1 CFNetwork/1568.200.51 Darwin/24.1.0":                              "Apple device",
		"Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101":                    "Linux",
		"curl/8.5.0": "",
	} {
		got := session.DeviceName(&agent)
		if want == "" && got != nil || want != "" && (got == nil || *got != want) {
			t.Errorf("%s: %v, want %q", agent, got, want)
		}
	}
	if session.DeviceName(nil) != nil {
		t.Error("a missing user agent has a device")
	}
}

func TestLogHasNoTokensOrAddresses(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann").With("X-Forwarded-For", "203.0.113.77")
		ann.Get("/me?access_token=" + ann.AccessToken).Want(http.StatusOK)
		next := a.Anonymous().Refresh(ann.RefreshToken).Want(http.StatusOK)
		a.Anonymous().Refresh(ann.RefreshToken)
		ann.Get("/me")
		a.WithCookie(next.Text("refresh_token")).Get("/auth/sessions")
		a.Anonymous().Post("/auth/logout", map[string]string{"refresh_token": next.Text("refresh_token")})
		log := a.Log()
		for _, canary := range []string{
			ann.AccessToken, ann.RefreshToken, next.Text("access_token"), next.Text("refresh_token"), "mail ann@example.org", "from 203.0.113",
		} {
			if strings.Contains(log, canary[5:]) {
				t.Errorf("the log contains %s", canary)
			}
		}
		if !strings.Contains(log, "refreshSession") {
			t.Error("nothing was logged at all")
		}
	}, apptest.Setting("TRUSTED_PROXIES", "127.0.0.0/8"))
}

func TestSuspendedUserCannotUseOrStartSessions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		a.Exec(sessionSuspendStmt, ann.ID(), a.Clock.Now())
		ann.Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		a.WithCookie(ann.RefreshToken).Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		a.Anonymous().Refresh(ann.RefreshToken).WantError(http.StatusUnauthorized, "unauthorized")
		code := sessionStart(a, "ann@example.org").Text("dev_code")
		sessionVerify(a.Anonymous(), "ann@example.org", code).WantError(http.StatusUnauthorized, "unauthorized")
		if n := a.Count(sessionSessionsStmt, ann.ID()); n != 1 {
			t.Errorf("%d sessions", n)
		}
		a.Exec(sessionSuspendStmt, ann.ID(), nil)
		ann.Get("/me").Want(http.StatusOK)
	})
}
