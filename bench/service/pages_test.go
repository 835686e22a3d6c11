// Package service_test has benchmarks of the service that run in its process.
package service_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/ops/app"
	"moothall/internal/platform/observe"
	"moothall/internal/test/apptest"
)

// BenchmarkPages measures pages of the demo and the operation that each one calls. A fresh page of an anonymous visitor is rendered
// from cached values of its operations; without caches, all values are computed, too. Pages of signed-in visitors are always fresh.
// A bare handler, which writes the same bytes, is the floor. cpu-µs/op is processor time, which depends less on other work of the
// machine than wall time. B/page is the size of a page as it is sent. "signed in gzip" is what browsers request. "operations signed in" is
// what the operations of the page of a signed-in visitor cost as requests of their own, which is the floor of that page.
func BenchmarkPages(b *testing.B) {
	database := "sqlite:" + b.TempDir() + "/moothall.db"
	service, uncached := newService(b, database, "64"), newService(b, database, "0")
	if err := service.FillDemo(b.Context()); err != nil {
		b.Fatal(err)
	}
	cookie := signIn(b, service.Handler(), "anna@example.org")
	const event = "/api/events/018f3b0a-5c1d-7000-8000-0000000000e1"
	for _, c := range []struct{ name, page, operation, second string }{
		{"discover", "/", "/api/events?limit=20", "/api/feed?limit=4"},
		{"event", shareURL(b, service.Handler(), event), event, event + "/posts?limit=5"},
	} {
		html, zipped := newRequest(c.page, "text/html"), newRequest(c.page, "text/html")
		member, browser := newRequest(c.page, "text/html"), newRequest(c.page, "text/html")
		zipped.Header.Set("Accept-Encoding", "gzip")
		member.Header.Set("Cookie", cookie)
		browser.Header = http.Header{
			"Accept": {"text/html,*/*;q=0.8"}, "Accept-Encoding": {"gzip, deflate, br"}, "Cookie": {cookie + "; refreshed=1"},
			"Sec-Fetch-Dest": {"document"}, "Sec-Fetch-Mode": {"navigate"}, "Sec-Fetch-Site": {"none"},
		}
		b.Run(c.name+"/bare", func(b *testing.B) { perRequest(b, bare(service.Handler(), html), html, false) })
		b.Run(c.name+"/cached", func(b *testing.B) { perRequest(b, service.Handler(), html, false) })
		b.Run(c.name+"/cached gzip", func(b *testing.B) { perRequest(b, service.Handler(), zipped, false) })
		b.Run(c.name+"/operation cached", func(b *testing.B) { perRequest(b, service.Handler(), newRequest(c.operation, "*/*"), false) })
		b.Run(c.name+"/fresh", func(b *testing.B) { perRequest(b, service.Handler(), html, true) })
		b.Run(c.name+"/fresh gzip", func(b *testing.B) { perRequest(b, service.Handler(), zipped, true) })
		b.Run(c.name+"/without caches", func(b *testing.B) { perRequest(b, uncached.Handler(), html, true) })
		operations := []string{"/api/me", "/api/notifications/unread-count", c.operation, c.second}
		b.Run(c.name+"/operations signed in", func(b *testing.B) { perRequest(b, eachOf(service.Handler(), operations), member, false) })
		b.Run(c.name+"/signed in", func(b *testing.B) { perRequest(b, service.Handler(), member, false) })
		b.Run(c.name+"/signed in gzip", func(b *testing.B) { perRequest(b, service.Handler(), browser, false) })
	}
}

// bare returns a handler that writes the bytes of a page.
func bare(service http.Handler, r *http.Request) http.Handler {
	page := httptest.NewRecorder()
	service.ServeHTTP(page, r)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page.Body.Bytes())
	})
}

// eachOf returns a handler that carries out operations for the caller of a request.
func eachOf(service http.Handler, operations []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, path := range operations {
			own := newRequest(path, "application/json")
			own.Header["Cookie"] = r.Header["Cookie"]
			service.ServeHTTP(w, own)
		}
	})
}

// newService returns a service on a database, with caches of a size in MB. It runs no jobs.
func newService(b *testing.B, database, cacheMB string) *app.App {
	b.Helper()
	const origin = "http://moothall.test"
	settings := load(b, map[string]string{
		"DATABASE_URL": database, "SECRET_KEY": apptest.SecretKey, "RATE_LIMITS": "off", "MEDIA": b.TempDir(), "CACHE_MB": cacheMB,
		"WEB_ORIGIN": origin, "PUBLIC_BASE_URL": origin, "AUTH_DEV_EXPOSE_CODE": "true",
	})
	service, err := app.New(b.Context(), settings, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = service.Close() })
	return service
}

// shareURL returns the address of the page of an event or a group, which an operation returns.
func shareURL(b *testing.B, service http.Handler, operation string) string {
	b.Helper()
	w := httptest.NewRecorder()
	service.ServeHTTP(w, newRequest(operation, "*/*"))
	_, rest, found := strings.Cut(w.Body.String(), `"share_url":"`)
	address, _, closed := strings.Cut(rest, `"`)
	if !found || !closed {
		b.Fatal(w.Body)
	}
	return address
}

// signIn returns the cookie of a new session of the user with an e-mail address.
func signIn(b *testing.B, service http.Handler, email string) string {
	b.Helper()
	post := func(path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if service.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(path, w.Code, w.Body)
		}
		return w
	}
	var start struct {
		Code string `json:"dev_code"`
	}
	if err := json.Unmarshal(post("/api/auth/dev/start", `{"email":"`+email+`"}`).Body.Bytes(), &start); err != nil {
		b.Fatal(err)
	}
	session := post("/api/auth/dev/verify", `{"email":"`+email+`","code":"`+start.Code+`"}`)
	for _, c := range session.Result().Cookies() {
		if c.Name == apptest.RefreshCookie {
			return c.Name + "=" + c.Value
		}
	}
	b.Fatal("no session")
	return ""
}

func load(b *testing.B, settings map[string]string) app.Settings {
	b.Helper()
	s, err := app.LoadSettings(func(name string) (string, bool) {
		value, ok := settings[name]
		return value, ok
	})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func newRequest(path, accept string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, path, http.NoBody)
	r.Header.Set("Accept", accept)
	return r
}

// perRequest measures a request. A fresh one has a query of its own, which the page ignores.
func perRequest(b *testing.B, h http.Handler, r *http.Request, fresh bool) {
	b.Helper()
	b.ReportAllocs()
	before, sent := observe.ProcessorTime(), 0
	for b.Loop() {
		own, w := *r, &discard{header: http.Header{}}
		if fresh {
			own.URL = &url.URL{Path: r.URL.Path, RawQuery: "n=" + strconv.FormatInt(time.Now().UnixNano(), 36)}
			own.RequestURI = own.URL.RequestURI()
		}
		own.Header = r.Header.Clone()
		if h.ServeHTTP(w, &own); w.status != http.StatusOK {
			b.Fatal(w.status)
		}
		sent = w.bytes
	}
	b.ReportMetric(float64(sent), "B/page")
	b.ReportMetric(float64(observe.ProcessorTime()-before)/float64(time.Microsecond)/float64(b.N), "cpu-µs/op")
}

// discard is a response writer that discards the body.
type discard struct {
	header http.Header
	status int
	bytes  int
}

func (d *discard) Header() http.Header { return d.header }

func (d *discard) WriteHeader(status int) { d.status = status }

func (d *discard) Write(p []byte) (int, error) {
	if d.status == 0 {
		d.status = http.StatusOK
	}
	d.bytes += len(p)
	return len(p), nil
}
