// Package tracing records requests and jobs as OpenTelemetry traces: their statements, calls and
// mails. It sends them to a collector in the background. Without a Tracer, a span costs one atomic load.
package tracing

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Options configure a Tracer.
type Options struct {
	Endpoint string            // base URL of a collector that speaks OTLP over HTTP
	Headers  map[string]string // of the requests to the collector
	Ratio    float64           // of the new traces that are recorded, from 0 to 1
	Version  string            // of the service
	Log      *slog.Logger
}

// Limits of the queue of spans for the collector. Further spans are dropped.
const (
	maxWaiting  = 2048 // spans
	maxBatch    = 512  // spans of one request
	batchEvery  = 2 * time.Second
	sendTimeout = 5 * time.Second // of one request; it is not repeated
)

// scope names the origin of all spans.
const scope = "moothall"

// active is the number of open tracers.
var active atomic.Int32

// Tracer begins traces. A nil Tracer records nothing.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	spans    *prometheus.CounterVec
	closing  sync.Once
}

// New returns a tracer; the caller closes it.
func New(o Options) *Tracer {
	spans := newSpans()
	provider := sdk.NewTracerProvider(
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "moothall"), attribute.String("service.version", o.Version))),
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Ratio))),
		sdk.WithSpanProcessor(counter{recorded: spans.WithLabelValues("recorded")}),
		sdk.WithBatcher(otlptrace.NewUnstarted(newCollector(o, spans)),
			sdk.WithMaxQueueSize(maxWaiting), sdk.WithMaxExportBatchSize(maxBatch), sdk.WithBatchTimeout(batchEvery), sdk.WithExportTimeout(sendTimeout)),
	)
	active.Add(1)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope), spans: spans}
}

// Close sends the spans that wait, until ctx ends. Further calls do nothing.
func (t *Tracer) Close(ctx context.Context) (err error) {
	if t == nil {
		return nil
	}
	t.closing.Do(func() {
		active.Add(-1)
		err = t.provider.Shutdown(ctx)
	})
	return err
}

// Begin begins a trace with its first span. With a parent, a traceparent header of W3C, it continues
// that trace, and records it if the parent is recorded.
func (t *Tracer) Begin(ctx context.Context, name, parent string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if parent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	return recorded(t.tracer.Start(ctx, name))
}

// Span is a step of a trace. The zero Span records nothing.
type Span struct{ span trace.Span }

func recorded(ctx context.Context, span trace.Span) (context.Context, Span) {
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

// Start begins a child of the span of ctx. The child has no children. The name must not contain values.
func Start(ctx context.Context, name string) Span {
	if active.Load() == 0 {
		return Span{}
	}
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return Span{}
	}
	_, span := recorded(parent.TracerProvider().Tracer(scope).Start(ctx, name))
	return span
}

// Rename changes the name.
func (s Span) Rename(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// SetText sets an attribute. It must not be personal data.
func (s Span) SetText(key, value string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// SetNumber sets an attribute.
func (s Span) SetNumber(key string, value int) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int(key, value))
	}
}

// Fail marks the span as failed, without the text of an error: it may contain personal data.
func (s Span) Fail() {
	if s.span != nil {
		s.span.SetStatus(codes.Error, "")
	}
}

// End ends the span. If err points to an error, the span has failed.
func (s Span) End(err *error) {
	if s.span == nil {
		return
	}
	if err != nil && *err != nil {
		s.Fail()
	}
	s.span.End()
}

// Parent returns the span of ctx as a traceparent header, for Begin in another process; "" if it is
// not recorded.
func Parent(ctx context.Context) string {
	if active.Load() == 0 || !trace.SpanFromContext(ctx).IsRecording() {
		return ""
	}
	header := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, header)
	return header["traceparent"]
}
