package identity_test

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
	"path"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// fakeIdp is an identity provider: OpenID Connect under the name "google", opaque
// tokens under the name "yandex". It also makes invalid tokens.
type fakeIdp struct {
	t   *testing.T
	url string
	key *ecdsa.PrivateKey

	mu      sync.Mutex
	grants  map[string]grant  // by code
	infos   map[string]string // responses of the info endpoint, by token
	handler http.HandlerFunc  // replaces all responses
	counts  map[string]int    // requests by path
}

// grant is the data of an authorization code.
type grant struct {
	challenge   string
	redirectURI string
	idToken     string
}

const (
	webClient, webSecret   = "web-client", "the secret of the web client"
	iosClient, otherClient = "ios-client", "other-client"
	callback               = apptest.WebOrigin + "/auth/idp/callback"
)

func newFakeIdp(t *testing.T) *fakeIdp {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &fakeIdp{t: t, key: key, grants: map[string]grant{}, infos: map[string]string{}, counts: map[string]int{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// settings configure the provider under both names.
func (p *fakeIdp) settings(more ...apptest.Option) []apptest.Option {
	options := []apptest.Option{apptest.Setting("IDP_PROVIDERS", "google, yandex")}
	for name, value := range map[string]string{
		"GOOGLE_ISSUER": p.url, "GOOGLE_CLIENT_ID": webClient, "GOOGLE_CLIENT_SECRET": webSecret,
		"GOOGLE_NATIVE_CLIENT_IDS": iosClient + ",android-client", "GOOGLE_TRUST_EMAIL": "true",
		"YANDEX_ISSUER": "https://yandex.test", "YANDEX_CLIENT_ID": webClient, "YANDEX_CLIENT_SECRET": webSecret,
		"YANDEX_NATIVE_CLIENT_IDS": iosClient, "YANDEX_AUTH_URL": p.url + "/authorize", "YANDEX_TOKEN_URL": p.url + "/token",
		"YANDEX_INFO_URL": p.url + "/info",
	} {
		options = append(options, apptest.Setting("IDP_"+name, value))
	}
	return append(options, more...)
}

// eachWithIdp runs a test on each engine with its own provider.
func eachWithIdp(t *testing.T, engines []db.Engine, test func(t *testing.T, a *apptest.App, p *fakeIdp), more ...apptest.Option) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			p := newFakeIdp(t)
			test(t, apptest.New(t, engine, p.settings(more...)...), p)
		})
	}
}

// respond replaces all responses of the provider; nil restores them.
func (p *fakeIdp) respond(handler http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handler = handler
}

// requests returns the number of requests for a path.
func (p *fakeIdp) requests(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.counts[path]
}

// ServeHTTP implements http.Handler.
func (p *fakeIdp) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.counts[r.URL.Path]++
	handler := p.handler
	p.mu.Unlock()
	if handler != nil {
		handler(w, r)
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

func (p *fakeIdp) write(w http.ResponseWriter, value any) {
	if err := json.NewEncoder(w).Encode(value); err != nil {
		p.t.Errorf("provider: %v", err)
	}
}

// serveToken exchanges a code once, if the verifier and the secret are right.
func (p *fakeIdp) serveToken(w http.ResponseWriter, r *http.Request) {
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
	if !known || id != webClient || secret != webSecret || r.PostFormValue("redirect_uri") != g.redirectURI ||
		base64.RawURLEncoding.EncodeToString(sum[:]) != g.challenge {
		w.WriteHeader(http.StatusBadRequest)
		p.write(w, map[string]string{"error": "invalid_grant", "error_description": "canary-in-the-response"})
		return
	}
	p.write(w, map[string]any{"access_token": g.idToken, "token_type": "Bearer", "id_token": g.idToken, "expires_in": 60})
}

func (p *fakeIdp) serveInfo(w http.ResponseWriter, r *http.Request) {
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

// opaque makes a token with this response of the info endpoint.
func (p *fakeIdp) opaque(info string) string {
	token := "y0_" + rand.Text()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.infos[token] = info
	return token
}

// claims are the claims of a valid native ID token with changes; nil removes a claim.
func (p *fakeIdp) claims(subject string, changes map[string]any) map[string]any {
	now := time.Now()
	claims := map[string]any{
		"iss": p.url, "sub": subject, "aud": iosClient, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"email": subject + "@example.org", "email_verified": true, "name": "Test " + subject,
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, value any) bool { return value == nil })
	return claims
}

// token makes an ID token of a subject with changed claims.
func (p *fakeIdp) token(subject string, changes map[string]any) string {
	payload, err := json.Marshal(p.claims(subject, changes))
	if err != nil {
		p.t.Fatal(err)
	}
	return p.sign(jose.SigningKey{Algorithm: jose.ES256, Key: p.key}, payload, nil)
}

// sign makes a JWT; the default header "kid" is "one".
func (p *fakeIdp) sign(key jose.SigningKey, payload []byte, header map[jose.HeaderKey]any) string {
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

// visit is a sign-in of a browser at the provider.
type visit struct {
	url    *url.URL // the provider's page
	query  url.Values
	cookie string
}

// startIdp starts a sign-in in a browser.
func startIdp(t *testing.T, c *apptest.Client, query string) visit {
	t.Helper()
	r := c.Get("/auth/idp/start" + query).Want(http.StatusSeeOther)
	page, err := url.Parse(r.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	back, err := url.Parse(page.Query().Get("redirect_uri"))
	if err != nil {
		t.Fatal(err)
	}
	cookies := (&http.Response{Header: r.Header}).Cookies()
	if len(cookies) != 1 || cookies[0].Name != "service_idp_state" || !cookies[0].HttpOnly || !cookies[0].Secure ||
		cookies[0].SameSite != http.SameSiteLaxMode || cookies[0].Path != path.Dir(back.Path) || cookies[0].MaxAge != 600 {
		t.Fatalf("cookies %v", cookies)
	}
	return visit{url: page, query: page.Query(), cookie: cookies[0].Name + "=" + cookies[0].Value}
}

// consent signs the subject in and returns the query of the callback.
func (p *fakeIdp) consent(v visit, subject string, changes map[string]any) url.Values {
	all := map[string]any{"aud": webClient, "nonce": v.query.Get("nonce")}
	maps.Copy(all, changes)
	code := "code-" + rand.Text()
	g := grant{challenge: v.query.Get("code_challenge"), redirectURI: v.query.Get("redirect_uri"), idToken: p.token(subject, all)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.grants[code] = g
	return url.Values{"code": {code}, "state": {v.query.Get("state")}, "iss": {p.url}}
}

// finish sends the callback.
func (v visit) finish(c *apptest.Client, query url.Values) *apptest.Reply {
	if v.cookie != "" {
		c = c.With("Cookie", v.cookie)
	}
	return c.Get("/auth/idp/callback?" + query.Encode())
}

// wantLocation checks where a callback redirects and whether it signs in.
func wantLocation(t *testing.T, r *apptest.Reply, location string, signedIn bool) {
	t.Helper()
	set := bytes.Contains([]byte(fmt.Sprint(r.Header.Values("Set-Cookie"))), []byte(apptest.RefreshCookie+"=rt_"))
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != location || set != signedIn {
		t.Errorf("%d to %q, signed in: %t; want 303 to %q, %t", r.Status, r.Header.Get("Location"), set, location, signedIn)
	}
}

// refreshCookie returns the refresh token that a response sets.
func refreshCookie(r *apptest.Reply) string {
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.Name == apptest.RefreshCookie {
			return c.Value
		}
	}
	return ""
}

// native exchanges a provider's token.
func native(c *apptest.Client, body map[string]string) *apptest.Reply {
	return c.Post("/auth/idp/mobile", body)
}
