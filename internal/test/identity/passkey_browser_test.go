package identity_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestSignInWithChromium adds a passkey in a real browser with a virtual authenticator,
// signs in with it, and signs in by the link of a mail.
func TestSignInWithChromium(t *testing.T) {
	t.Parallel()
	origin, serve := webOrigin(t)
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", origin), apptest.Setting("PUBLIC_BASE_URL", origin))
	serve(a.URL())
	b := startChromium(t)
	b.run(chromedp.Func(addAuthenticator), chromedp.Navigate(origin+blankPage))

	var started struct {
		DevCode string `json:"dev_code"`
	}
	b.call(&started, `return post("/auth/dev/start", {email: "ann@example.org"})`)
	b.call(nil, `return post("/auth/dev/verify", {email: "ann@example.org", code: "`+started.DevCode+`"})`)
	var added struct{ ID, Name string }
	b.call(&added, `
		const {public_key} = await post("/me/passkeys/options");
		const credential = await navigator.credentials.create({publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key)});
		return post("/me/passkeys", {name: "Laptop", credential: credential.toJSON()})`)
	if added.Name != "Laptop" {
		t.Errorf("added %+v", added)
	}
	for range 2 {
		b.call(nil, `return post("/auth/logout")`)
		var in struct {
			CurrentUser struct{ User struct{ Email string } } `json:"current_user"`
		}
		b.call(&in, `
			const {public_key} = await post("/auth/passkey/options", {});
			const credential = await navigator.credentials.get({publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key)});
			return post("/auth/passkey/verify", credential.toJSON())`)
		if in.CurrentUser.User.Email != "ann@example.org" {
			t.Errorf("signed in as %+v", in)
		}
	}
	b.call(nil, `return post("/auth/logout")`)

	b.call(nil, `return post("/auth/email/start", {email: "bob@example.org", return_to: "`+blankPage+`?signed-in"})`)
	_, link, _ := strings.Cut(a.Mail("bob@example.org").Text, origin)
	link, _, _ = strings.Cut(link, "\n")
	b.run(chromedp.Navigate(origin + link))
	b.call(nil, `document.querySelector("button").click()`)
	testutil.Until(t, "the page that the link leads to", func() bool {
		at, err := chromedp.Run(b.ctx, chromedp.Location())
		return err == nil && at == origin+blankPage+"?signed-in" // an error while the page changes
	})
	var me struct{ User struct{ Email string } }
	b.call(&me, `return (await fetch("/me")).json()`)
	if me.User.Email != "bob@example.org" {
		t.Errorf("signed in as %+v", me)
	}
}

// addAuthenticator adds a virtual authenticator that verifies its user at once.
func addAuthenticator(ctx context.Context, t *chromedp.Target) error {
	if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
		return err
	}
	_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator,
		webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true,
			AutomaticPresenceSimulation: true,
		}})
	return err
}

// blankPage is the path of a page that a web client would have.
const blankPage = "/blank"

// webOrigin returns an origin on localhost and a function that serves an address there.
// Browsers allow passkeys on localhost without TLS.
func webOrigin(t *testing.T) (origin string, serve func(address string)) {
	t.Helper()
	var proxy atomic.Pointer[httputil.ReverseProxy]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != blankPage {
			proxy.Load().ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Blank</title>`))
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1), func(address string) {
		to, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		proxy.Store(httputil.NewSingleHostReverseProxy(to))
	}
}

// chromium is a page in a running browser.
type chromium struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // that of the page, which chromedp needs
}

// startChromium starts the browser with an empty profile until the test ends.
func startChromium(t *testing.T) chromium {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Fatal("chromium is missing: install it (Debian: apt-get install chromium), or run make test, which does")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.WSURLReadTimeout(time.Minute))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root otherwise
	}
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	if err := chromedp.Do(ctx); err != nil { // without a timeout, which would end the browser
		t.Fatal(err)
	}
	return chromium{t, ctx}
}

// run runs steps.
func (b chromium) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute) // the machine may be busy
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// call runs the body of an asynchronous function in the page and decodes its result.
func (b chromium) call(result any, body string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`(async () => {
		const post = async (path, body) => {
			const response = await fetch(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: body && JSON.stringify(body)});
			const text = await response.text();
			if (!response.ok) throw new Error(path + ": " + response.status + " " + text);
			return text ? JSON.parse(text) : null;
		};
		return JSON.stringify(await (async () => {`+body+`})() ?? null);
	})()`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", body, err)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), result); err != nil {
		b.t.Fatalf("%s: %v", text, err)
	}
}
