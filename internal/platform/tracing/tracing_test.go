package tracing_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"moothall/internal/platform/tracing"
)

// statement is what package db does for a statement.
func statement(ctx context.Context) (err error) {
	defer tracing.Start(ctx, "event.read").End(&err)
	return err
}

// TestOffAllocatesNothing checks that spans allocate nothing without a tracer.
func TestOffAllocatesNothing(t *testing.T) {
	ctx := context.WithValue(t.Context(), key{}, 1)
	allocations := testing.AllocsPerRun(100, func() {
		var none *tracing.Tracer
		ctx, span := none.Begin(ctx, "request", "")
		_ = statement(ctx)
		if tracing.Parent(ctx) != "" {
			t.Error("a parent")
		}
		span.SetText("request_id", "1")
		span.End(nil)
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}

type key struct{}

// TestRedirectOfCollectorIsNotFollowed lets the collector redirect to another server, which must not get the
// headers.
func TestRedirectOfCollectorIsNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer other.Close()
	asked := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("Api-Key")
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	defer collector.Close()
	tracer := tracing.New(tracing.Options{Endpoint: collector.URL, Headers: map[string]string{"api-key": "secret"}, Ratio: 1, Log: slog.New(slog.DiscardHandler)})
	_, span := tracer.Begin(t.Context(), "request", "")
	span.End(nil)
	if err := tracer.Close(t.Context()); err != nil || <-asked != "secret" {
		t.Errorf("the collector did not get the header, %v", err)
	}
}

// BenchmarkStatement measures what traces add to a statement: without a tracer, in a request that is
// not recorded, and in one that is.
func BenchmarkStatement(b *testing.B) {
	run := func(name string, ctx context.Context) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = statement(ctx)
			}
		})
	}
	run("off", b.Context())
	for name, ratio := range map[string]float64{"not recorded": 0, "recorded": 1} {
		tracer := tracing.New(tracing.Options{Endpoint: "http://127.0.0.1:1", Ratio: ratio, Log: slog.New(slog.DiscardHandler)})
		ctx, span := tracer.Begin(b.Context(), "request", "")
		run(name, ctx)
		span.End(nil)
		stopped, cancel := context.WithCancel(context.Background())
		cancel()
		_ = tracer.Close(stopped)
	}
}
