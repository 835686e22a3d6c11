package browser

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
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
// network, and push messages, which the shell of Chromium does not show.
func TestDevice(t *testing.T) {
	t.Parallel()
	n := newConnection(t)
	a := apptest.New(t, db.SQLite, apptest.Setting("WEB_ORIGIN", n.origin), apptest.Setting("PUBLIC_BASE_URL", n.origin),
		apptest.Setting("NOTIFICATIONS", "push"))
	to, err := url.Parse(a.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of requests that the browser has ended
	n.to.Store(proxy)
	for name, run := range map[string]func(j *journey, n *connection){
		"sign in by passkey":        signInByPasskey,
		"read the calendar offline": readOffline,
		"receive push messages":     receivePush,
	} {
		t.Run(name, func(t *testing.T) {
			chromium.runJourney(t, a, n.origin, name, true, func(j *journey) { run(j, n) })
		})
	}
}

// signInByPasskey adds a passkey, renames it, signs in with it and removes it.
func signInByPasskey(j *journey, _ *connection) {
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator,
			webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true, IsUserVerified: true,
				AutomaticPresenceSimulation: true,
			}})
		return err
	}))
	j.signInAs("ann")
	j.Open("/settings/security")
	j.Fill("Name of the passkey", "My laptop")
	j.Press("Add a passkey")
	j.await("the passkey", `document.querySelector(".rows b")?.textContent === "My laptop"`)
	j.Accessible()
	j.act("the new name", `document.querySelector('[name=passkey_id] ~ .row input')`,
		`field => { field.closest("details").open = true; field.value = "Desk"; field.form.requestSubmit(); }`)
	j.await("the renamed passkey", `document.querySelector(".rows b")?.textContent === "Desk"`)
	j.Press("Sign out")
	j.At("/")
	j.See("Sign in")
	j.Open("/login?return_to=/settings/security")
	j.At("/settings/security") // the authenticator takes what the e-mail field offers
	j.Press("Sign out")
	j.At("/")
	j.See("Sign in")
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error { // a browser that offers nothing
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: "PublicKeyCredential.isConditionalMediationAvailable = undefined"})
		return err
	}))
	j.Open("/login?return_to=/settings/security")
	j.Press("Sign in with a passkey")
	j.At("/settings/security")
	j.await("no token in scripts", `localStorage.length === 0 && sessionStorage.length === 0 && document.cookie === ""`)
	j.await("the last use", `document.querySelector(".rows .soft").textContent.includes("Last used")`)
	j.Press("Remove Desk")
	j.SeeNot("Desk")
}

// readOffline reads the calendar without network. Signing out deletes it.
func readOffline(j *journey, n *connection) {
	j.App.As("ben").In(j.T).Post("/calendar/entries", apptest.Fields{
		"title": "Dinner at home", "starts_at": j.App.Clock.Now().Add(50 * time.Hour).UTC().Format(time.RFC3339),
	}).Want(http.StatusCreated)
	joined := j.event("org", "Board games", apptest.Fields{"description": "Ring twice."})
	j.App.As("ben").In(j.T).Join(joined)
	j.signInAs("ben")
	j.Open("/calendar")
	j.stored(true)
	j.await("the session of the page", `fetch("/api/me").then(r => r.ok)`)
	n.down.Store(true)
	j.Open("/people")
	j.See("You are offline")
	j.See("Dinner at home")
	j.act("the details", `document.querySelector(".plans details")`, `details => { details.open = true; }`)
	j.See("Ring twice.")
	j.await("the icons", `performance.getEntriesByType("resource").some(e => e.name.includes("/assets/icons-"))`)
	n.down.Store(false)
	j.Open("/people")
	j.SeeNot("You are offline")
	j.stored(true)
	if !inWorker[bool](j, afterSignIn) {
		j.Error("the page of an account is left when another one may have signed in")
	}
	j.Open("/people")
	j.stored(true)
	j.Press("Sign out")
	j.At("/")
	j.See("Sign in")
	j.stored(false)
}

// afterSignIn is whether the worker has deleted the stored page after a form of the sign-in was sent.
const afterSignIn = `(async () => {
	const waits = [], event = new FetchEvent("fetch", {request: new Request("/do/verifyEmailSignIn", {method: "POST"})});
	event.waitUntil = (promise) => { waits.push(promise); };
	dispatchEvent(event);
	await Promise.all(waits);
	return (await caches.match("/offline", {ignoreVary: true})) === undefined;
})()`

// stored waits until the browser has stored the page without network, or nothing.
func (j *journey) stored(is bool) {
	j.Helper()
	want := "0"
	if is {
		want = "1"
	}
	j.await("a stored page: "+want, `(async () => {
		const workers = (await navigator.serviceWorker.getRegistrations()).filter(r => r.active), page = await caches.match("/offline", {ignoreVary: true});
		return String(Number(workers.length > 0 && page !== undefined)) === `+literal(want)+` && (`+want+` || (await caches.keys()).length === 0);
	})().then(Boolean)`)
}

// worker returns the id of the service worker of this window.
func (j *journey) worker() serviceworker.RegistrationID {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.registration
}

// receivePush switches push messages on, and shows one.
func receivePush(j *journey, n *connection) {
	j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, serviceworker.Enable, cdp.Empty{})
		if err == nil {
			_, err = cdp.Call(ctx, t, browser.SetPermission, browser.SetPermissionParams{
				Permission: &browser.PermissionDescriptor{Name: "notifications"}, Setting: browser.PermissionSettingGranted,
				Origin: n.origin, BrowserContextID: chromedp.FromContext(j.ctx).BrowserContextID,
			})
		}
		return err
	}))
	j.signInAs("chloe")
	j.Open("/settings/notifications")
	j.See("Receive them in this browser")
	j.stored(true)
	// The browser would ask a push service of its maker.
	j.act("the push service", "PushManager.prototype", `manager => { manager.subscribe = async () => ({
		endpoint: "https://push.example.com/chloe",
		keys: {p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg"},
	}); }`)
	j.Press("Receive them in this browser")
	j.SeeNot("Receive them in this browser")
	j.Accessible()
	j.deliver(n, `{"title":"Dinner is canceled","body":null,"href":"/calendar","tag":"dinner","unread_count":1}`,
		`navigator.serviceWorker.ready.then(r => r.getNotifications()).then(all => all.some(n => n.title === "Dinner is canceled" && n.data === "/calendar" && n.tag === "dinner"))`)
	j.clickNotifications(n)
	j.act("the device", `document.querySelector('[action="/do/deletePushSubscription"]')`, `form => form.requestSubmit()`)
	j.See("Receive them in this browser")
}

// clickNotifications clicks on notifications, of which each closes and opens its page, unless that is on another host.
// The worker gets events of a script, for which browsers open no windows.
func (j *journey) clickNotifications(n *connection) {
	j.Helper()
	got := inWorker[[]string](j, `(async () => {
		const opened = [], waits = [];
		clients.openWindow = async (address) => { opened.push(address); };
		const shown = () => registration.getNotifications({tag: "click"});
		const until = async (holds) => {
			for (let i = 0; i < 9000 && !holds(await shown()); i++) await new Promise((done) => setTimeout(done, 20));
			return shown();
		};
		for (const data of ["/calendar", null, "https://example.com/", "//example.com/", "javascript:0"]) {
			await registration.showNotification("Click", {data, tag: "click"});
			const [notification] = await until((all) => all.length > 0);
			const event = new NotificationEvent("notificationclick", {notification});
			event.waitUntil = (promise) => { waits.push(promise); };
			dispatchEvent(event);
			await Promise.all(waits);
			for (const open of await until((all) => all.length === 0)) opened.push("still shown: " + open.data);
		}
		return opened;
	})()`)
	if want := []string{n.origin + "/calendar", n.origin + "/notifications"}; !slices.Equal(got, want) {
		j.Errorf("clicks open %q, want %q", got, want)
	}
}

// inWorker returns the value of an expression in the service worker of this window.
func inWorker[T any](j *journey, expression string) T {
	j.Helper()
	var id target.ID
	testutil.Until(j.T, "the service worker", func() bool {
		j.await("a message to the worker, which starts it", `navigator.serviceWorker.ready.then(r => (r.active.postMessage(null), true))`)
		all, err := chromedp.Targets(j.ctx)
		if err != nil {
			j.Fatal(err)
		}
		for _, t := range all {
			if t.Type == "service_worker" && t.BrowserContextID == chromedp.FromContext(j.ctx).BrowserContextID {
				id = t.TargetID
			}
		}
		return id != ""
	})
	worker, detach := chromedp.NewContext(j.ctx, chromedp.WithTargetID(id))
	defer detach()
	value, err := chromedp.Run(worker, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		j.Fatal(err)
	}
	return value
}

// deliver delivers a push message until the browser shows it: Chromium loses one that comes while
// it starts the service worker again.
func (j *journey) deliver(n *connection, message, shown string) {
	j.Helper()
	testutil.Until(j.T, "the registration of the service worker", func() bool { return j.worker() != "" })
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		j.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, serviceworker.DeliverPushMessage, serviceworker.DeliverPushMessageParams{Origin: n.origin,
				RegistrationID: j.worker(), Data: message})
			return err
		}))
		for range 50 {
			if is, err := eval[bool](j, shown); err == nil && is {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
	j.Fatal("the push message is not shown")
}
