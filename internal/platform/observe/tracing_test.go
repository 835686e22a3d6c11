package observe_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/observe"
)

// statement is what package db does for a statement.
func statement(ctx context.Context) (err error) {
	defer observe.StartSpan(ctx, "event.read").End(&err)
	return err
}

// TestUnrecordedSpansAllocateNothing begins traces without a tracer, and traces that the ratio excludes.
func TestUnrecordedSpansAllocateNothing(t *testing.T) {
	ctx := context.WithValue(t.Context(), key{}, 1)
	idle := observe.NewTracer(observe.TracerOptions{Endpoint: "http://127.0.0.1:1", Ratio: 0, Log: slog.New(slog.DiscardHandler)})
	defer closeNow(idle)
	for name, tracer := range map[string]*observe.Tracer{"no tracer": nil, "excluded": idle} {
		allocations := testing.AllocsPerRun(100, func() {
			ctx, span := tracer.Begin(ctx, "request", "")
			_ = statement(ctx)
			if observe.TraceParent(ctx) != nil {
				t.Error("a parent")
			}
			span.SetText("request_id", "1")
			span.End(nil)
		})
		if allocations != 0 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

type key struct{}

// TestMalformedParentIsIgnored begins traces with headers that the specification of W3C forbids, or whose trace is not
// recorded.
func TestMalformedParentIsIgnored(t *testing.T) {
	const valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	tracer := observe.NewTracer(observe.TracerOptions{Endpoint: "http://127.0.0.1:1", Ratio: 0, Log: slog.New(slog.DiscardHandler)})
	defer closeNow(tracer)
	for name, parent := range map[string]string{
		"no parent": "", "not recorded": strings.TrimSuffix(valid, "1") + "0", "no trace": "00-" + strings.Repeat("0", 32) + valid[35:],
		"no span": valid[:36] + strings.Repeat("0", 16) + "-01", "capital letters": strings.ToUpper(valid), "version ff": "ff" + valid[2:],
		"another field": valid + "-x", "too long": strings.Repeat(valid, 400), "other digits": strings.Replace(valid, "4b", "zz", 1),
		"two": valid + "," + valid,
	} {
		if _, span := tracer.Begin(t.Context(), "request", parent); span.IsRecorded() {
			t.Errorf("%s: recorded", name)
		}
	}
	if _, span := tracer.Begin(t.Context(), "request", valid); !span.IsRecorded() {
		t.Error("valid: not recorded")
	}
}

// closeNow closes a tracer and drops the spans that wait.
func closeNow(t *observe.Tracer) {
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	_ = t.Close(stopped)
}

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
	tracer := observe.NewTracer(observe.TracerOptions{Endpoint: collector.URL, Headers: map[string]string{"api-key": "secret"}, Ratio: 1,
		Log: slog.New(slog.DiscardHandler)})
	_, span := tracer.Begin(t.Context(), "request", "")
	span.End(nil)
	if err := tracer.Close(t.Context()); err != nil || <-asked != "secret" {
		t.Errorf("the collector did not get the header, %v", err)
	}
}

// TestFaultsOfCollector sends spans to collectors that fail. The spans are dropped and counted, nothing is repeated, and
// one line of the log says why.
func TestFaultsOfCollector(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"the collector responded 500": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"the collector responded 429": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"the collector responded 404": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.CopyN(w, zeros{}, 1<<20)
		},
		"EOF":                func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"certificate":        nil,
		"connection refused": nil,
	} {
		var requests atomic.Int32
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { requests.Add(1); answer(w, r) }))
		server.Config.ErrorLog = log.New(io.Discard, "", 0)
		if name == "certificate" {
			server.StartTLS()
		} else {
			server.Start()
		}
		if name == "connection refused" {
			server.Close()
		}
		var written strings.Builder
		tracer := observe.NewTracer(observe.TracerOptions{Endpoint: server.URL, Ratio: 1, Log: slog.New(slog.NewTextHandler(&written, nil))})
		for range 600 { // more than one request
			_, span := tracer.Begin(t.Context(), "request", "")
			span.End(nil)
		}
		err := tracer.Close(t.Context())
		server.Close()
		want := "moothall_trace_spans_total{result=failed} 600"
		if got := metrics(t, tracer); err != nil || !strings.Contains(got, want) || strings.Count(written.String(), "\n") != 1 ||
			!strings.Contains(written.String(), name) {
			t.Errorf("%s: %v, %s, %s", name, err, got, written.String())
		}
		if requests.Load() > 2 {
			t.Errorf("%s: %d requests for two batches", name, requests.Load())
		}
	}
}

// TestPauseOfCollector lets a collector refuse the first of two batches. With a Retry-After, it gets no second request before that
// time.
func TestPauseOfCollector(t *testing.T) {
	const later, now = "Fri, 01 Jan 2100 10:00:00 GMT", "Fri, 20 Nov 2020 10:00:00 GMT"
	for _, row := range []struct {
		status     int
		retryAfter string
		requests   int32
	}{
		{429, "3600", 1},
		{503, "3600", 1},
		{429, later, 1},
		{429, "", 2},
		{503, "0", 2},
		{503, now, 2},
		{429, "soon", 2},
		{400, "3600", 2},
		{200, "3600", 2},
	} {
		var requests atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			w.Header().Set("Retry-After", row.retryAfter)
			w.WriteHeader(row.status)
		}))
		tracer := observe.NewTracer(observe.TracerOptions{Endpoint: server.URL, Ratio: 1, Log: slog.New(slog.DiscardHandler)})
		for range 600 { // two batches
			_, span := tracer.Begin(t.Context(), "request", "")
			span.End(nil)
		}
		if err := tracer.Close(t.Context()); err != nil || requests.Load() != row.requests {
			t.Errorf("%d %q: %d requests, want %d, %v", row.status, row.retryAfter, requests.Load(), row.requests, err)
		}
		server.Close()
	}
}

// zeros is an endless body.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// metrics returns the metrics of a tracer as text.
func metrics(t *testing.T, tracer *observe.Tracer) (text string) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(tracer.Metrics())
	all, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range all {
		for _, m := range family.GetMetric() {
			text += fmt.Sprintf("%s{result=%s} %g\n", family.GetName(), m.GetLabel()[0].GetValue(), m.GetCounter().GetValue())
		}
	}
	return text
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
		tracer := observe.NewTracer(observe.TracerOptions{Endpoint: "http://127.0.0.1:1", Ratio: ratio, Log: slog.New(slog.DiscardHandler)})
		ctx, span := tracer.Begin(b.Context(), "request", "")
		run(name, ctx)
		span.End(nil)
		closeNow(tracer)
	}
}
