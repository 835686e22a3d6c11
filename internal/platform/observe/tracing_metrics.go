package observe

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// results counts spans by result.
type results = *prometheus.CounterVec

func newSpans() results {
	spans := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "moothall_trace_spans_total",
		Help: "Spans of traces: recorded, sent, or failed to be sent. The other recorded spans wait, or were dropped.",
	}, []string{"result"})
	for _, result := range []string{"recorded", "sent", "failed"} {
		spans.WithLabelValues(result)
	}
	return spans
}

// Metrics returns the metrics of the tracer.
func (t *Tracer) Metrics() prometheus.Collector {
	if t == nil {
		return newSpans()
	}
	return t.spans
}

// counter counts spans. It implements sdk.SpanProcessor.
type counter struct{ recorded prometheus.Counter }

// OnStart implements sdk.SpanProcessor.
func (c counter) OnStart(context.Context, sdk.ReadWriteSpan) {}

// OnEnd implements sdk.SpanProcessor.
func (c counter) OnEnd(sdk.ReadOnlySpan) { c.recorded.Inc() }

// Shutdown implements sdk.SpanProcessor.
func (c counter) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdk.SpanProcessor.
func (c counter) ForceFlush(context.Context) error { return nil }
