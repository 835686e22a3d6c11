package session_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

var (
	identitiesStmt = db.SQL("session_test.identities", `SELECT COUNT(*) FROM identities`)
	statesStmt     = db.SQL("session_test.states", `SELECT COUNT(*) FROM oauth_states`)
	allUsersStmt   = db.SQL("session_test.all_users", `SELECT COUNT(*) FROM users`)
	allStmt        = db.SQL("session_test.all_sessions", `SELECT COUNT(*) FROM sessions`)
	unverifyStmt   = db.SQL("session_test.unverify", `UPDATE users SET email_verified = FALSE WHERE email_key = $1`)
)

func TestIdpWeb(t *testing.T) {
	eachWithProvider(t, func(t *testing.T, a *apptest.App, p *provider) {
		tr := depart(t, a.Anonymous(), "?return_to=/events%3Fcity%3DBerlin%23chat")
		q := tr.query
		if !strings.HasPrefix(tr.url.String(), p.url+"/authorize?") || q.Get("client_id") != webClient || q.Get("redirect_uri") != callback ||
			q.Get("response_type") != "code" || q.Get("scope") != "openid email profile" || q.Get("code_challenge_method") != "S256" ||
			len(q.Get("code_challenge")) != 43 || len(q.Get("nonce")) != 43 || len(q.Get("state")) != 46 {
			t.Errorf("%s", tr.url)
		}
		answer := p.consent(tr, "ann", nil)
		r := tr.arrive(a.Anonymous(), answer)
		wantLocation(t, r, "/events?city=Berlin#chat", true)
		if !strings.Contains(strings.Join(r.Header.Values("Set-Cookie"), "\n"), "service_idp_trip=; Path=/auth/idp; Max-Age=0; HttpOnly; Secure; SameSite=Lax") {
			t.Errorf("the cookie of the trip is still there: %q", r.Header.Values("Set-Cookie"))
		}
		if got := r.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("Cache-Control %q", got)
		}
		ann := withCookie(a, refreshCookie(r))
		me := ann.Get("/me").Want(http.StatusOK)
		if me.Text("user.email") != "ann@example.org" || me.Text("profile.display_name") != "Test ann" {
			t.Errorf("%s", me.Body)
		}
		if got := ann.Get("/auth/sessions").Text("items.0.auth_method"); got != "idp_web" {
			t.Errorf("auth_method %s", got)
		}
		wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_state", false) // replayed

		tr = depart(t, a.Anonymous(), "")
		r = tr.arrive(a.Anonymous(), p.consent(tr, "ann", map[string]any{"email": "new@example.org", "name": "Else"}))
		wantLocation(t, r, "/profile", true)
		if again := withCookie(a, refreshCookie(r)).Get("/me"); string(again.Body) != string(me.Body) {
			t.Errorf("the same subject has another account: %s and %s", me.Body, again.Body)
		}
	})
}

func TestIdpOpaqueWeb(t *testing.T) {
	eachWithProvider(t, func(t *testing.T, a *apptest.App, p *provider) {
		come := func(info string) *apptest.Reply {
			tr := depart(t, a.Anonymous(), "?provider=yandex")
			if tr.query.Get("code_challenge_method") != "S256" {
				t.Errorf("no PKCE: %s", tr.url)
			}
			answer := p.consent(tr, "x", nil)
			answer.Del("iss")
			p.mu.Lock()
			p.infos[p.grants[answer.Get("code")].idToken] = info
			p.mu.Unlock()
			return tr.arrive(a.Anonymous(), answer)
		}
		r := come(`{"id":"1130000012345678","client_id":"web-client","display_name":"Аня","default_email":"ann@example.org"}`)
		wantLocation(t, r, "/profile", true)
		me := withCookie(a, refreshCookie(r)).Get("/me").Want(http.StatusOK)
		if me.Get("user.email") != nil || me.Text("profile.display_name") != "Аня" {
			t.Errorf("%s", me.Body)
		}
		wantLocation(t, come(`{"id":"1130000012345678","client_id":"other-client"}`), "/login?error=oauth_failed", false)
		wantLocation(t, come(`{"id":"1130000012345678"}`), "/login?error=oauth_failed", false)
		wantLocation(t, come(`<html>`), "/login?error=oauth_unavailable", false)
		wantLocation(t, come(`{"client_id":"web-client"}`), "/login?error=oauth_unavailable", false)
	})
}

// An address links two accounts only when both sides have verified it.
func TestIdpLinking(t *testing.T) {
	eachWithProvider(t, func(t *testing.T, a *apptest.App, p *provider) {
		account := func(subject string, changes map[string]any) *apptest.Reply {
			in := native(a.Anonymous(), map[string]string{"oauth_token": p.token(subject, changes)}).Want(http.StatusOK)
			return bearer(a, in.Text("access_token")).Get("/me").Want(http.StatusOK)
		}
		ann := a.As("ann")
		if me := account("1", map[string]any{"email": "Ann@Example.org"}); me.Text("user.id") != ann.UserID {
			t.Errorf("a verified address does not link: %s", me.Body)
		}
		for subject, verified := range map[string]any{"2": false, "3": nil, "4": "false", "5": 1} {
			me := account(subject, map[string]any{"email": "ann@example.org", "email_verified": verified})
			if me.Text("user.id") == ann.UserID || me.Get("user.email") != nil {
				t.Errorf("an address with email_verified=%v was taken: %s", verified, me.Body)
			}
		}
		if me := account("6", map[string]any{"email": "bob@example.org", "email_verified": "true"}); me.Text("user.email") != "bob@example.org" {
			t.Errorf("a verified address was not kept: %s", me.Body)
		}
		if me, bob := account("6", map[string]any{"email": nil}), a.As("bob"); me.Text("user.id") != bob.UserID {
			t.Errorf("the account made by the provider is not that of its address: %s", me.Body)
		}
		exec(t, a.DB, unverifyStmt, "ann@example.org")
		if me := account("7", map[string]any{"email": "ann@example.org"}); me.Text("user.id") == ann.UserID || me.Get("user.email") != nil {
			t.Errorf("an address that nobody has verified here was taken: %s", me.Body)
		}
		if me := account("8", map[string]any{"email": "not an address", "name": "\u202e"}); me.Get("user.email") != nil || !strings.HasPrefix(me.Text("profile.display_name"), "User ") {
			t.Errorf("nonsense was kept: %s", me.Body)
		}
	})
}

func TestIdpFirstSignInsAtOnce(t *testing.T) {
	eachWithProvider(t, func(t *testing.T, a *apptest.App, p *provider) {
		for _, email := range []any{"ann@example.org", nil} {
			before := number(t, a.DB, allUsersStmt)
			token := p.token("all at once", map[string]any{"email": email, "sub": "at once " + map[bool]string{true: "bare"}[email == nil]})
			replies := parallel(20, func(i int) *apptest.Reply {
				return native(a.Anonymous().On(i%instances), map[string]string{"oauth_token": token})
			})
			if good := successes(t, replies); len(good) != 20 {
				t.Errorf("%d of 20 signed in", len(good))
			}
			if n := number(t, a.DB, allUsersStmt) - before; n != 1 {
				t.Errorf("%d accounts", n)
			}
		}
		if n := number(t, a.DB, identitiesStmt); n != 2 {
			t.Errorf("%d identities", n)
		}
	}, apptest.Instances(instances))
}

func TestIdpNotConfigured(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	c := a.Anonymous().Allow5xx()
	c.Get("/auth/idp/start").WantError(http.StatusServiceUnavailable, "service_unavailable")
	native(c, map[string]string{"oauth_token": "x"}).WantError(http.StatusServiceUnavailable, "service_unavailable")
	wantLocation(t, c.Get("/auth/idp/callback?code=x&state=y"), "/login?error=oauth_state", false)
}

func TestIdpProviders(t *testing.T) {
	p := newProvider(t)
	a := apptest.New(t, db.SQLite, p.settings()...)
	c := a.Anonymous().Allow5xx()
	c.Get("/auth/idp/start?provider=vk").WantError(http.StatusServiceUnavailable, "service_unavailable")
	token := p.opaque(`{"id":7,"client_id":"ios-client"}`)
	native(c, map[string]string{"oauth_token": token, "provider": "vk"}).WantError(http.StatusServiceUnavailable, "service_unavailable")
	native(c, map[string]string{"oauth_token": token}).WantError(http.StatusUnauthorized, "unauthorized") // the default one's tokens are others
	native(c, map[string]string{"oauth_token": token, "provider": "yandex"}).Want(http.StatusOK)
	for _, body := range []any{`{}`, `{"oauth_token":""}`, `{"oauth_token":null}`, `{"oauth_token":"a b"}`, `{"oauth_token":"x","provider":"A"}`,
		map[string]string{"oauth_token": strings.Repeat("x", 4097)}, map[string]string{"oauth_token": "x", "nonce": strings.Repeat("n", 129)}} {
		c.Post("/auth/idp/mobile", body).WantError(http.StatusBadRequest, "invalid_request")
	}
}

// What a provider that is down costs: an answer in time, and no row.
func TestIdpProviderDown(t *testing.T) {
	p := newProvider(t)
	a := apptest.New(t, db.SQLite, p.settings()...)
	c := a.Anonymous().Allow5xx()
	tr := depart(t, c, "")
	answer := p.consent(tr, "ann", nil)
	late := depart(t, c, "")
	users := number(t, a.DB, allUsersStmt)
	for name, broken := range map[string]http.HandlerFunc{
		"500":        func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"nonsense":   func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"redirect":   func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
		"hanging":    hang,
		"hanging up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		p.answer(broken)
		begin := time.Now()
		native(c, map[string]string{"oauth_token": "y0_x", "provider": "yandex"}).WantError(http.StatusServiceUnavailable, "service_unavailable")
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: answered after %v", name, took)
		}
		tr := depart(t, c, "?provider=yandex")
		wantLocation(t, tr.arrive(c, url.Values{"code": {"x"}, "state": {tr.query.Get("state")}}), "/login?error=oauth_unavailable", false)
	}
	wantLocation(t, tr.arrive(c, answer), "/login?error=oauth_unavailable", false)
	p.answer(nil)
	wantLocation(t, tr.arrive(c, answer), "/login?error=oauth_state", false) // used up
	wantLocation(t, late.arrive(c, p.consent(late, "ann", nil)), "/profile", true)
	if n := number(t, a.DB, allUsersStmt) - users; n != 1 {
		t.Errorf("%d accounts were made", n)
	}
}

// Discovery fails the first time only for those who ask then.
func TestIdpDiscovery(t *testing.T) {
	p := newProvider(t)
	a := apptest.New(t, db.SQLite, p.settings()...)
	c := a.Anonymous().Allow5xx()
	for _, broken := range []http.HandlerFunc{
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":"https://evil.example"}`))
		},
		func(w http.ResponseWriter, _ *http.Request) { endless(w) },
	} {
		p.answer(broken)
		c.Get("/auth/idp/start").WantError(http.StatusServiceUnavailable, "service_unavailable")
		native(c, map[string]string{"oauth_token": p.token("ann", nil)}).WantError(http.StatusServiceUnavailable, "service_unavailable")
	}
	if n := number(t, a.DB, statesStmt); n != 0 {
		t.Errorf("%d states are stored", n)
	}
	p.answer(nil)
	before := p.requests("/.well-known/openid-configuration")
	parallel(50, func(int) *apptest.Reply { return c.Get("/auth/idp/start").Want(http.StatusSeeOther) })
	if n := p.requests("/.well-known/openid-configuration") - before; n != 1 {
		t.Errorf("the metadata was fetched %d times", n)
	}
	stranger := newProvider(t) // whose tokens have its own key, under the same id
	parallel(50, func(int) *apptest.Reply {
		return native(c, map[string]string{"oauth_token": stranger.token("ann", map[string]any{"iss": p.url})})
	})
	if n := p.requests("/keys"); n > 2 {
		t.Errorf("the keys were fetched %d times", n)
	}
}

// hang answers nothing for as long as somebody waits.
func hang(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that nobody waits
	<-r.Context().Done()
}

// endless writes until nobody listens.
func endless(w http.ResponseWriter) {
	chunk := []byte(strings.Repeat(" ", 64<<10))
	for range 16 << 10 { // 1 GiB
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func TestIdpStatesExpire(t *testing.T) {
	eachWithProvider(t, func(t *testing.T, a *apptest.App, p *provider) {
		tr := depart(t, a.Anonymous(), "")
		answer := p.consent(tr, "ann", nil)
		a.Clock.Advance(10 * time.Minute)
		wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_state", false)
	})
}
