package httpapi_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
)

// discard is a response writer that discards everything.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkServer compares the server with a handler that writes the same bytes, with
// the generated server alone, and with a cached response.
func BenchmarkServer(b *testing.B) {
	s, err := httpapi.New(operations{}, httpapi.Options{
		Log: slog.New(slog.NewJSONHandler(nothing{}, nil)), Metrics: prometheus.NewRegistry(), Authenticator: authenticator{},
		AllowedOrigins: []string{webOrigin}, MaxInFlight: 100, RequestTimeout: time.Minute,
	})
	if err != nil {
		b.Fatal(err)
	}
	operation, err := gen.NewServer(operations{}, operations{})
	if err != nil {
		b.Fatal(err)
	}
	generated := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route, _ := operation.FindPath(r.Method, r.URL)
		operation.Serve(route.OperationID(), route.Args(), w, r)
	})
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write([]byte(`{"items":[],"next_cursor":null}`))
	})
	d, err := db.Open(b.Context(), "sqlite:"+b.TempDir()+"/moothall.db", db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	caching, err := httpapi.New(operations{events: func(ctx context.Context, _ gen.ListEventsParams) (*gen.EventListResponse, error) {
		cache.Until(ctx, time.Time{})
		return &gen.EventListResponse{}, nil
	}}, httpapi.Options{
		Log: slog.New(slog.NewJSONHandler(nothing{}, nil)), Metrics: prometheus.NewRegistry(), Authenticator: authenticator{},
		AllowedOrigins: []string{webOrigin}, MaxInFlight: 100, RequestTimeout: time.Minute,
		CachedOperations: map[string][]db.Kind{"listEvents": {}},
		Cache:            cache.NewMemory(d, domain.SystemClock(), 1<<20, prometheus.NewRegistry()),
	})
	if err != nil {
		b.Fatal(err)
	}
	body := `{"title":"Board games","description":"` + strings.Repeat("Bring your own. ",
		20) + `","starts_at":"2027-01-01T10:00:00Z","lat":52.5,"lng":13.4}`
	for _, c := range []struct {
		name, method, path, body string
		handler                  http.Handler
	}{
		{"bare", "GET", "/events?limit=20&city=Berlin", "", bare},
		{"generated", "GET", "/events?limit=20&city=Berlin", "", generated},
		{"whole", "GET", "/events?limit=20&city=Berlin", "", s},
		{"cached", "GET", "/events?limit=20&city=Berlin", "", caching},
		{"whole with body", "POST", "/events", body, s},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := httptest.NewRequest(c.method, c.path, nil)
			r.Header.Set("Content-Type", "application/json")
			if c.method == http.MethodPost {
				r.Header.Set("Authorization", "Bearer "+goodToken)
			}
			b.ReportAllocs()
			for b.Loop() {
				if c.body != "" {
					r.Body = io.NopCloser(strings.NewReader(c.body))
				}
				c.handler.ServeHTTP(&discard{header: http.Header{}}, r)
			}
		})
	}
}

type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }
