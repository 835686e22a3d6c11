package browser

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/evanw/esbuild/pkg/api"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestSDKInBrowser uses the SDK for TypeScript on a page.
func TestSDKInBrowser(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite, apptest.Setting("REALTIME_PING_INTERVAL", "1s"))
	server, refreshes := serveSDK(t, a)
	t.Run("tabs refresh once", func(t *testing.T) { tabsRefreshOnce(t, a, server, refreshes) })
	t.Run("a connection goes silent", func(t *testing.T) { readOnSilentNetwork(t, a, server) })
}

// readOnSilentNetwork reads a chat over a WebSocket on which everything is lost without an error. The client notices, connects again, and
// gets the message that it has missed.
func readOnSilentNetwork(t *testing.T, a *apptest.App, server string) {
	org, network := a.As("org"), apptest.NewCable(t, server)
	event := org.Publish(nil)
	shell.runJourney(t, a, server, "a silent network", true, func(j *journey) {
		j.do(chromedp.Navigate(server + "/tab"))
		inTab(j, `new Promise(live => {
			const Cable = class extends WebSocket { constructor(address, protocols) { super(address.replace(location.host, new URL("`+network.URL+
			`").host), protocols); } };
			realtime = new sdk.Realtime({url: location.origin, token: () => "`+org.AccessToken+`", WebSocket: Cable});
			realtime.onState = state => state === "live" && live(state);
			message = new Promise(arrived => { realtime.onFrame = frame => frame.message && arrived(frame.message.body); });
			realtime.subscribe("chat:`+event+`");
			realtime.start();
		})`)
		network.Silence()
		began := time.Now()
		org.Post("/events/"+event+"/messages", apptest.Fields{"body": "Hello"}).Want(http.StatusCreated)
		if got := inTab(j, `message`); got != "Hello" {
			t.Errorf("the message is %q", got)
		}
		testutil.Fault(t, "the network drops a WebSocket without an error", "the next message arrives after %v, with pings every second",
			time.Since(began).Round(time.Millisecond))
	})
}

// tabsRefreshOnce opens several tabs with one session. Whenever all of them find that its access token is refused, one refreshes
// it, and all get the new one.
func tabsRefreshOnce(t *testing.T, a *apptest.App, server string, refreshes *atomic.Int32) {
	shell.runJourney(t, a, server, "tabs", true, func(j *journey) {
		tabs := []*journey{j}
		for range 3 {
			ctx, closeTab := chromedp.NewContext(j.ctx)
			defer closeTab() //nolint:gocritic // the tabs are open until the end
			if err := chromedp.Do(ctx); err != nil {
				t.Fatal(err)
			}
			tabs = append(tabs, &journey{T: t, App: a, Scripts: true, name: "tab", ctx: ctx, base: server})
		}
		for _, tab := range tabs {
			tab.do(chromedp.Navigate(server + "/tab"))
		}
		tokens := a.SignIn(apptest.Email("tabs"))
		current := inTab(j, `session.start({access_token: "`+tokens.AccessToken+`", refresh_token: "`+tokens.RefreshToken+
			`", access_token_expires_at: "2100-01-01T00:00:00Z"}).then(() => session.token())`)
		for round := range int32(testutil.Rounds(3, 50)) {
			got := make([]string, len(tabs))
			var all sync.WaitGroup
			for i, tab := range tabs {
				all.Go(func() { got[i] = inTab(tab, `session.refresh("`+current+`")`) })
			}
			all.Wait()
			for i := range got {
				if got[i] == current || got[i] != got[0] {
					t.Errorf("tab %d has %q, the first one %q, before it was %q", i, got[i], got[0], current)
				}
			}
			if n := refreshes.Load(); n != round+1 {
				t.Errorf("%d refreshes, want %d", n, round+1)
			}
			current = got[0]
		}
	})
}

// inTab evaluates a promise of a text.
func inTab(j *journey, expression string) string {
	token, err := eval[string](j, expression)
	if err != nil {
		j.Error(err)
	}
	return token
}

// serveSDK serves an app, and /tab, a page with a session of the SDK. It counts refreshes.
func serveSDK(t *testing.T, a *apptest.App) (address string, refreshes *atomic.Int32) {
	t.Helper()
	built := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{Contents: `export * from "./session"; export * from "./realtime"`, ResolveDir: "../../../sdk/typescript/src",
			Loader: api.LoaderTS},
		Bundle: true, Format: api.FormatIIFE, GlobalName: "sdk",
	})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	target, err := url.Parse(a.URL())
	if err != nil {
		t.Fatal(err)
	}
	refreshes = &atomic.Int32{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	mux := http.NewServeMux()
	mux.Handle("/", proxy)
	mux.HandleFunc("POST /auth/refresh", func(w http.ResponseWriter, r *http.Request) {
		refreshes.Add(1)
		proxy.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /tab", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><link rel=icon href=data:,><script>"))
		_, _ = w.Write(built.OutputFiles[0].Contents)
		_, _ = w.Write([]byte("const session = new sdk.Session(location.origin, (request) => fetch(request), sdk.localStore())</script>"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, refreshes
}
