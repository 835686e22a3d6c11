package webtest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/evanw/esbuild/pkg/api"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// TestTabsRefreshOnce opens several tabs with one session of the SDK for TypeScript. Whenever all of them find that its access
// token is refused, one refreshes it, and all get the new one.
func TestTabsRefreshOnce(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite)
	server, refreshes := serveSDK(t, a)
	runJourneyAt(t, a, server, "tabs", true, func(j *journey) {
		tabs := []*journey{j}
		for range 3 {
			ctx, closeTab := chromedp.NewContext(j.ctx)
			defer closeTab()
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
		for round := range int32(apptest.Rounds(3, 50)) {
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

// inTab evaluates a promise of a token.
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
		EntryPoints: []string{"../../sdk/typescript/src/session.ts"}, Bundle: true, Format: api.FormatIIFE, GlobalName: "sdk",
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
