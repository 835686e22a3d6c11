package session_test

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"moothall/internal/apptest"
)

// idpCase is one row of testdata/idp_cases.txt: what is tried, with the id of
// the row as the person, so that rows do not touch each other.
type idpCase func(t *testing.T, a *apptest.App, p *provider, id string)

// refusedToken is a case of a native token that must be 401 and leave no row.
func refusedToken(token func(p *provider, id string) map[string]string) idpCase {
	return func(t *testing.T, a *apptest.App, p *provider, id string) {
		body := token(p, id)
		users, sessions, identities := number(t, a.DB, allUsersStmt), number(t, a.DB, allStmt), number(t, a.DB, identitiesStmt)
		native(a.Anonymous(), body).WantError(http.StatusUnauthorized, "unauthorized")
		if number(t, a.DB, allUsersStmt) != users || number(t, a.DB, allStmt) != sessions || number(t, a.DB, identitiesStmt) != identities {
			t.Error("a row is left")
		}
	}
}

// claimed is a token with changed claims.
func claimed(changes map[string]any) func(p *provider, id string) map[string]string {
	return func(p *provider, id string) map[string]string {
		return map[string]string{"oauth_token": p.token(id, changes)}
	}
}

// yandex is an opaque token of which the provider says this.
func yandex(info string) func(p *provider, id string) map[string]string {
	return func(p *provider, _ string) map[string]string {
		return map[string]string{"provider": "yandex", "oauth_token": p.opaque(info)}
	}
}

// all runs several variants of a row.
func all(cases ...idpCase) idpCase {
	return func(t *testing.T, a *apptest.App, p *provider, id string) {
		for _, c := range cases {
			c(t, a, p, id)
		}
	}
}

var idpCases = map[string]idpCase{
	"native-ok": func(t *testing.T, a *apptest.App, p *provider, id string) {
		for _, body := range []map[string]string{claimed(nil)(p, id), yandex(`{"id":"1","client_id":"ios-client"}`)(p, id)} {
			in := native(a.Anonymous(), body).Want(http.StatusOK)
			if got := bearer(a, in.Text("access_token")).Get("/auth/sessions").Text("items.0.auth_method"); got != "idp_native" {
				t.Errorf("auth_method %s", got)
			}
			withCookie(a, refreshCookie(in)).Get("/me").Want(http.StatusOK)
		}
	},
	"native-other-app-same-email": func(t *testing.T, a *apptest.App, p *provider, id string) {
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
	"native-jwt-hs256-other": refusedToken(func(p *provider, id string) map[string]string {
		return hmacToken(p, id, []byte("a secret of another application!"))
	}),
	"native-jwt-rs-hs": refusedToken(func(p *provider, id string) map[string]string {
		der, err := x509.MarshalPKIXPublicKey(p.key.Public())
		if err != nil {
			p.t.Fatal(err)
		}
		return hmacToken(p, id, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	}),
	"native-jwt-jku": func(t *testing.T, a *apptest.App, p *provider, id string) {
		attacker := newProvider(t)
		for _, header := range []map[jose.HeaderKey]any{
			{"jku": attacker.url + "/keys"}, {"x5u": attacker.url + "/keys"},
			{"jku": attacker.url + "/keys", "kid": "theirs"}, {"jwk": jose.JSONWebKey{Key: attacker.key.Public()}},
		} {
			payload, err := json.Marshal(p.claims(id, nil))
			if err != nil {
				t.Fatal(err)
			}
			token := attacker.sign(jose.SigningKey{Algorithm: jose.ES256, Key: attacker.key}, payload, header)
			refusedToken(func(*provider, string) map[string]string { return map[string]string{"oauth_token": token} })(t, a, p, id)
		}
		if n := attacker.requests("/keys"); n != 0 {
			t.Errorf("%d keys were fetched from the attacker", n)
		}
	},
	"native-jwt-iat-future": all(
		refusedToken(claimed(map[string]any{"iat": time.Now().Add(time.Hour).Unix()})),
		refusedToken(claimed(map[string]any{"iat": nil})),
		refusedToken(claimed(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()})),
		refusedToken(claimed(map[string]any{"exp": nil})),
		refusedToken(claimed(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()})),
	),
	"native-jwt-aud-list": func(t *testing.T, a *apptest.App, p *provider, id string) {
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
		refusedToken(func(p *provider, id string) map[string]string {
			return claimed(map[string]any{"iss": p.url + "/"})(p, id)
		}),
	),
	"native-jwt-nonce": func(t *testing.T, a *apptest.App, p *provider, id string) {
		body := func(nonce string) map[string]string {
			b := claimed(map[string]any{"nonce": "n-" + id})(p, id)
			b["nonce"] = nonce
			return b
		}
		refusedToken(func(*provider, string) map[string]string { return body("n-other") })(t, a, p, id)
		refusedToken(func(*provider, string) map[string]string { return body("") })(t, a, p, id)
		refusedToken(func(p *provider, id string) map[string]string { b := claimed(nil)(p, id); b["nonce"] = "n"; return b })(t, a, p, id)
		native(a.Anonymous(), body("n-"+id)).Want(http.StatusOK)
		refusedToken(func(*provider, string) map[string]string { return body("n-" + id) })(t, a, p, id)
	},
	"native-jwt-dup-claims": func(t *testing.T, a *apptest.App, p *provider, id string) {
		payload, err := json.Marshal(p.claims(id, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, more := range []string{`"aud":"other-client"`, `"AUD":"other-client"`, `"a\u0075d":"other-client"`, `"sub":"x"`} {
			twice := []byte(strings.TrimSuffix(string(payload), "}") + "," + more + "}")
			token := p.sign(jose.SigningKey{Algorithm: jose.ES256, Key: p.key}, twice, nil)
			refusedToken(func(*provider, string) map[string]string { return map[string]string{"oauth_token": token} })(t, a, p, id)
		}
	},
	"native-revoked": refusedToken(func(*provider, string) map[string]string {
		return map[string]string{"provider": "yandex", "oauth_token": "y0_revoked"}
	}),
	"native-provider-slow": func(t *testing.T, a *apptest.App, p *provider, _ string) {
		p.answer(hang)
		defer p.answer(nil)
		ann := a.As("ann")
		begin := time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			parallel(30, func(int) *apptest.Reply {
				r := native(a.Anonymous().Allow5xx(), map[string]string{"provider": "yandex", "oauth_token": "y0_slow"})
				r.WantError(http.StatusServiceUnavailable, "service_unavailable")
				return r
			})
		}()
		time.Sleep(100 * time.Millisecond)
		asked := time.Now()
		ann.Get("/me").Want(http.StatusOK) // no connection to the database is held up
		if took := time.Since(asked); took > 4*time.Second {
			t.Errorf("meanwhile another request took %v", took)
		}
		if <-done; time.Since(begin) > 20*time.Second {
			t.Errorf("30 answers took %v", time.Since(begin))
		}
	},
	"native-provider-huge": func(t *testing.T, a *apptest.App, p *provider, _ string) {
		p.answer(func(w http.ResponseWriter, _ *http.Request) { endless(w) })
		defer p.answer(nil)
		native(a.Anonymous().Allow5xx(), map[string]string{"provider": "yandex", "oauth_token": "y0_huge"}).
			WantError(http.StatusServiceUnavailable, "service_unavailable")
	},
	"native-provider-numeric-id": func(t *testing.T, a *apptest.App, p *provider, id string) {
		user := func(subject string) string {
			return native(a.Anonymous(), yandex(`{"id":`+subject+`,"client_id":"ios-client"}`)(p, id)).Want(http.StatusOK).Text("current_user.user.id")
		}
		big := user(`9007199254740993`)
		if user(`9007199254740992`) == big {
			t.Error("two large numbers are one person")
		}
		if user(`"9007199254740993"`) != big {
			t.Error("the number written as a string is another person")
		}
		if user(`"007"`) == user(`7`) {
			t.Error("007 and 7 are one person")
		}
		for _, subject := range []string{`1e3`, `1.0`, `-1`, `true`, `null`, `""`, `[1]`, `{}`, `"a\nb"`, `"` + strings.Repeat("1", 256) + `"`} {
			native(a.Anonymous().Allow5xx(), yandex(`{"id":`+subject+`,"client_id":"ios-client"}`)(p, id)).
				WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
	},
	"native-token-logged": func(t *testing.T, a *apptest.App, p *provider, id string) {
		tokens := []string{p.token(id, nil), p.token(id, map[string]any{"aud": otherClient}), "canary.broken.token", p.opaque(`{"id":"1","client_id":"ios-client"}`), "y0_canary"}
		for i, token := range tokens {
			body := map[string]string{"oauth_token": token}
			if i >= 3 {
				body["provider"] = "yandex"
			}
			native(a.Anonymous(), body)
		}
		tr := depart(t, a.Anonymous(), "")
		answer := p.consent(tr, id, nil)
		answer.Set("code", "canary-of-a-code")
		wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_failed", false)
		for _, canary := range append(tokens, "canary", tr.query.Get("state"), tr.query.Get("nonce"), strings.TrimPrefix(tr.cookie, "service_idp_trip=br_"), id+"@") {
			if strings.Contains(a.Log(), canary) {
				t.Errorf("the log holds %s", canary)
			}
		}
		if !strings.Contains(a.Log(), "refused the code: unauthorized") {
			t.Error("the log does not say why a callback failed")
		}
	},
	"cb-no-state": func(t *testing.T, a *apptest.App, p *provider, id string) {
		tr := depart(t, a.Anonymous(), "")
		answer := p.consent(tr, id, nil)
		answer.Del("state")
		wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_state", false)
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback"), "/login?error=oauth_state", false)
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback?%zz&state=%00"), "/login?error=oauth_state", false)
	},
	"cb-other-browser": func(t *testing.T, a *apptest.App, p *provider, id string) {
		tr, other := depart(t, a.Anonymous(), ""), depart(t, a.Anonymous(), "")
		answer := p.consent(tr, id, nil)
		for _, cookie := range []string{"", other.cookie, "service_idp_trip=", "service_idp_trip=br_x", tr.cookie + "; " + other.cookie} {
			wantLocation(t, trip{cookie: cookie}.arrive(a.Anonymous(), answer), "/login?error=oauth_state", false)
		}
		wantLocation(t, tr.arrive(a.Anonymous(), answer), "/profile", true) // nobody has used it up
	},
	"cb-parallel": func(t *testing.T, a *apptest.App, p *provider, id string) {
		tr := depart(t, a.Anonymous(), "")
		answer, before := p.consent(tr, id, nil), number(t, a.DB, allStmt)
		replies := parallel(20, func(i int) *apptest.Reply { return tr.arrive(a.Anonymous().On(i%instances), answer) })
		good := slices.DeleteFunc(replies, func(r *apptest.Reply) bool { return refreshCookie(r) == "" })
		if n := number(t, a.DB, allStmt) - before; n != 1 || len(good) != 1 {
			t.Errorf("%d sessions, %d cookies", n, len(good))
		}
	},
	"cb-two-states": func(t *testing.T, a *apptest.App, p *provider, id string) {
		for _, name := range []string{"state", "code", "iss", "error"} {
			tr := depart(t, a.Anonymous(), "")
			answer := p.consent(tr, id, nil)
			answer[name] = append(answer[name], answer.Get(name), "other")
			wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_state", false)
		}
	},
	"cb-error": func(t *testing.T, a *apptest.App, _ *provider, _ string) {
		for text, code := range map[string]string{
			"access_denied": "oauth_denied", "server_error": "oauth_unavailable", "temporarily_unavailable": "oauth_unavailable",
			"invalid_scope": "oauth_failed", "<script>alert(1)</script>": "oauth_failed", "": "oauth_failed", "oauth_denied&x=y": "oauth_failed",
		} {
			tr := depart(t, a.Anonymous(), "")
			answer := url.Values{"state": {tr.query.Get("state")}, "error": {text}, "error_description": {"reflected"}}
			answer.Set("iss", strings.TrimSuffix(tr.url.Scheme+"://"+tr.url.Host, "/"))
			wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error="+code, false)
		}
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback?error=access_denied"), "/login?error=oauth_state", false)
	},
	"cb-code-and-error": func(t *testing.T, a *apptest.App, p *provider, id string) {
		tr := depart(t, a.Anonymous(), "")
		answer := p.consent(tr, id, nil)
		answer.Set("error", "access_denied")
		wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_failed", false)
	},
	"cb-iss-other": func(t *testing.T, a *apptest.App, p *provider, id string) {
		for _, iss := range [][]string{{"https://evil.example"}, {p.url + "/"}, {""}, nil} {
			tr := depart(t, a.Anonymous(), "")
			answer := p.consent(tr, id, nil)
			answer["iss"] = iss
			wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_failed", false)
		}
		tr := depart(t, a.Anonymous(), "?provider=yandex")
		wantLocation(t, tr.arrive(a.Anonymous(), p.consent(tr, id, nil)), "/login?error=oauth_failed", false)
	},
	"cb-pkce-downgrade": func(t *testing.T, a *apptest.App, p *provider, id string) {
		for _, query := range []string{"", "?provider=yandex", "?code_challenge_method=plain&code_challenge=x"} {
			tr := depart(t, a.Anonymous(), query)
			if q := tr.query; len(q["code_challenge_method"]) != 1 || q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 {
				t.Errorf("%s", tr.url)
			}
		}
		one, two := depart(t, a.Anonymous(), ""), depart(t, a.Anonymous(), "")
		answer := p.consent(one, id, nil)
		answer.Set("state", two.query.Get("state")) // the code of another trip: another verifier
		wantLocation(t, two.arrive(a.Anonymous(), answer), "/login?error=oauth_failed", false)
		three := depart(t, a.Anonymous(), "")
		wantLocation(t, three.arrive(a.Anonymous(), p.consent(three, id, map[string]any{"nonce": one.query.Get("nonce")})), "/login?error=oauth_failed", false)
	},
	"cb-session-fixation": func(t *testing.T, a *apptest.App, p *provider, id string) {
		victim := a.SignIn("fixed@example.org")
		tr := depart(t, a.Anonymous(), "")
		tr.cookie += "; " + cookieName + "=" + victim.RefreshToken
		r := tr.arrive(a.Anonymous(), p.consent(tr, id, nil))
		wantLocation(t, r, "/profile", true)
		now := withCookie(a, refreshCookie(r))
		if got := sessionID(now); refreshCookie(r) == victim.RefreshToken || got == victim.SessionID {
			t.Errorf("the session %s was there before", got)
		}
		victim.Get("/me").Want(http.StatusOK) // and the old one is nobody else's
	},
	"cb-status": func(t *testing.T, a *apptest.App, p *provider, id string) {
		tr := depart(t, a.Anonymous(), "") // these three are held to 303 above: start, failure, success
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback?code=x"), "/login?error=oauth_state", false)
		wantLocation(t, tr.arrive(a.Anonymous(), p.consent(tr, id, nil)), "/profile", true)
	},
	"start-get-prefetch": func(t *testing.T, a *apptest.App, _ *provider, _ string) {
		states, sessions := number(t, a.DB, statesStmt), number(t, a.DB, allStmt)
		r := a.Anonymous().With("Sec-Purpose", "prefetch").Get("/auth/idp/start").Want(http.StatusSeeOther)
		if n := number(t, a.DB, statesStmt) - states; n != 1 || number(t, a.DB, allStmt) != sessions || refreshCookie(r) != "" {
			t.Errorf("%d states, cookie %q", n, refreshCookie(r))
		}
		if got := r.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("Cache-Control %q", got)
		}
	},
}

// hmacToken is a token signed with a secret instead of the provider's key.
func hmacToken(p *provider, id string, secret []byte) map[string]string {
	payload, err := json.Marshal(p.claims(id, nil))
	if err != nil {
		p.t.Fatal(err)
	}
	return map[string]string{"oauth_token": p.sign(jose.SigningKey{Algorithm: jose.HS256, Key: secret}, payload, nil)}
}

func TestIdpCases(t *testing.T) {
	rows := readList(t, "idp_cases.txt", 3)
	for _, row := range rows {
		if idpCases[row[0]] == nil {
			t.Errorf("%s (%s) is not tried", row[0], row[1])
		}
	}
	if len(rows) != len(idpCases) {
		t.Errorf("%d rows, %d cases", len(rows), len(idpCases))
	}
	eachWithProvider(t, func(t *testing.T, a *apptest.App, p *provider) {
		for _, row := range rows {
			t.Run(row[0], func(t *testing.T) { idpCases[row[0]](t, a, p, row[0]) })
		}
	}, apptest.Instances(instances))
}
