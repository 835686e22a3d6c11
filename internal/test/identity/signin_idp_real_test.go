package identity_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	osexec "os/exec"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// realProvider starts the npm package oidc-provider, pinned in testdata/oidc, and
// returns its issuer.
func realProvider(t *testing.T) string {
	t.Helper()
	command := osexec.CommandContext(t.Context(), "node", "server.mjs", callback)
	command.Dir = apptest.NodeProject(t, "testdata/oidc")
	input, err := command.StdinPipe() // the provider exits when it is closed
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = input.Close()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		_ = command.Wait()
		t.Fatalf("the provider did not start: %v\n%s", err, stderr.String())
	}
	return strings.TrimSpace(line)
}

// person is a user with a browser.
type person struct {
	t       *testing.T
	name    string
	browser *http.Client
}

func newPerson(t *testing.T, name string) *person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, name: name, browser: &http.Client{
		Jar: jar,
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			if strings.HasPrefix(r.URL.String(), callback) {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}}
}

var formAction = regexp.MustCompile(`action="([^"]+)"`)

// page is a page of the provider.
type page struct {
	at   *url.URL
	back *url.URL // the callback, if the provider redirects there
	text string
}

// load loads a page, by POST if there is a form. It follows redirects up to the
// callback.
func (p *person) load(address string, form url.Values) page {
	p.t.Helper()
	method := http.MethodGet
	if form != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := p.browser.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	back, _ := response.Location() // nil if there is none
	return page{at: response.Request.URL, back: back, text: string(body)}
}

// signIn fills in the forms of the provider, or aborts at the first one, and
// returns the query of the callback.
func (p *person) signIn(start *url.URL, abort bool) url.Values {
	p.t.Helper()
	shown := p.load(start.String(), nil)
	for range 5 {
		if shown.back != nil {
			return shown.back.Query()
		}
		action := formAction.FindStringSubmatch(shown.text)
		if action == nil {
			p.t.Fatalf("a page without a form: %s", shown.text)
		}
		target, err := shown.at.Parse(action[1])
		if err != nil {
			p.t.Fatal(err)
		}
		if abort {
			shown = p.load(target.String()+"/abort", nil)
			continue
		}
		prompt := "consent"
		if strings.Contains(shown.text, `value="login"`) {
			prompt = "login"
		}
		shown = p.load(target.String(), url.Values{"prompt": {prompt}, "login": {p.name}, "password": {"any"}})
	}
	p.t.Fatal("more than five pages")
	return nil
}

func TestIdpSignInAtRealProvider(t *testing.T) {
	issuer := realProvider(t)
	options := []apptest.Option{
		apptest.Setting("IDP_PROVIDERS", "real"), apptest.Setting("IDP_REAL_ISSUER", issuer),
		apptest.Setting("IDP_REAL_CLIENT_ID", "moothall-web"),
		apptest.Setting("IDP_REAL_CLIENT_SECRET", "a secret of tests only"), apptest.Setting("IDP_REAL_TRUST_EMAIL", "true"),
	}
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			a := apptest.New(t, engine, options...)
			ann := newPerson(t, "ann")
			v := startIdp(t, a.Anonymous(), "?return_to=/events")
			query := ann.signIn(v.url, false)
			if query.Get("iss") != issuer {
				t.Errorf("%v", query)
			}
			r := v.finish(a.Anonymous(), query)
			wantLocation(t, r, "/events", true)
			me := a.WithCookie(refreshCookie(r)).Get("/me").Want(http.StatusOK)
			if me.Text("user.email") != "ann@example.org" || me.Text("profile.display_name") != "Test ann" {
				t.Errorf("%s", me.Body)
			}
			wantLocation(t, v.finish(a.Anonymous(), query), "/login?error=oauth_state", false)

			v = startIdp(t, a.Anonymous(), "")
			r = v.finish(a.Anonymous(), ann.signIn(v.url, false)) // still signed in at the provider
			wantLocation(t, r, "/profile", true)
			if again := a.WithCookie(refreshCookie(r)).Get("/me"); string(again.Body) != string(me.Body) {
				t.Errorf("%s and %s", me.Body, again.Body)
			}

			v = startIdp(t, a.Anonymous(), "")
			wantLocation(t, v.finish(a.Anonymous(), newPerson(t, "bob").signIn(v.url, true)), "/login?error=oauth_denied", false)

			other, v := startIdp(t, a.Anonymous(), ""), startIdp(t, a.Anonymous(), "")
			stolen := newPerson(t, "eve").signIn(other.url, false)
			stolen.Set("state", v.query.Get("state")) // a code injected into another visit
			wantLocation(t, v.finish(a.Anonymous(), stolen), "/login?error=oauth_failed", false)

			v = startIdp(t, a.Anonymous(), "")
			r = v.finish(a.Anonymous(), newPerson(t, "unverified-ann").signIn(v.url, false))
			wantLocation(t, r, "/profile", true)
			if me := a.WithCookie(refreshCookie(r)).Get("/me"); me.Get("user.email") != nil {
				t.Errorf("%s", me.Body)
			}
		})
	}
}
