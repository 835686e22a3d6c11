package session_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// provider is an identity provider inside the test: OpenID Connect, and under
// the name "yandex" one with opaque tokens. It obeys the tests, also where no
// real one would.
type provider struct {
	t   *testing.T
	url string
	key *ecdsa.PrivateKey

	mu      sync.Mutex
	grants  map[string]grant  // by code
	infos   map[string]string // what the info endpoint answers, by token
	instead http.HandlerFunc  // answers everything when set
	asked   map[string]int    // requests by path
}

// grant is what a code stands for.
type grant struct {
	challenge string
	idToken   string
}

const (
	webClient, webSecret   = "web-client", "the secret of the web client"
	iosClient, otherClient = "ios-client", "other-client"
	callback               = apptest.WebOrigin + "/auth/idp/callback"
)

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{t: t, key: key, grants: map[string]grant{}, infos: map[string]string{}, asked: map[string]int{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// settings make the service use the provider, under both names.
func (p *provider) settings(more ...apptest.Option) []apptest.Option {
	options := []apptest.Option{apptest.Setting("IDP_PROVIDERS", "google, yandex")}
	for name, value := range map[string]string{
		"GOOGLE_ISSUER": p.url, "GOOGLE_CLIENT_ID": webClient, "GOOGLE_CLIENT_SECRET": webSecret, "GOOGLE_NATIVE_CLIENT_IDS": iosClient + ",android-client",
		"YANDEX_KIND": "opaque", "YANDEX_ISSUER": "https://yandex.test", "YANDEX_CLIENT_ID": webClient, "YANDEX_CLIENT_SECRET": webSecret,
		"YANDEX_NATIVE_CLIENT_IDS": iosClient, "YANDEX_AUTH_URL": p.url + "/authorize", "YANDEX_TOKEN_URL": p.url + "/token", "YANDEX_INFO_URL": p.url + "/info",
	} {
		options = append(options, apptest.Setting("IDP_"+name, value))
	}
	return append(options, more...)
}

// eachWithProvider runs test once per engine, each with a provider of its own.
func eachWithProvider(t *testing.T, test func(t *testing.T, a *apptest.App, p *provider), more ...apptest.Option) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			p := newProvider(t)
			test(t, apptest.New(t, engine, p.settings(more...)...), p)
		})
	}
}

// answer makes the provider answer everything so, nil as it should.
func (p *provider) answer(instead http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.instead = instead
}

// requests counts those for a path so far.
func (p *provider) requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// ServeHTTP is the provider.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked[r.URL.Path]++
	instead := p.instead
	p.mu.Unlock()
	if instead != nil {
		instead(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		p.write(w, map[string]any{
			"issuer": p.url, "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url + "/token", "jwks_uri": p.url + "/keys",
			"id_token_signing_alg_values_supported":          []string{"ES256", "HS256", "none"},
			"authorization_response_iss_parameter_supported": true,
		})
	case "/keys":
		p.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: p.key.Public(), KeyID: "one", Use: "sig", Algorithm: "ES256"}}})
	case "/token":
		p.serveToken(w, r)
	case "/info":
		p.serveInfo(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (p *provider) write(w http.ResponseWriter, value any) {
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Errorf("provider: %v", err)
	}
}

// serveToken trades a code once, for whoever knows the verifier and the secret.
func (p *provider) serveToken(w http.ResponseWriter, r *http.Request) {
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	if plain, err := url.QueryUnescape(secret); err == nil && basic {
		secret = plain
	}
	p.mu.Lock()
	g, known := p.grants[r.PostFormValue("code")]
	delete(p.grants, r.PostFormValue("code"))
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !known || id != webClient || secret != webSecret || r.PostFormValue("redirect_uri") != callback ||
		base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge {
		w.WriteHeader(http.StatusBadRequest)
		p.write(w, map[string]string{"error": "invalid_grant", "error_description": "canary-in-the-answer"})
		return
	}
	p.write(w, map[string]any{"access_token": g.idToken, "token_type": "Bearer", "id_token": g.idToken, "expires_in": 60})
}

func (p *provider) serveInfo(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for token, info := range p.infos {
		if r.Header.Get("Authorization") == "OAuth "+token {
			_, _ = w.Write([]byte(info))
			return
		}
	}
	w.WriteHeader(http.StatusUnauthorized)
}

// opaque makes a token of which the info endpoint says this.
func (p *provider) opaque(info string) string {
	token := "y0_" + rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.infos[token] = info
	return token
}

// claims are those of a good native ID token, but for the changes; nil takes one away.
func (p *provider) claims(subject string, changes map[string]any) map[string]any {
	now := time.Now()
	claims := map[string]any{
		"iss": p.url, "sub": subject, "aud": iosClient, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"email": subject + "@example.org", "email_verified": true, "name": "Test " + subject,
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

// token is an ID token of a person, with changes.
func (p *provider) token(subject string, changes map[string]any) string {
	payload, err := json.Marshal(p.claims(subject, changes))
	if err != nil {
		p.t.Fatal(err)
	}
	return p.sign(jose.SigningKey{Algorithm: jose.ES256, Key: p.key}, payload, nil)
}

// sign makes a JWT; a header "kid" is added unless there is one.
func (p *provider) sign(key jose.SigningKey, payload []byte, header map[jose.HeaderKey]any) string {
	options := (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", "one")
	for name, value := range header {
		options = options.WithHeader(name, value)
	}
	signer, err := jose.NewSigner(key, options)
	if err != nil {
		p.t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// trip is a browser on its way.
type trip struct {
	url    *url.URL // the provider's page
	query  url.Values
	cookie string
}

// depart begins a sign-in in a browser.
func depart(t *testing.T, c *apptest.Client, query string) trip {
	t.Helper()
	r := c.Get("/auth/idp/start" + query).Want(http.StatusSeeOther)
	page, err := url.Parse(r.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	cookies := (&http.Response{Header: r.Header}).Cookies()
	if len(cookies) != 1 || cookies[0].Name != "service_idp_trip" || !cookies[0].HttpOnly || !cookies[0].Secure ||
		cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Path != "/auth/idp" || cookies[0].MaxAge != 600 {
		t.Fatalf("cookies %v", cookies)
	}
	return trip{url: page, query: page.Query(), cookie: cookies[0].Name + "=" + cookies[0].Value}
}

// consent lets the person of the subject in and gives what the provider sends
// the browser back with.
func (p *provider) consent(tr trip, subject string, changes map[string]any) url.Values {
	all := map[string]any{"aud": webClient, "nonce": tr.query.Get("nonce")}
	maps.Copy(all, changes)
	code := "code-" + rand.Text()
	g := grant{challenge: tr.query.Get("code_challenge"), idToken: p.token(subject, all)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.grants[code] = g
	return url.Values{"code": {code}, "state": {tr.query.Get("state")}, "iss": {p.url}}
}

// arrive brings a browser back.
func (tr trip) arrive(c *apptest.Client, query url.Values) *apptest.Reply {
	if tr.cookie != "" {
		c = c.With("Cookie", tr.cookie)
	}
	return c.Get("/auth/idp/callback?" + query.Encode())
}

// wantLocation holds a callback to where it leads and whether it signs in.
func wantLocation(t *testing.T, r *apptest.Reply, location string, signedIn bool) {
	t.Helper()
	set := bytes.Contains([]byte(fmt.Sprint(r.Header.Values("Set-Cookie"))), []byte(cookieName+"=rt_"))
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != location || set != signedIn {
		t.Errorf("%d to %q, signed in: %t; want 303 to %q, %t", r.Status, r.Header.Get("Location"), set, location, signedIn)
	}
}

// refreshCookie is the token that an answer sets.
func refreshCookie(r *apptest.Reply) string {
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.Name == cookieName {
			return c.Value
		}
	}
	return ""
}

// native trades a provider's token.
func native(c *apptest.Client, body map[string]string) *apptest.Reply {
	return c.Post("/auth/idp/mobile", body)
}
