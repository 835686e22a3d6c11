package tracing_test

import (
	"context"
	"log/slog"
	"testing"

	"moothall/internal/platform/tracing"
)

// statement is what package db does for a statement.
func statement(ctx context.Context) (err error) {
	defer tracing.Start(ctx, "event.read").End(&err)
	return err
}

// TestOffAllocatesNothing checks that requests pay nothing for traces that nobody records.
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
