package observe

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"net/http"
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

// TracerOptions configure a Tracer.
type TracerOptions struct {
	Endpoint string            // base URL of a collector that speaks OTLP over HTTP
	Headers  map[string]string // of the requests to the collector
	Ratio    float64           // the share of new traces that is recorded, 0 to 1
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
	ratio    float64 // see TracerOptions
	spans    *prometheus.CounterVec
	closing  sync.Once
}

// NewTracer returns a tracer; the caller closes it.
func NewTracer(o TracerOptions) *Tracer {
	spans := newSpans()
	provider := sdk.NewTracerProvider(
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "moothall"), attribute.String("service.version", o.Version))),
		sdk.WithSampler(sdk.AlwaysSample()), // Begin decides
		sdk.WithSpanProcessor(counter{recorded: spans.WithLabelValues("recorded")}),
		sdk.WithBatcher(otlptrace.NewUnstarted(newCollector(o, spans)),
			sdk.WithMaxQueueSize(maxWaiting), sdk.WithMaxExportBatchSize(maxBatch), sdk.WithBatchTimeout(batchEvery),
			sdk.WithExportTimeout(sendTimeout)),
	)
	active.Add(1)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope), ratio: o.Ratio, spans: spans}
}

// Close sends the waiting spans, until ctx ends. Further calls do nothing.
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

// Begin begins a trace with its first span. If parent, a traceparent header of W3C, is not empty, it continues
// that trace, and records it if the parent is recorded.
func (t *Tracer) Begin(ctx context.Context, name, parent string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	if parent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": parent})
	}
	if !t.records(trace.SpanContextFromContext(ctx)) {
		return ctx, Span{}
	}
	return recorded(t.tracer.Start(ctx, name))
}

// records reports whether to record a span: if its parent is recorded, or, without a valid parent, for a share
// of the spans. The SDK's own sampling would allocate for each span that is not recorded.
func (t *Tracer) records(parent trace.SpanContext) bool {
	if parent.IsValid() {
		return parent.IsSampled()
	}
	return rand.Float64() < t.ratio
}

// Span is a step of a trace. The zero Span records nothing.
type Span struct{ span trace.Span }

func recorded(ctx context.Context, span trace.Span) (context.Context, Span) {
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

// StartSpan begins a child of the span of ctx. The child can have no children. The name must not contain values.
func StartSpan(ctx context.Context, name string) Span {
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

// IsRecorded reports whether the span is recorded.
func (s Span) IsRecorded() bool { return s.span != nil }

// Rename changes the name of the span.
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
func (s Span) End(err *error) { //nolint:gocritic // a deferred call reads the error of its function
	if s.span == nil {
		return
	}
	if err != nil && *err != nil {
		s.Fail()
	}
	s.span.End()
}

// TraceParent returns the span of ctx as a traceparent header, for Begin in another process; nil if it is
// not recorded. Rows that cause later work store it.
func TraceParent(ctx context.Context) *string {
	if active.Load() == 0 || !trace.SpanFromContext(ctx).IsRecording() {
		return nil
	}
	header := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, header)
	return new(header["traceparent"])
}

// Propagate sets the traceparent header of a request to another service. It sets nothing if the span of ctx is
// not recorded: otherwise the other service would not record its own traces either.
func Propagate(ctx context.Context, request http.Header) {
	if parent := TraceParent(ctx); parent != nil {
		request.Set("Traceparent", *parent)
	}
}
