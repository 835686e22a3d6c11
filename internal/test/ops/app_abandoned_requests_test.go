package ops_test

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// abandoner hangs up on the clients of requests at one of their statements.
type abandoner struct {
	mu     sync.Mutex
	hangUp context.CancelFunc // of the current request; nil after it was called
	left   int                // statements until then
}

// arm makes the request that hangUp cancels end before statement n, counted from 0.
func (a *abandoner) arm(n int, hangUp context.CancelFunc) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left, a.hangUp = n, hangUp
}

// disarm reports whether the client has hung up.
func (a *abandoner) disarm() (abandoned bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	abandoned, a.hangUp = a.hangUp == nil, nil
	return abandoned
}

func (a *abandoner) beforeStatement(ctx context.Context, _ *db.Stmt) {
	if ctx.Value(http.LocalAddrContextKey) == nil {
		return // a job
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.left--; a.left >= 0 || a.hangUp == nil {
		return
	}
	a.hangUp()
	a.hangUp = nil
	<-ctx.Done() // a statement without it is not abandoned
}

// TestAbandonedRequestsAreNoErrors hangs up on requests at each of their statements. None is logged as an error or as a
// panic, or counted as 5xx.
func TestAbandonedRequestsAreNoErrors(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			hang := &abandoner{}
			testAbandonedRequests(t, apptest.New(t, engine, apptest.OnStatement(hang.beforeStatement)), hang)
		})
	}
}

func testAbandonedRequests(t *testing.T, a *apptest.App, hang *abandoner) {
	t.Helper()
	ann := a.As("ann")
	event, others := ann.Publish(nil), a.As("bob").Publish(nil)
	for _, r := range []abandonedRequest{
		{path: "/", accept: "text/html"},
		{path: "/events/" + event, accept: "text/html"},
		{path: "/feed", accept: "text/html"},
		{path: "/calendar", accept: "text/html"},
		{path: "/users/" + ann.UserID, accept: "text/html"},
		{path: "/feeds/events.atom"},
		{path: "/users/" + ann.UserID + "/events.ics"},
		{path: "/embed/events"},
		{path: "/oembed?url=" + strings.TrimSuffix(apptest.BaseURL, "/api") + "/events/" + event},
		{path: "/cards/" + event + ".png"},
		{path: "/sitemap.xml"},
		{path: "/sitemap-groups.xml"},
		{path: "/events"},
		{path: "/me"},
		{path: "/healthz"},
		{path: "/readyz"},
		{path: "/events/" + others + "/ws", socket: true}, // refused: an open socket is no request
		{method: "POST", path: "/events/" + event + "/join"},
		{method: "POST", path: "/events/" + event + "/publish"},
		{method: "POST", path: "/calendar/feed"},
	} {
		for n := 0; hang.abandons(a, ann, r, n); n++ { // until it has fewer statements
		}
	}
	a.Stop(0) // waits for the requests
	for line := range strings.Lines(a.Log()) {
		if strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "panic") {
			t.Errorf("%.400s", line)
		}
	}
	for line := range strings.Lines(a.Metrics()) {
		if strings.Contains(line, `status="5`) {
			t.Error(line)
		}
	}
}

// abandonedRequest is a request without a body: the server does not notice that a client is gone before it has read
// the body.
type abandonedRequest struct {
	method       string // GET if empty
	path, accept string
	socket       bool // the handshake of a socket
}

// abandons sends a request whose client hangs up at statement n. It reports whether the request has so many.
func (a *abandoner) abandons(app *apptest.App, by *apptest.Client, r abandonedRequest, n int) bool {
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	a.arm(n, hangUp)
	request, _ := http.NewRequestWithContext(ctx, cmp.Or(r.method, http.MethodGet), app.URL()+r.path, http.NoBody) // the address is valid
	request.Header = http.Header{"Accept": {r.accept}}
	if r.socket {
		request.Header = http.Header{
			"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
			"Origin": {apptest.WebOrigin},
		}
	}
	request.AddCookie(&http.Cookie{Name: httpapi.RefreshCookieName, Value: by.RefreshToken})
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		_ = response.Body.Close()
	}
	return a.disarm()
}
