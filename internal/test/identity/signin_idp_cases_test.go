package identity_test

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// idpCase tests one row of testdata/idp_cases.txt. The id of the row is the
// subject, so that rows do not affect each other.
type idpCase func(t *testing.T, a *apptest.App, p *fakeIdp, id string)

// refusedToken is a native token that must be refused with 401 and leave no row.
func refusedToken(token func(p *fakeIdp, id string) map[string]string) idpCase {
	return func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		body := token(p, id)
		users, sessions, identities := a.Count(usersStmt), a.Count(signinSessionsStmt), a.Count(identitiesStmt)
		native(a.Anonymous(), body).WantError(http.StatusUnauthorized, "unauthorized")
		if a.Count(usersStmt) != users || a.Count(signinSessionsStmt) != sessions || a.Count(identitiesStmt) != identities {
			t.Error("a row is stored")
		}
	}
}

// claimed makes a token with changed claims.
func claimed(changes map[string]any) func(p *fakeIdp, id string) map[string]string {
	return func(p *fakeIdp, id string) map[string]string {
		return map[string]string{"oauth_token": p.token(id, changes)}
	}
}

// yandex makes an opaque token with this info.
func yandex(info string) func(p *fakeIdp, id string) map[string]string {
	return func(p *fakeIdp, _ string) map[string]string {
		return map[string]string{"provider": "yandex", "oauth_token": p.opaque(info)}
	}
}

// all runs several variants of a row.
func all(cases ...idpCase) idpCase {
	return func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		for _, c := range cases {
			c(t, a, p, id)
		}
	}
}

var idpCases = map[string]idpCase{
	"native-ok": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		for _, body := range []map[string]string{claimed(nil)(p, id), yandex(`{"id":"1","client_id":"ios-client"}`)(p, id)} {
			in := native(a.Anonymous(), body).Want(http.StatusOK)
			if got := a.WithBearer(in.Text("access_token")).Get("/auth/sessions").Text("items.0.auth_method"); got != "idp_native" {
				t.Errorf("auth_method %s", got)
			}
			a.WithCookie(refreshCookie(in)).Get("/me").Want(http.StatusOK)
		}
	},
	"native-other-app-same-email": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		a.As("victim")
		all(
			refusedToken(claimed(map[string]any{"aud": otherClient, "email": "victim@example.org"})),
			refusedToken(yandex(`{"id":"1","client_id":"other-client","default_email":"victim@example.org"}`)),
		)(t, a, p, id)
	},
	"native-client_id-case": all(
		refusedToken(claimed(map[string]any{"aud": "IOS-client"})),
		refusedToken(claimed(map[string]any{"aud": "ios-client "})),
		refusedToken(claimed(map[string]any{"aud": ""})),
		refusedToken(claimed(map[string]any{"aud": nil})),
		refusedToken(yandex(`{"id":"1","client_id":"iOS-client"}`)),
		refusedToken(yandex(`{"id":"1","client_id":" ios-client"}`)),
		refusedToken(yandex(`{"id":"1","client_id":""}`)),
		refusedToken(yandex(`{"id":"1"}`)),
	),
	"native-web-token": all(
		refusedToken(claimed(map[string]any{"aud": webClient})),
		refusedToken(yandex(`{"id":"1","client_id":"web-client"}`)),
	),
	"native-jwt-hs256-other": refusedToken(func(p *fakeIdp, id string) map[string]string {
		return hmacToken(p, id, []byte("a secret of another application!"))
	}),
	"native-jwt-rs-hs": refusedToken(func(p *fakeIdp, id string) map[string]string {
		der, err := x509.MarshalPKIXPublicKey(p.key.Public())
		if err != nil {
			p.t.Fatal(err)
		}
		return hmacToken(p, id, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	}),
	"native-jwt-jku": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		attacker := newFakeIdp(t)
		for _, header := range []map[jose.HeaderKey]any{
			{"jku": attacker.url + "/keys"}, {"x5u": attacker.url + "/keys"},
			{"jku": attacker.url + "/keys", "kid": "theirs"}, {"jwk": jose.JSONWebKey{Key: attacker.key.Public()}},
		} {
			payload, err := json.Marshal(p.claims(id, nil))
			if err != nil {
				t.Fatal(err)
			}
			token := attacker.sign(jose.SigningKey{Algorithm: jose.ES256, Key: attacker.key}, payload, header)
			refusedToken(func(*fakeIdp, string) map[string]string { return map[string]string{"oauth_token": token} })(t, a, p, id)
		}
		if n := attacker.requests("/keys"); n != 0 {
			t.Errorf("%d requests for keys to the attacker", n)
		}
	},
	"native-jwt-iat-future": all(
		refusedToken(claimed(map[string]any{"iat": time.Now().Add(time.Hour).Unix()})),
		refusedToken(claimed(map[string]any{"iat": nil})),
		refusedToken(claimed(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()})),
		refusedToken(claimed(map[string]any{"exp": nil})),
		refusedToken(claimed(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()})),
	),
	"native-jwt-aud-list": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		both := []string{otherClient, iosClient}
		native(a.Anonymous(), claimed(map[string]any{"aud": both, "azp": iosClient})(p, id)).Want(http.StatusOK)
		for _, changes := range []map[string]any{
			{"aud": both}, {"aud": both, "azp": otherClient}, {"aud": iosClient, "azp": otherClient}, {"aud": []string{otherClient}, "azp": iosClient},
			{"aud": both, "azp": ""}, {"aud": []string{iosClient, iosClient}}, {"aud": []string{}},
		} {
			refusedToken(claimed(changes))(t, a, p, id)
		}
	},
	"native-jwt-iss-other": all(
		refusedToken(claimed(map[string]any{"iss": "https://evil.example"})),
		refusedToken(func(p *fakeIdp, id string) map[string]string {
			return claimed(map[string]any{"iss": p.url + "/"})(p, id)
		}),
	),
	"native-jwt-nonce": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		body := func(nonce string) map[string]string {
			b := claimed(map[string]any{"nonce": "n-" + id})(p, id)
			b["nonce"] = nonce
			return b
		}
		refusedToken(func(*fakeIdp, string) map[string]string { return body("n-other") })(t, a, p, id)
		refusedToken(func(*fakeIdp, string) map[string]string { return body("") })(t, a, p, id)
		refusedToken(func(p *fakeIdp, id string) map[string]string { b := claimed(nil)(p, id); b["nonce"] = "n"; return b })(t, a, p, id)
		native(a.Anonymous(), body("n-"+id)).Want(http.StatusOK)
		refusedToken(func(*fakeIdp, string) map[string]string { return body("n-" + id) })(t, a, p, id)
	},
	"native-jwt-dup-claims": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		payload, err := json.Marshal(p.claims(id, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, more := range []string{`"aud":"other-client"`, `"AUD":"other-client"`, `"a\u0075d":"other-client"`, `"sub":"x"`} {
			twice := []byte(strings.TrimSuffix(string(payload), "}") + "," + more + "}")
			token := p.sign(jose.SigningKey{Algorithm: jose.ES256, Key: p.key}, twice, nil)
			refusedToken(func(*fakeIdp, string) map[string]string { return map[string]string{"oauth_token": token} })(t, a, p, id)
		}
	},
	"native-revoked": refusedToken(func(*fakeIdp, string) map[string]string {
		return map[string]string{"provider": "yandex", "oauth_token": "y0_revoked"}
	}),
	"native-provider-slow": func(t *testing.T, a *apptest.App, p *fakeIdp, _ string) {
		const enough = 10 // more than there are database connections
		var waiting atomic.Int64
		many := make(chan struct{})
		reached := sync.OnceFunc(func() { close(many) })
		p.respond(func(w http.ResponseWriter, r *http.Request) {
			if waiting.Add(1) >= enough {
				reached()
			}
			hang(w, r)
			waiting.Add(-1)
		})
		defer p.respond(nil)
		ann := a.As("ann")
		begin := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			apptest.Replies(30, func(int) *apptest.Reply {
				r := native(a.Anonymous().Allow5xx(), map[string]string{"provider": "yandex", "oauth_token": "y0_slow"})
				r.WantError(http.StatusServiceUnavailable, "service_unavailable")
				return r
			})
		}()
		select { // slow providers do not occupy database connections
		case <-many:
			ann.Get("/me").Want(http.StatusOK)
		case <-done:
			t.Errorf("never %d requests wait for the provider at a time", enough)
		}
		if <-done; time.Since(begin) > longest {
			t.Errorf("30 responses took %v", time.Since(begin))
		}
	},
	"native-provider-huge": func(t *testing.T, a *apptest.App, p *fakeIdp, _ string) {
		p.respond(func(w http.ResponseWriter, _ *http.Request) { endless(w) })
		defer p.respond(nil)
		native(a.Anonymous().Allow5xx(), map[string]string{"provider": "yandex", "oauth_token": "y0_huge"}).
			WantError(http.StatusServiceUnavailable, "service_unavailable")
	},
	"native-provider-numeric-id": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		user := func(subject string) string {
			return native(a.Anonymous(), yandex(`{"id":`+subject+`,"client_id":"ios-client"}`)(p,
				id)).Want(http.StatusOK).Text("current_user.user.id")
		}
		big := user(`9007199254740993`)
		if user(`9007199254740992`) == big {
			t.Error("two large numbers are one user")
		}
		if user(`"9007199254740993"`) != big {
			t.Error("the number written as a string is another user")
		}
		if user(`"007"`) == user(`7`) {
			t.Error("007 and 7 are one user")
		}
		for _, subject := range []string{`1e3`, `1.0`, `-1`, `true`, `null`, `""`, `[1]`, `{}`, `"a\nb"`, `"` + strings.Repeat("1", 256) + `"`} {
			native(a.Anonymous().Allow5xx(), yandex(`{"id":`+subject+`,"client_id":"ios-client"}`)(p, id)).
				WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
	},
	"native-token-logged": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		tokens := []string{p.token(id, nil), p.token(id, map[string]any{"aud": otherClient}), "canary.broken.token",
			p.opaque(`{"id":"1","client_id":"ios-client"}`), "y0_canary"}
		for i, token := range tokens {
			body := map[string]string{"oauth_token": token}
			if i >= 3 {
				body["provider"] = "yandex"
			}
			native(a.Anonymous(), body)
		}
		v := startIdp(t, a.Anonymous(), "")
		query := p.consent(v, id, nil)
		query.Set("code", "canary-of-a-code")
		wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_failed", false)
		for _, canary := range append(tokens, "canary", v.query.Get("state"), v.query.Get("nonce"),
			strings.TrimPrefix(v.cookie, "service_idp_state=br_"), id+"@") {
			if strings.Contains(a.Log(), canary) {
				t.Errorf("the log contains %s", canary)
			}
		}
		if !strings.Contains(a.Log(), "refused the code: unauthorized") {
			t.Error("the log does not contain the reason of a failed callback")
		}
	},
	"cb-no-state": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		v := startIdp(t, a.Anonymous(), "")
		query := p.consent(v, id, nil)
		query.Del("state")
		wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_state", false)
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback"), "/login?error=oauth_state", false)
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback?%zz&state=%00"), "/login?error=oauth_state", false)
	},
	"cb-other-browser": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		v, other := startIdp(t, a.Anonymous(), ""), startIdp(t, a.Anonymous(), "")
		query := p.consent(v, id, nil)
		for _, cookie := range []string{"", other.cookie, "service_idp_state=", "service_idp_state=br_x", v.cookie + "; " + other.cookie} {
			wantLocation(t, visit{cookie: cookie}.finish(a.Anonymous(), query), "/login?error=oauth_state", false)
		}
		wantLocation(t, v.finish(a.Anonymous(), query), "/profile", true) // still unused
	},
	"cb-parallel": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		v := startIdp(t, a.Anonymous(), "")
		query, before := p.consent(v, id, nil), a.Count(signinSessionsStmt)
		replies := apptest.Replies(20, func(i int) *apptest.Reply { return v.finish(a.Anonymous().On(i%instances), query) })
		good := slices.DeleteFunc(replies, func(r *apptest.Reply) bool { return refreshCookie(r) == "" })
		if n := a.Count(signinSessionsStmt) - before; n != 1 || len(good) != 1 {
			t.Errorf("%d sessions, %d cookies", n, len(good))
		}
	},
	"cb-two-states": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		for _, name := range []string{"state", "code", "iss", "error"} {
			v := startIdp(t, a.Anonymous(), "")
			query := p.consent(v, id, nil)
			query[name] = append(query[name], query.Get(name), "other")
			wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_state", false)
		}
	},
	"cb-error": func(t *testing.T, a *apptest.App, _ *fakeIdp, _ string) {
		for text, code := range map[string]string{
			"access_denied": "oauth_denied", "server_error": "oauth_unavailable", "temporarily_unavailable": "oauth_unavailable",
			"invalid_scope": "oauth_failed", "<script>alert(1)</script>": "oauth_failed", "": "oauth_failed", "oauth_denied&x=y": "oauth_failed",
		} {
			v := startIdp(t, a.Anonymous(), "")
			query := url.Values{"state": {v.query.Get("state")}, "error": {text}, "error_description": {"reflected"}}
			query.Set("iss", strings.TrimSuffix(v.url.Scheme+"://"+v.url.Host, "/"))
			wantLocation(t, v.finish(a.Anonymous(), query), "/login?error="+code, false)
		}
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback?error=access_denied"), "/login?error=oauth_state", false)
	},
	"cb-code-and-error": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		v := startIdp(t, a.Anonymous(), "")
		query := p.consent(v, id, nil)
		query.Set("error", "access_denied")
		wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_failed", false)
	},
	"cb-iss-other": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		for _, iss := range [][]string{{"https://evil.example"}, {p.url + "/"}, {""}, nil} {
			v := startIdp(t, a.Anonymous(), "")
			query := p.consent(v, id, nil)
			query["iss"] = iss
			wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_failed", false)
		}
		v := startIdp(t, a.Anonymous(), "?provider=yandex")
		wantLocation(t, v.finish(a.Anonymous(), p.consent(v, id, nil)), "/login?error=oauth_failed", false)
	},
	"cb-pkce-downgrade": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		for _, query := range []string{"", "?provider=yandex", "?code_challenge_method=plain&code_challenge=x"} {
			v := startIdp(t, a.Anonymous(), query)
			if q := v.query; len(q["code_challenge_method"]) != 1 || q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 {
				t.Errorf("%s", v.url)
			}
		}
		one, two := startIdp(t, a.Anonymous(), ""), startIdp(t, a.Anonymous(), "")
		query := p.consent(one, id, nil)
		query.Set("state", two.query.Get("state")) // the code of another visit has another verifier
		wantLocation(t, two.finish(a.Anonymous(), query), "/login?error=oauth_failed", false)
		three := startIdp(t, a.Anonymous(), "")
		wantLocation(t, three.finish(a.Anonymous(), p.consent(three, id, map[string]any{"nonce": one.query.Get("nonce")})),
			"/login?error=oauth_failed", false)
	},
	"cb-session-fixation": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		victim := a.SignIn("fixed@example.org")
		v := startIdp(t, a.Anonymous(), "")
		v.cookie += "; " + apptest.RefreshCookie + "=" + victim.RefreshToken
		r := v.finish(a.Anonymous(), p.consent(v, id, nil))
		wantLocation(t, r, "/profile", true)
		now := a.WithCookie(refreshCookie(r))
		if got := now.Get("/auth/sessions").Text("items.0.session_id"); refreshCookie(r) == victim.RefreshToken || got == victim.SessionID {
			t.Errorf("the session %s existed before", got)
		}
		victim.Get("/me").Want(http.StatusOK) // the old session is unaffected
	},
	"cb-status": func(t *testing.T, a *apptest.App, p *fakeIdp, id string) {
		v := startIdp(t, a.Anonymous(), "") // startIdp and wantLocation check for 303
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback?code=x"), "/login?error=oauth_state", false)
		wantLocation(t, v.finish(a.Anonymous(), p.consent(v, id, nil)), "/profile", true)
	},
	"start-get-prefetch": func(t *testing.T, a *apptest.App, _ *fakeIdp, _ string) {
		states, sessions := a.Count(statesStmt), a.Count(signinSessionsStmt)
		r := a.Anonymous().With("Sec-Purpose", "prefetch").Get("/auth/idp/start").Want(http.StatusSeeOther)
		if n := a.Count(statesStmt) - states; n != 1 || a.Count(signinSessionsStmt) != sessions || refreshCookie(r) != "" {
			t.Errorf("%d states, cookie %q", n, refreshCookie(r))
		}
		if got := r.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("Cache-Control %q", got)
		}
	},
}

// hmacToken is a token signed with a secret instead of the provider's key.
func hmacToken(p *fakeIdp, id string, secret []byte) map[string]string {
	payload, err := json.Marshal(p.claims(id, nil))
	if err != nil {
		p.t.Fatal(err)
	}
	return map[string]string{"oauth_token": p.sign(jose.SigningKey{Algorithm: jose.HS256, Key: secret}, payload, nil)}
}

func TestIdpCases(t *testing.T) {
	t.Parallel()
	rows := apptest.Cases(t, "testdata/idp_cases.txt", 3)
	for _, row := range rows {
		if idpCases[row[0]] == nil {
			t.Errorf("%s (%s) is not tested", row[0], row[1])
		}
	}
	if len(rows) != len(idpCases) {
		t.Errorf("%d rows, %d cases", len(rows), len(idpCases))
	}
	eachWithIdp(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		for _, row := range rows {
			t.Run(row[0], func(t *testing.T) { idpCases[row[0]](t, a, p, row[0]) })
		}
	}, apptest.Instances(instances))
}
