package main

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// secrets are values that no output may contain, by name.
type secrets map[string]string

// TestOutputContainsNoSecrets sends secrets to every sign-in operation, in valid and
// invalid requests, and searches every line that the program writes.
func TestOutputContainsNoSecrets(t *testing.T) {
	planted := secrets{
		"e-mail address": "canary-mail@example.org",
		"phone":          "9991230602",
		"secret key":     "canary-secret-key-hSb1zN0YQ2o5cJxX3rWm8tqv7L",
		"api id":         "canary-api-id-0123456789",
		"password":       "canary-password",
		"wrong token":    "rt_canary",
		"wrong bearer":   "at_canary",
		"oauth token":    "canary-oauth-token",
		"state":          "canary-state",
		"oauth code":     "canary-oauth-code",
		"nonce":          "canary-nonce",
		"query":          "canary-query",
		"user agent":     "canary-agent",
		"address":        "203.0.113.77",
		"signature":      "canary-signature",
	}
	for name, environment := range map[string]map[string]string{
		"development":    {"PHONE_PROVIDER": "development"},
		"providers down": {"PHONE_PROVIDER": "smsru+http://:" + planted["api id"] + "@127.0.0.1:1/"},
	} {
		t.Run(name, func(t *testing.T) {
			maps.Copy(environment, map[string]string{
				"LISTEN_ADDR": "127.0.0.1:0", "LOG_LEVEL": "debug", "LOG_FORMAT": "json",
				"SECRET_KEY": planted["secret key"], "TRUSTED_PROXIES": "127.0.0.0/8", "AUTH_DEV_EXPOSE_CODE": "true",
			})
			output := serveUntilDone(t, environment, func(api string) {
				c := &signer{t: t, api: api, headers: http.Header{
					"User-Agent": {planted["user agent"]}, "X-Forwarded-For": {planted["address"]},
				}, secrets: maps.Clone(planted)}
				c.byDevelopmentCode()
				c.byEmail()
				c.byPhone()
				c.byProvider()
				c.byInvalidRequests()
				planted.add(t, c.secrets)
			})
			if !strings.Contains(output, "refreshSession") || !strings.Contains(output, "startPhoneCall") {
				t.Fatalf("nothing was logged:\n%s", output)
			}
			for line := range strings.Lines(output) {
				for what, secret := range planted {
					if strings.Contains(line, secret) || strings.Contains(line, url.QueryEscape(secret)) {
						t.Errorf("%s: %s", what, line)
					}
				}
			}
		})
	}
}

// add adds the secrets that the service has issued.
func (planted secrets) add(t *testing.T, given secrets) {
	t.Helper()
	for _, what := range []string{"code", "access_token", "refresh_token", "challenge_id"} {
		if given[what] == "" && what != "challenge_id" {
			t.Errorf("the service issued no %s", what)
		}
	}
	maps.Copy(planted, given)
}

// serveUntilDone runs the program while do runs and returns its output.
func serveUntilDone(t *testing.T, environment map[string]string, do func(api string)) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log := newTestLog()
	var stdout string
	var ended sync.WaitGroup
	ended.Go(func() { _, stdout = invoke(t, ctx, environment, log, "serve") })
	do("http://" + log.address(t, "serving"))
	stop()
	ended.Wait()
	return stdout + log.String()
}

// signer signs in with every method and stores the secrets it receives.
type signer struct {
	t       *testing.T
	api     string
	headers http.Header
	secrets secrets
}

func (c *signer) call(method, path string, body any, headers ...string) map[string]any {
	c.t.Helper()
	payload, _ := json.Marshal(body) // of maps of text
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.api+path, strings.NewReader(string(payload)))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header = c.headers.Clone()
	r.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response, err := http.DefaultTransport.RoundTrip(r) // follows no redirect
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	var answer map[string]any
	_ = json.Unmarshal(text, &answer) // some pages are not JSON
	return answer
}

func (c *signer) post(path string, body map[string]string, headers ...string) map[string]any {
	c.t.Helper()
	return c.call(http.MethodPost, path, body, headers...)
}

// store stores the secrets of a response under their names.
func (c *signer) store(answer map[string]any, names ...string) {
	for _, name := range names {
		if secret, ok := answer[name].(string); ok {
			c.secrets[name] = secret
		}
	}
}

func (c *signer) byDevelopmentCode() {
	email := c.secrets["e-mail address"]
	started := c.post("/auth/dev/start", map[string]string{"email": email})
	code, _ := started["dev_code"].(string)
	c.secrets["code"] = `"` + code + `"` // six digits may occur anywhere
	c.post("/auth/dev/verify", map[string]string{"email": email, "code": "000000"})
	in := c.post("/auth/dev/verify", map[string]string{"email": email, "code": code})
	c.store(in, "access_token", "refresh_token")
	old := c.secrets["refresh_token"]
	c.secrets["old refresh token"] = old
	c.call(http.MethodGet, "/me", nil, "Authorization: Bearer "+c.secrets["access_token"])
	c.call(http.MethodGet, "/auth/sessions", nil, "Cookie: service_refresh_token="+old)
	c.store(c.post("/auth/refresh", nil, "Cookie: service_refresh_token="+old), "access_token", "refresh_token")
	c.post("/auth/refresh", map[string]string{"refresh_token": old})
	c.call(http.MethodGet, "/me?access_token="+c.secrets["access_token"], nil)
	c.post("/auth/logout", map[string]string{"refresh_token": c.secrets["refresh_token"]})
}

func (c *signer) byEmail() {
	email := c.secrets["e-mail address"]
	started := c.post("/auth/email/start", map[string]string{"email": email, "return_to": "/" + c.secrets["query"]})
	c.store(started, "challenge")
	challenge := c.secrets["challenge"]
	c.post("/auth/email/verify", map[string]string{"email": email, "code": "000000", "challenge": challenge})
	c.post("/auth/email/status", map[string]string{"challenge": challenge})
	c.call(http.MethodGet, "/login/confirm?c="+c.secrets["query"], nil, "Cookie: email_sign_in="+challenge)
	c.form("/login/confirm", url.Values{"c": {c.secrets["query"]}, "number": {c.secrets["nonce"]}})
}

func (c *signer) byPhone() {
	phone := "+7" + c.secrets["phone"]
	started := c.post("/auth/phone/call/start", map[string]string{"phone": phone})
	c.store(started, "challenge_id")
	id := c.secrets["challenge_id"]
	c.post("/auth/phone/call/status", map[string]string{"challenge_id": id})
	called := url.Values{"phone": {phone}}
	if number, ok := started["call_phone"].(string); ok {
		called.Set("number", number)
	}
	c.form("/dev/calls", called)
	verified := c.post("/auth/phone/call/status", map[string]string{"challenge_id": id})
	for _, name := range []string{"access_token", "refresh_token"} {
		if secret, ok := verified[name].(string); ok {
			c.secrets["phone's "+name] = secret
		}
	}
	c.form("/auth/phone/callback/smsru", url.Values{"data[0]": {"callcheck_status\n1\n401\n1"}, "hash": {c.secrets["signature"]}})
	c.form("/auth/phone/callback/smsc", url.Values{"phone": {phone}, "md5": {c.secrets["signature"]}})
}

func (c *signer) form(path string, form url.Values) {
	c.t.Helper()
	response, err := http.DefaultClient.PostForm(c.api+path, form)
	if err != nil {
		c.t.Fatal(err)
	}
	_ = response.Body.Close()
}

func (c *signer) byProvider() {
	c.call(http.MethodGet, "/auth/idp/start?return_to=/"+c.secrets["query"], nil)
	callback := url.Values{"state": {c.secrets["state"]}, "code": {c.secrets["oauth code"]}}
	c.call(http.MethodGet, "/auth/idp/callback?"+callback.Encode(), nil)
	c.call(http.MethodGet, "/auth/idp/callback?error="+c.secrets["query"], nil)
	c.post("/auth/idp/mobile", map[string]string{"oauth_token": c.secrets["oauth token"], "nonce": c.secrets["nonce"]})
}

// byInvalidRequests sends every secret in wrong parts of requests.
func (c *signer) byInvalidRequests() {
	values := slices.Sorted(maps.Values(c.secrets))
	for _, secret := range values {
		secret = strings.Trim(secret, `"`)
		for _, path := range []string{"/auth/dev/start", "/auth/dev/verify", "/auth/email/start", "/auth/email/verify", "/auth/email/status",
			"/auth/phone/call/start", "/auth/phone/call/status", "/auth/idp/mobile", "/auth/refresh", "/auth/logout"} {
			c.post(path, map[string]string{secret: secret, "email": secret, "code": secret, "challenge": secret, "phone": secret,
				"challenge_id": secret, "oauth_token": secret, "refresh_token": secret})
		}
		c.call(http.MethodGet, "/"+url.PathEscape(secret)+"?"+url.QueryEscape(secret), nil, "Authorization: Bearer "+secret,
			"X-Request-Id: "+url.QueryEscape(secret)+"!")
		c.call(http.MethodGet, "/users/"+url.PathEscape(secret)+"/profile?q="+url.QueryEscape(secret), nil,
			"Cookie: service_refresh_token="+secret)
		c.call("CANARY", "/auth/dev/start", nil)
	}
}
