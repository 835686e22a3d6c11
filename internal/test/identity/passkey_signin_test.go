package identity_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/identity/signin/passkey"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var (
	passkeySuspendStmt  = db.SQL("passkey_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	passkeySessionsStmt = db.SQL("passkey_test.sessions", `SELECT COUNT(*) FROM sessions`)
	passkeysStmt        = db.SQL("passkey_test.passkeys", `SELECT COUNT(*) FROM passkeys`)
	challengesStmt      = db.SQL("passkey_test.challenges", `SELECT COUNT(*) FROM passkey_challenges`)
	forgetStmt          = db.SQL("passkey_test.forget_email", `UPDATE users SET email = NULL, email_key = NULL WHERE id = $1`)
)

func TestSignInByPasskey(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		key, id := register(t, ann)
		in := key.signIn(t, a.Anonymous()).Want(http.StatusOK)
		if in.Text("current_user.user.id") != ann.UserID || apptest.RefreshTokenOf(in) != in.Text("refresh_token") {
			t.Errorf("%s", in.Body)
		}
		if got := a.WithBearer(in.Text("access_token")).Get("/auth/sessions").Text("items.0.auth_method"); got != "passkey" {
			t.Errorf("auth_method %s", got)
		}
		if list := ann.Get("/me/passkeys").Want(http.StatusOK); list.Text("items.0.id") != id || list.Get("items.0.last_used_at") == nil {
			t.Errorf("%s", list.Body)
		}
		begun := a.Anonymous().Post("/auth/passkey/options", apptest.Fields{"email": "ANN@example.org"}).Want(http.StatusOK)
		key.count++
		a.Anonymous().Post("/auth/passkey/verify", key.sign(t, begun)).Want(http.StatusOK)
		if begun.Text("public_key.rpId") != "moothall.test" || begun.Text("public_key.userVerification") != "required" {
			t.Errorf("options %s", begun.Body)
		}
	})
}

// TestHostileAssertions checks that each attack gets the same response, and no session.
func TestHostileAssertions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		key, _ := register(t, ann)
		bobs, _ := register(t, bob)
		for name, attack := range map[string]func(k *authenticator){
			"origin of another site":     func(k *authenticator) { k.origin = "https://evil.example" },
			"origin of a subdomain":      func(k *authenticator) { k.origin = "https://evil.moothall.test" },
			"origin without TLS":         func(k *authenticator) { k.origin = "http://moothall.test" },
			"origin with a port":         func(k *authenticator) { k.origin = apptest.WebOrigin + ":8443" },
			"frame of another site":      func(k *authenticator) { k.crossOrigin = true },
			"another relying party":      func(k *authenticator) { k.rp = "evil.example" },
			"a parent as relying party":  func(k *authenticator) { k.rp = "test" },
			"invented challenge":         func(k *authenticator) { k.challenge = strings.Repeat("A", 43) },
			"empty challenge":            func(k *authenticator) { k.challenge = " " },
			"challenge of registration":  func(k *authenticator) { k.challenge = registration(ann).Text("public_key.challenge") },
			"type of registration":       func(k *authenticator) { k.kind = "webauthn.create" },
			"user not verified":          func(k *authenticator) { k.flags = userPresent },
			"user not present":           func(k *authenticator) { k.flags = userVerified },
			"another user's handle":      func(k *authenticator) { k.handle = bobs.handle },
			"no handle":                  func(k *authenticator) { k.handle = nil },
			"another user's credential":  func(k *authenticator) { k.credential = bobs.credential },
			"another key":                func(k *authenticator) { k.key = bobs.key },
			"unknown credential":         func(k *authenticator) { k.credential = []byte("unknown") },
			"newly eligible for backups": func(k *authenticator) { k.flags |= backupEligible },
		} {
			attacker := *key
			attacker.count = 1000
			attack(&attacker)
			r := a.Anonymous().Post("/auth/passkey/verify", attacker.sign(t, options(a.Anonymous())))
			if r.WantError(http.StatusUnauthorized, "unauthorized"); r.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s: signed in", name)
			}
		}
		for name, change := range map[string]func(response apptest.Fields){
			"signature":          func(response apptest.Fields) { response["signature"] = encode([]byte("forged")) },
			"authenticator data": func(response apptest.Fields) { response["authenticatorData"] = encode(key.data(0xff)) },
			"no base64url":       func(response apptest.Fields) { response["clientDataJSON"] = "AAAAA" },
			"no JSON":            func(response apptest.Fields) { response["clientDataJSON"] = encode([]byte("x")) },
		} {
			forged := key.sign(t, options(a.Anonymous()))
			change(forged["response"].(apptest.Fields))
			if r := a.Anonymous().Post("/auth/passkey/verify", forged); r.Status != http.StatusUnauthorized {
				t.Errorf("%s: %d", name, r.Status)
			}
		}
		begun := a.Anonymous().Post("/auth/passkey/options", apptest.Fields{"email": "bob@example.org"}).Want(http.StatusOK)
		key.count++
		a.Anonymous().Post("/auth/passkey/verify", key.sign(t, begun)).WantError(http.StatusUnauthorized, "unauthorized")
		if n := a.Count(passkeySessionsStmt); n != 2 {
			t.Errorf("%d sessions", n)
		}
		key.signIn(t, a.Anonymous()).Want(http.StatusOK)
		a.Exec(passkeySuspendStmt, ann.ID(), a.Clock.Now())
		key.signIn(t, a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
	})
}

// TestChallengesWorkOnce checks that a response is not accepted twice, also at the same
// moment, nor late.
func TestChallengesWorkOnce(t *testing.T) {
	t.Parallel()
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		key, _ := register(t, ann)
		key.count++
		signed := key.sign(t, options(a.Anonymous()))
		replies := apptest.Replies(20, func(i int) *apptest.Reply { return a.Anonymous().On(i).Post("/auth/passkey/verify", signed) })
		if n := len(apptest.Accepted(t, replies)); n != 1 {
			t.Errorf("%d sessions from one response", n)
		}
		for expired, wait := range map[bool]time.Duration{false: 5*time.Minute - time.Second, true: 5 * time.Minute} {
			key.count++
			signed := key.sign(t, options(a.Anonymous()))
			a.Clock.Advance(wait)
			if r := a.Anonymous().Post("/auth/passkey/verify", signed); (r.Status == http.StatusUnauthorized) != expired {
				t.Errorf("after %v: %d", wait, r.Status)
			}
		}
		options(a.Anonymous())
		a.Clock.Advance(5 * time.Minute)
		s := &passkey.Service{DB: a.DB, Clock: a.Clock.Now}
		if err := s.Purge(t.Context()); err != nil || a.Count(challengesStmt) != 0 {
			t.Errorf("%d challenges are left, %v", a.Count(challengesStmt), err)
		}
	}, apptest.Instances(2), apptest.StartAt(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)))
}

// TestCopiedPasskeyIsRefused checks that a signature whose counter has not increased is
// refused and logged, and that authenticators need not count.
func TestCopiedPasskeyIsRefused(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		key, _ := register(t, ann)
		key.count = 10
		key.signIn(t, a.Anonymous()).Want(http.StatusOK) // 11
		for _, count := range []uint32{10, 4, 0} {       // signIn adds one
			before := len(a.Log())
			copied := *key
			copied.count = count
			copied.signIn(t, a.Anonymous()).WantError(http.StatusUnauthorized, "unauthorized")
			if log := a.Log()[before:]; !strings.Contains(log, `"event":"passkey_copied"`) || !strings.Contains(log, ann.UserID) {
				t.Errorf("counter %d: %s", count+1, log)
			}
		}
		key.signIn(t, a.Anonymous()).Want(http.StatusOK)

		still := newAuthenticator(t)
		still.count = 0
		ann.Post("/me/passkeys", apptest.Fields{"credential": still.create(t, registration(ann))}).Want(http.StatusCreated)
		for range 2 {
			a.Anonymous().Post("/auth/passkey/verify", still.sign(t, options(a.Anonymous()))).Want(http.StatusOK)
		}
	})
}

// TestOptionsDoNotRevealAccounts checks that the options are equal for every address.
func TestOptionsDoNotRevealAccounts(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	register(t, a.As("known"))
	var want string
	for i, email := range []string{"known@example.org", "unknown@example.org"} {
		r := a.Anonymous().Post("/auth/passkey/options", apptest.Fields{"email": email}).Want(http.StatusOK)
		got := strings.ReplaceAll(string(r.Body), r.Text("public_key.challenge"), "")
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
}

func TestPasskeysNeedAHostName(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", "http://127.0.0.1:8080"),
		apptest.Setting("PUBLIC_BASE_URL", "http://127.0.0.1:8080"))
	a.Anonymous().Post("/auth/passkey/options", apptest.Fields{}).WantError(http.StatusNotFound, "not_found")
	a.As("ann").Get("/me/passkeys").WantError(http.StatusNotFound, "not_found")
}

var removeStmt = db.SQL("passkey_test.remove", `DELETE FROM passkeys`)
