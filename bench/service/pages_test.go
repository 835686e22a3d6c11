// Package service_test has benchmarks of the service that run in its process.
package service_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"
	"time"

	"moothall/internal/ops/app"
	"moothall/internal/platform/observe"
	"moothall/internal/test/apptest"
)

// BenchmarkPages measures pages of the demo for anonymous visitors, and the operation that each one calls. A fresh page is rendered
// from responses of operations that are cached. A bare handler, which writes the same bytes, is the floor. cpu-µs/op is
// processor time, which depends less on other work of the machine than wall time.
func BenchmarkPages(b *testing.B) {
	const origin = "http://moothall.test"
	settings := load(b, map[string]string{
		"DATABASE_URL": "sqlite:" + b.TempDir() + "/moothall.db", "SECRET_KEY": apptest.SecretKey, "RATE_LIMITS": "off", "MEDIA": b.TempDir(),
		"WEB_ORIGIN": origin, "PUBLIC_BASE_URL": origin,
	})
	service, err := app.New(b.Context(), settings, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = service.Close() }()
	if err := service.FillDemo(b.Context()); err != nil {
		b.Fatal(err)
	}
	const event = "/events/018f3b0a-5c1d-7000-8000-0000000000e1"
	for _, c := range []struct{ name, page, operation string }{
		{"discover", "/", "/api/events?limit=20"},
		{"event", event, "/api" + event},
	} {
		html, zipped := newRequest(c.page, "text/html"), newRequest(c.page, "text/html")
		zipped.Header.Set("Accept-Encoding", "gzip")
		page := httptest.NewRecorder()
		service.Handler().ServeHTTP(page, html)
		bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(page.Body.Bytes())
		})
		b.Run(c.name+"/bare", func(b *testing.B) { perRequest(b, bare, html, false) })
		b.Run(c.name+"/cached", func(b *testing.B) { perRequest(b, service.Handler(), html, false) })
		b.Run(c.name+"/cached gzip", func(b *testing.B) { perRequest(b, service.Handler(), zipped, false) })
		b.Run(c.name+"/operation cached", func(b *testing.B) { perRequest(b, service.Handler(), newRequest(c.operation, "*/*"), false) })
		b.Run(c.name+"/fresh", func(b *testing.B) { perRequest(b, service.Handler(), html, true) })
		b.Run(c.name+"/fresh gzip", func(b *testing.B) { perRequest(b, service.Handler(), zipped, true) })
	}
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
	before := observe.ProcessorTime()
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
	}
	b.ReportMetric(float64(observe.ProcessorTime()-before)/float64(time.Microsecond)/float64(b.N), "cpu-µs/op")
}

// discard is a response writer that discards the body.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header { return d.header }

func (d *discard) WriteHeader(status int) { d.status = status }

func (d *discard) Write(p []byte) (int, error) {
	if d.status == 0 {
		d.status = http.StatusOK
	}
	return len(p), nil
}
