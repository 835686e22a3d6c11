package service_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"moothall/bench/bulk"
	"moothall/bench/dataset"
	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/platform/db"
)

var anyListedStmt = db.SQL("service_test.any_listed", `SELECT e.id FROM events e WHERE e.listed ORDER BY e.id DESC LIMIT 1`)

// BenchmarkTracing measures what traces add to the list and to the details of an event: without a collector, if no
// request is recorded, and with shares of recorded ones. The caches are off, and then on. "more-%" compares the
// allocations with those without a collector.
func BenchmarkTracing(b *testing.B) {
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }))
	defer collector.Close()
	database := "sqlite:" + b.TempDir() + "/moothall.db"
	event := seeded(b, database)
	for _, cache := range []string{"0", "64"} {
		for _, path := range []string{"/events?limit=20", "/events/" + event} {
			name := map[bool]string{true: "list", false: "details"}[path != "/events/"+event] + map[bool]string{true: " cached"}[cache != "0"]
			var without float64
			for _, ratio := range []string{"", "0", "0.01", "0.1", "1"} {
				settings := map[string]string{"DATABASE_URL": database, "CACHE_MB": cache, "LOG_LEVEL": "error"}
				if ratio != "" {
					settings["OTEL_EXPORTER_OTLP_ENDPOINT"], settings["OTEL_TRACES_SAMPLER_ARG"] = collector.URL, ratio
				}
				a, err := app.New(b.Context(), load(b, settings), nil, slog.New(slog.DiscardHandler))
				if err != nil {
					b.Fatal(err)
				}
				b.Run(name+" "+map[bool]string{true: "no traces", false: "ratio " + ratio}[ratio == ""], func(b *testing.B) {
					b.ReportAllocs()
					w, template := &discard{header: http.Header{}}, httptest.NewRequest(http.MethodGet, path, nil)
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					for b.Loop() {
						request := *template
						clear(w.header)
						a.Handler().ServeHTTP(w, &request)
					}
					runtime.ReadMemStats(&after)
					each := float64(after.Mallocs-before.Mallocs) / float64(b.N)
					if ratio == "" {
						without = each
					}
					b.ReportMetric(100*(each/without-1), "more-%")
				})
				if err := a.Close(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// seeded writes events to a database and returns the id of a listed one.
func seeded(b *testing.B, database string) string {
	a, err := app.New(b.Context(), load(b, map[string]string{"DATABASE_URL": database}), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	data, err := dataset.New(dataset.Plan{Seed: 1, Users: 100, Events: 500, Now: now})
	if err != nil {
		b.Fatal(err)
	}
	if err := bulk.Fill(b.Context(), a.DB(), data, bulk.Options{}); err != nil {
		b.Fatal(err)
	}
	var id domain.EventID
	if err := a.DB().One(b.Context(), anyListedStmt).Scan(&id); err != nil {
		b.Fatal(err)
	}
	if err := a.Close(); err != nil {
		b.Fatal(err)
	}
	return id.String()
}
