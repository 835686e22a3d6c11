package identity_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

func TestIdpSignInByBrowser(t *testing.T) {
	eachWithIdp(t, dbtest.Engines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		v := startIdp(t, a.Anonymous(), "?return_to=/events%3Fcity%3DBerlin%23chat")
		q := v.query
		if !strings.HasPrefix(v.url.String(), p.url+"/authorize?") || q.Get("client_id") != webClient || q.Get("redirect_uri") != callback ||
			q.Get("response_type") != "code" || q.Get("scope") != "openid email profile" || q.Get("code_challenge_method") != "S256" ||
			len(q.Get("code_challenge")) != 43 || len(q.Get("nonce")) != 43 || len(q.Get("state")) != 46 {
			t.Errorf("%s", v.url)
		}
		query := p.consent(v, "ann", nil)
		r := v.finish(a.Anonymous(), query)
		wantLocation(t, r, "/events?city=Berlin#chat", true)
		if !strings.Contains(strings.Join(r.Header.Values("Set-Cookie"), "\n"),
			"service_idp_state=; Path=/auth/idp; Max-Age=0; HttpOnly; Secure; SameSite=Lax") {
			t.Errorf("the cookie of the visit is not deleted: %q", r.Header.Values("Set-Cookie"))
		}
		if got := r.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("Cache-Control %q", got)
		}
		ann := a.WithCookie(refreshCookie(r))
		me := ann.Get("/me").Want(http.StatusOK)
		if me.Text("user.email") != "ann@example.org" || me.Text("profile.display_name") != "Test ann" {
			t.Errorf("%s", me.Body)
		}
		if got := ann.Get("/auth/sessions").Text("items.0.auth_method"); got != "idp_web" {
			t.Errorf("auth_method %s", got)
		}
		wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_state", false) // replayed

		v = startIdp(t, a.Anonymous(), "")
		r = v.finish(a.Anonymous(), p.consent(v, "ann", map[string]any{"email": "new@example.org", "name": "Else"}))
		wantLocation(t, r, "/profile", true)
		if again := a.WithCookie(refreshCookie(r)).Get("/me"); string(again.Body) != string(me.Body) {
			t.Errorf("the same subject has another account: %s and %s", me.Body, again.Body)
		}
	})
}

// TestIdpSignInWithTwoHosts lets the web client and the API have different hosts: both
// cookies belong to the API, and the browser returns to the web client.
func TestIdpSignInWithTwoHosts(t *testing.T) {
	const baseURL = "https://api.moothall.test/v1"
	eachWithIdp(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		v := startIdp(t, a.Anonymous(), "?return_to=/events") // checks the path of the cookie
		if got := v.query.Get("redirect_uri"); got != baseURL+"/auth/idp/callback" {
			t.Errorf("redirect_uri is %s", got)
		}
		r := v.finish(a.Anonymous(), p.consent(v, "ann", nil))
		wantLocation(t, r, apptest.WebOrigin+"/events", true)
		a.WithCookie(refreshCookie(r)).Get("/me").Want(http.StatusOK)
		wantLocation(t, a.Anonymous().Get("/auth/idp/callback"), apptest.WebOrigin+"/login?error=oauth_state", false)
	}, apptest.Setting("PUBLIC_BASE_URL", baseURL))
}

func TestIdpSignInByBrowserWithOpaqueTokens(t *testing.T) {
	eachWithIdp(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		signIn := func(info string) *apptest.Reply {
			v := startIdp(t, a.Anonymous(), "?provider=yandex")
			if v.query.Get("code_challenge_method") != "S256" {
				t.Errorf("no PKCE: %s", v.url)
			}
			query := p.consent(v, "x", nil)
			query.Del("iss")
			p.mu.Lock()
			p.infos[p.grants[query.Get("code")].idToken] = info
			p.mu.Unlock()
			return v.finish(a.Anonymous(), query)
		}
		r := signIn(`{"id":"1130000012345678","client_id":"web-client","display_name":"Аня","default_email":"ann@example.org"}`)
		wantLocation(t, r, "/profile", true)
		me := a.WithCookie(refreshCookie(r)).Get("/me").Want(http.StatusOK)
		if me.Get("user.email") != nil || me.Text("profile.display_name") != "Аня" {
			t.Errorf("%s", me.Body)
		}
		wantLocation(t, signIn(`{"id":"1130000012345678","client_id":"other-client"}`), "/login?error=oauth_failed", false)
		wantLocation(t, signIn(`{"id":"1130000012345678"}`), "/login?error=oauth_failed", false)
		wantLocation(t, signIn(`<html>`), "/login?error=oauth_unavailable", false)
		wantLocation(t, signIn(`{"client_id":"web-client"}`), "/login?error=oauth_unavailable", false)
	})
}

// TestIdpLinksVerifiedAddressesOnly checks that an address links an identity to an
// account only if both sides have verified it.
func TestIdpLinksVerifiedAddressesOnly(t *testing.T) {
	eachWithIdp(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		account := func(subject string, changes map[string]any) *apptest.Reply {
			in := native(a.Anonymous(), map[string]string{"oauth_token": p.token(subject, changes)}).Want(http.StatusOK)
			return a.WithBearer(in.Text("access_token")).Get("/me").Want(http.StatusOK)
		}
		ann := a.As("ann")
		if me := account("1", map[string]any{"email": "Ann@Example.org"}); me.Text("user.id") != ann.UserID {
			t.Errorf("a verified address did not link: %s", me.Body)
		}
		for subject, verified := range map[string]any{"2": false, "3": nil, "4": "false", "5": 1} {
			me := account(subject, map[string]any{"email": "ann@example.org", "email_verified": verified})
			if me.Text("user.id") == ann.UserID || me.Get("user.email") != nil {
				t.Errorf("an address with email_verified=%v was used: %s", verified, me.Body)
			}
		}
		if me := account("6", map[string]any{"email": "bob@example.org", "email_verified": "true"}); me.Text("user.email") != "bob@example.org" {
			t.Errorf("a verified address was not stored: %s", me.Body)
		}
		if me, bob := account("6", map[string]any{"email": nil}), a.As("bob"); me.Text("user.id") != bob.UserID {
			t.Errorf("the account is not the one of its address: %s", me.Body)
		}
		a.Exec(unverifyStmt, "ann@example.org")
		if me := account("7", map[string]any{"email": "ann@example.org"}); me.Text("user.id") == ann.UserID || me.Get("user.email") != nil {
			t.Errorf("an unverified address linked: %s", me.Body)
		}
		if me := account("8", map[string]any{"email": "not an address", "name": "\u202e"}); me.Get("user.email") != nil ||
			!strings.HasPrefix(me.Text("profile.display_name"), "User ") {
			t.Errorf("invalid data was stored: %s", me.Body)
		}
	})
}

// TestUntrustedProviderLinksNothing checks that a provider which is not declared trusted for
// e-mail addresses signs nobody in to an existing account, and makes nobody a moderator.
func TestUntrustedProviderLinksNothing(t *testing.T) {
	for _, trust := range []string{"", "false"} {
		eachWithIdp(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
			ann := a.As("ann")
			for _, email := range []string{"ann@example.org", "boss@example.org"} {
				in := native(a.Anonymous(),
					map[string]string{"oauth_token": p.token("fake "+email, map[string]any{"email": email})}).Want(http.StatusOK)
				user := a.WithBearer(in.Text("access_token"))
				me := user.Get("/me").Want(http.StatusOK)
				if me.Text("user.id") == ann.UserID || me.Get("user.email") != nil || me.Get("user.is_moderator") != false {
					t.Errorf("%s: %s", email, me.Body)
				}
				user.Get("/admin/reports").WantError(http.StatusForbidden, "forbidden")
			}
			boss := a.As("boss")
			boss.Get("/admin/reports").Want(http.StatusOK)
		}, apptest.Setting("IDP_GOOGLE_TRUST_EMAIL", trust), apptest.Setting("MODERATION_ADMIN_EMAILS", "boss@example.org"))
	}
}

func TestConcurrentFirstSignInsCreateOneAccount(t *testing.T) {
	eachWithIdp(t, dbtest.Engines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		for _, email := range []any{"ann@example.org", nil} {
			before := a.Count(usersStmt)
			token := p.token("all at once", map[string]any{"email": email, "sub": "at once " + map[bool]string{true: "bare"}[email == nil]})
			replies := apptest.Replies(20, func(i int) *apptest.Reply {
				return native(a.Anonymous().On(i%instances), map[string]string{"oauth_token": token})
			})
			if good := apptest.Accepted(t, replies); len(good) != 20 {
				t.Errorf("%d of 20 signed in", len(good))
			}
			if n := a.Count(usersStmt) - before; n != 1 {
				t.Errorf("%d accounts", n)
			}
		}
		if n := a.Count(identitiesStmt); n != 2 {
			t.Errorf("%d identities", n)
		}
	}, apptest.Instances(instances))
}

func TestIdpWithoutProviderIsUnavailable(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	c := a.Anonymous().Allow5xx()
	c.Get("/auth/idp/start").WantError(http.StatusServiceUnavailable, "service_unavailable")
	native(c, map[string]string{"oauth_token": "x"}).WantError(http.StatusServiceUnavailable, "service_unavailable")
	wantLocation(t, c.Get("/auth/idp/callback?code=x&state=y"), "/login?error=oauth_state", false)
}

func TestIdpSelectsProviderByName(t *testing.T) {
	p := newFakeIdp(t)
	a := apptest.New(t, db.SQLite, p.settings()...)
	c := a.Anonymous().Allow5xx()
	c.Get("/auth/idp/start?provider=vk").WantError(http.StatusServiceUnavailable, "service_unavailable")
	token := p.opaque(`{"id":7,"client_id":"ios-client"}`)
	native(c, map[string]string{"oauth_token": token, "provider": "vk"}).WantError(http.StatusServiceUnavailable, "service_unavailable")
	// not a token of the default provider
	native(c, map[string]string{"oauth_token": token}).WantError(http.StatusUnauthorized, "unauthorized")
	native(c, map[string]string{"oauth_token": token, "provider": "yandex"}).Want(http.StatusOK)
	for _, body := range []any{`{}`, `{"oauth_token":""}`, `{"oauth_token":null}`, `{"oauth_token":"a b"}`,
		`{"oauth_token":"x","provider":"A"}`,
		map[string]string{"oauth_token": strings.Repeat("x", 4097)}, map[string]string{"oauth_token": "x", "nonce": strings.Repeat("n", 129)}} {
		c.Post("/auth/idp/mobile", body).WantError(http.StatusBadRequest, "invalid_request")
	}
}

// TestIdpFailingProvider checks that the client gets a response in time, and that nothing
// is stored.
func TestIdpFailingProvider(t *testing.T) {
	t.Parallel()
	p := newFakeIdp(t)
	a := apptest.New(t, db.SQLite, p.settings()...)
	c := a.Anonymous().Allow5xx()
	v := startIdp(t, c, "")
	query := p.consent(v, "ann", nil)
	late := startIdp(t, c, "")
	users := a.Count(usersStmt)
	for name, broken := range map[string]http.HandlerFunc{
		"500":         func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"no JSON":     func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"redirect":    func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"hangs":       hang,
		"disconnects": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		p.respond(broken)
		begin := time.Now()
		native(c, map[string]string{"oauth_token": "y0_x", "provider": "yandex"}).WantError(http.StatusServiceUnavailable, "service_unavailable")
		if took := time.Since(begin); took > longest {
			t.Errorf("%s: response after %v", name, took)
		}
		v := startIdp(t, c, "?provider=yandex")
		wantLocation(t, v.finish(c, url.Values{"code": {"x"}, "state": {v.query.Get("state")}}), "/login?error=oauth_unavailable", false)
	}
	wantLocation(t, v.finish(c, query), "/login?error=oauth_unavailable", false)
	p.respond(nil)
	wantLocation(t, v.finish(c, query), "/login?error=oauth_state", false) // already used
	wantLocation(t, late.finish(c, p.consent(late, "ann", nil)), "/profile", true)
	if n := a.Count(usersStmt) - users; n != 1 {
		t.Errorf("%d accounts were created", n)
	}
}

// TestIdpDiscoveryIsRetriedAndShared checks that a failed discovery is retried, and that
// concurrent requests share one discovery.
func TestIdpDiscoveryIsRetriedAndShared(t *testing.T) {
	p := newFakeIdp(t)
	a := apptest.New(t, db.SQLite, p.settings()...)
	c := a.Anonymous().Allow5xx()
	for _, broken := range []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":"https://evil.example"}`))
		},
		func(w http.ResponseWriter, _ *http.Request) { endless(w) },
	} {
		p.respond(broken)
		c.Get("/auth/idp/start").WantError(http.StatusServiceUnavailable, "service_unavailable")
		native(c, map[string]string{"oauth_token": p.token("ann", nil)}).WantError(http.StatusServiceUnavailable, "service_unavailable")
	}
	if n := a.Count(statesStmt); n != 0 {
		t.Errorf("%d states are stored", n)
	}
	p.respond(nil)
	before := p.requests("/.well-known/openid-configuration")
	apptest.Replies(50, func(int) *apptest.Reply { return c.Get("/auth/idp/start").Want(http.StatusSeeOther) })
	if n := p.requests("/.well-known/openid-configuration") - before; n != 1 {
		t.Errorf("the metadata was fetched %d times", n)
	}
	other := newFakeIdp(t) // signs with its own key under the same key id
	apptest.Replies(50, func(int) *apptest.Reply {
		return native(c, map[string]string{"oauth_token": other.token("ann", map[string]any{"iss": p.url})})
	})
	if n := p.requests("/keys"); n > 2 {
		t.Errorf("the keys were fetched %d times", n)
	}
}

// hang sends nothing until the client disconnects.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client disconnects
	<-r.Context().Done()
}

// endless writes until the client disconnects.
func endless(w http.ResponseWriter) {
	chunk := []byte(strings.Repeat(" ", 64<<10))
	for range 16 << 10 { // 1 GiB
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func TestIdpStateExpires(t *testing.T) {
	eachWithIdp(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, p *fakeIdp) {
		v := startIdp(t, a.Anonymous(), "")
		query := p.consent(v, "ann", nil)
		a.Clock.Advance(10 * time.Minute)
		wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_state", false)
	})
}
