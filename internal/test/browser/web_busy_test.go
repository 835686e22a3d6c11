package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
	"moothall/internal/web"
	"moothall/internal/web/basemap"
	"moothall/internal/web/documents"
)

// TestBusyPagesAreLoadedAgain opens pages and sends forms while operations are refused with 503.
func TestBusyPagesAreLoadedAgain(t *testing.T) {
	busy := func(context.Context, *gen.Call) (any, error) {
		return nil, &gen.Refusal{Status: http.StatusServiceUnavailable, Code: "service_unavailable", RetryAfter: 7}
	}
	site := web.New(web.Options{Clock: time.Now, BaseURL: origin, Origin: origin, Calls: &gen.Calls{Invoke: busy},
		Documents: &documents.Library{}, Map: basemap.NewMap(basemap.Tiles{}, time.Now)})
	send := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, origin+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		if action, isForm := strings.CutPrefix(path, "/do/"); isForm {
			r.SetPathValue("action", action)
			wantNone(t, site.Do(w, r))
		} else {
			wantNone(t, site.ServePage(w, r))
		}
		return w
	}
	for _, c := range []struct {
		name, method, path, body string
		reload                   string
	}{
		{"a page", http.MethodGet, "/people?q=ann", "", "7"},
		{"a list", http.MethodGet, "/", "", "7"},
		{"a form", http.MethodPost, "/do/startEmailSignIn", url.Values{"page": {"/login"}, "email": {"ann@example.org"}}.Encode(), ""},
		{"a form on a page that is refused, too", http.MethodPost, "/do/startEmailSignIn", url.Values{"page": {"/people?q=ann"}}.Encode(), ""},
	} {
		r := send(c.method, c.path, c.body)
		if h := r.Header(); r.Code != http.StatusServiceUnavailable || h.Get("Retry-After") != "7" || h.Get("Refresh") != c.reload {
			t.Errorf("%s: %d, Retry-After %q, Refresh %q", c.name, r.Code, h.Get("Retry-After"), h.Get("Refresh"))
		}
	}
}

// TestPagesDoNotWaitForWriter opens every page while a transaction holds the writer of the database, which ends after the last
// page. Writes wait for a minute, so a browser gives up on a page that waits for one. Sessions that would be extended stay as they are.
func TestPagesDoNotWaitForWriter(t *testing.T) {
	t.Parallel()
	w := newHostileWorld(t, 0, apptest.Setting("DATABASE_ACQUIRE_TIMEOUT", "1m"))
	visitors := map[string]*webBrowser{"": visitor(t, w.App), "ann": signedIn(t, w.App, "ann"), "org": signedIn(t, w.App, "org"),
		"mod": signedIn(t, w.App, "mod")}
	for _, b := range visitors {
		b.client.Timeout = 20 * time.Second
	}
	held, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- w.DB.InTx(t.Context(), func(db.Tx) error {
			close(held)
			<-release
			return nil
		})
	}()
	<-held
	defer func() {
		close(release)
		wantNone(t, <-ended)
	}()
	for _, row := range pageRows {
		want := http.StatusOK
		if row.path == "/nowhere" {
			want = http.StatusNotFound
		}
		for _, as := range row.as {
			path := w.address(row.path)
			r := visitors[as].open(path)
			if to := r.Header.Get("Location"); to != "" { // a part of a page, for htmx
				r = visitors[as].open(to)
			}
			if r.StatusCode != want || strings.Contains(strings.Join(r.Header.Values("Set-Cookie"), ";"), apptest.RefreshCookie+"=") {
				t.Fatalf("%s as %q: %d, %v", path, as, r.StatusCode, r.Header)
			}
		}
	}
}

// wantNone fails the test for an error that the server would answer.
func wantNone(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestPagesWaitForNoWrite opens pages and their socket while nothing can be written.
func TestPagesWaitForNoWrite(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org, ann := a.As("org"), a.As("ann")
	event := org.Publish(nil)
	ann.Join(event)
	org.Post("/events/"+event+"/messages", apptest.Fields{"body": "Welcome"}).Want(http.StatusCreated)
	b, shared, person := visitor(t, a), pageOf(org, event), personOf(org)
	session := a.SignIn(apptest.Email("ann"))
	b.setCookie(apptest.RefreshCookie, session.RefreshToken)
	b.setCookie("refreshed", "1")
	a.Clock.Advance(time.Hour) // the session was not used for a while
	begun, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- a.DB.InTx(context.Background(), func(db.Tx) error {
			close(begun)
			<-release
			return nil
		})
	}()
	<-begun
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		for _, page := range []string{"/", "/events/" + event, "/events/" + event + "/chat", "/feed", "/calendar", "/notifications", "/profile",
			"/people", "/settings", "/settings/security", "/users/" + org.UserID, shared, person} {
			if r := b.open(page); r.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", page, r.StatusCode)
			}
		}
		a.Anonymous().With("Cookie", apptest.RefreshCookie+"="+session.RefreshToken).With("Origin", origin).Socket("/realtime").Want("welcome")
	}()
	select {
	case <-answered:
	case <-time.After(20 * time.Second): // the wait for a write takes 30
		t.Error("a page waits for a write")
	}
	close(release)
	<-answered
	if err := <-ended; err != nil {
		t.Error(err)
	}
	reader := a.SignIn(apptest.Email("ann"))
	testutil.Until(t, "the chat is read", func() bool {
		return reader.Get("/me/chats").Want(http.StatusOK).Get("items.0.unread_count") == 0.0
	})
}
