package webtest

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// connection is between a browser and a service at localhost, where browsers allow passkeys and
// service workers without https. It can fail.
type connection struct {
	origin string
	to     atomic.Pointer[httputil.ReverseProxy]
	down   atomic.Bool
}

func newConnection(t *testing.T) *connection {
	t.Helper()
	n := &connection{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.down.Load() {
			panic(http.ErrAbortHandler) // closes the connection
		}
		n.to.Load().ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	n.origin = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return n
}

// TestDevice runs the journeys that need an origin of their own: passkeys, the pages without
// network, and push messages.
func TestDevice(t *testing.T) {
	t.Parallel()
	n := newConnection(t)
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", n.origin), apptest.Setting("PUBLIC_BASE_URL", n.origin), apptest.Setting("PUSH_NOTIFICATIONS", "true"))
	to, err := url.Parse(a.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests that the browser has ended
	n.to.Store(proxy)
	for name, run := range map[string]func(j *journey, n *connection){
		"sign in by passkey": signInByPasskey,
	} {
		t.Run(name, func(t *testing.T) {
			runJourneyAt(t, a, n.origin, name, true, func(j *journey) { run(j, n) })
		})
	}
}

// signInByPasskey adds a passkey, renames it, signs in with it and removes it.
func signInByPasskey(j *journey, _ *connection) {
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		return err
	}))
	j.signInAs("ann")
	j.Open("/settings/security")
	j.Fill("Name of the passkey", "My laptop")
	j.Press("Add a passkey")
	j.await("the passkey", `document.querySelector(".rows b")?.textContent === "My laptop"`)
	j.Accessible()
	j.await("the new name", `(field => field && (field.closest("details").open = true, field.value = "Desk", field.form.requestSubmit(), true))(document.querySelector('[name=passkey_id] ~ .row input'))`)
	j.await("the renamed passkey", `document.querySelector(".rows b")?.textContent === "Desk"`)
	j.Press("Sign out")
	j.At("/")
	j.See("Sign in")
	j.Open("/login?return_to=/settings/security")
	j.Accessible()
	j.Press("Sign in with a passkey")
	j.At("/settings/security")
	j.await("no token in scripts", `localStorage.length === 0 && sessionStorage.length === 0 && document.cookie === ""`)
	j.await("the last use", `document.querySelector(".rows .soft").textContent.includes("Last used")`)
	j.Press("Remove Desk")
	j.SeeNot("Desk")
}
