package session_test

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

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// realProvider starts the npm package oidc-provider, whose versions
// testdata/oidc pins, and gives its issuer.
func realProvider(t *testing.T) string {
	t.Helper()
	command := osexec.CommandContext(t.Context(), "node", "server.mjs", callback)
	command.Dir = apptest.NodeProject(t, "testdata/oidc")
	input, err := command.StdinPipe() // the provider ends with it
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaints strings.Builder
	command.Stderr = &complaints
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
		t.Fatalf("the provider did not start: %v\n%s", err, complaints.String())
	}
	return strings.TrimSpace(line)
}

// person is somebody with a browser at the real provider.
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

// page is one that the provider shows.
type page struct {
	at   *url.URL
	back *url.URL // set when it sends the browser to our callback instead
	text string
}

// load asks for a page, following redirects up to our callback, by POST when
// there is a form.
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
	answer, err := p.browser.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	back, _ := answer.Location() // nil when there is none
	return page{at: answer.Request.URL, back: back, text: string(body)}
}

// signIn goes through the provider's pages, says yes to everything, or aborts
// at the first, and gives what the browser is sent back with.
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
	p.t.Fatal("the provider shows pages without end")
	return nil
}

// TestIdpRealProvider signs in at a real OpenID provider that knows nothing of us.
func TestIdpRealProvider(t *testing.T) {
	issuer := realProvider(t)
	options := []apptest.Option{
		apptest.Setting("IDP_PROVIDERS", "real"), apptest.Setting("IDP_REAL_ISSUER", issuer), apptest.Setting("IDP_REAL_CLIENT_ID", "moothall-web"),
		apptest.Setting("IDP_REAL_CLIENT_SECRET", "a secret of tests only"),
	}
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
		t.Run(engine.String(), func(t *testing.T) {
			a := apptest.New(t, engine, options...)
			ann := newPerson(t, "ann")
			tr := depart(t, a.Anonymous(), "?return_to=/events")
			answer := ann.signIn(tr.url, false)
			if answer.Get("iss") != issuer {
				t.Errorf("%v", answer)
			}
			r := tr.arrive(a.Anonymous(), answer)
			wantLocation(t, r, "/events", true)
			me := withCookie(a, refreshCookie(r)).Get("/me").Want(http.StatusOK)
			if me.Text("user.email") != "ann@example.org" || me.Text("profile.display_name") != "Test ann" {
				t.Errorf("%s", me.Body)
			}
			wantLocation(t, tr.arrive(a.Anonymous(), answer), "/login?error=oauth_state", false)

			tr = depart(t, a.Anonymous(), "")
			r = tr.arrive(a.Anonymous(), ann.signIn(tr.url, false)) // is still signed in there
			wantLocation(t, r, "/profile", true)
			if again := withCookie(a, refreshCookie(r)).Get("/me"); string(again.Body) != string(me.Body) {
				t.Errorf("%s and %s", me.Body, again.Body)
			}

			tr = depart(t, a.Anonymous(), "")
			wantLocation(t, tr.arrive(a.Anonymous(), newPerson(t, "bob").signIn(tr.url, true)), "/login?error=oauth_denied", false)

			other, tr := depart(t, a.Anonymous(), ""), depart(t, a.Anonymous(), "")
			stolen := newPerson(t, "eve").signIn(other.url, false)
			stolen.Set("state", tr.query.Get("state")) // a code injected into another trip
			wantLocation(t, tr.arrive(a.Anonymous(), stolen), "/login?error=oauth_failed", false)

			tr = depart(t, a.Anonymous(), "")
			r = tr.arrive(a.Anonymous(), newPerson(t, "unverified-ann").signIn(tr.url, false))
			wantLocation(t, r, "/profile", true)
			if me := withCookie(a, refreshCookie(r)).Get("/me"); me.Get("user.email") != nil {
				t.Errorf("%s", me.Body)
			}
		})
	}
}
