package observe

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// durations must not have a label for a host that a user chose: each value of a label is kept until the process ends.
var durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "moothall_outbound_duration_seconds",
	Help:    "Calls to other services by purpose, provider and result: ok, refused, failed, timeout or canceled. A call ends with the header of the response, or with the end of a mail.",
	Buckets: []float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 40},
}, []string{"purpose", "provider", "result"})

// CallMetrics returns the metrics of this process.
func CallMetrics() prometheus.Collector { return durations }

// Result is the result of a call.
type Result string

// The results.
const (
	OK       Result = "ok"
	Refused  Result = "refused" // by the other service: a retry does not help
	Failed   Result = "failed"
	Timeout  Result = "timeout"
	Canceled Result = "canceled" // by this service, such as when it stops
)

// Call is a call in progress.
type Call struct {
	purpose, provider string
	began             time.Time
	span              Span
}

// BeginCall begins a call. The purpose is a constant. The provider is a name from the settings, or empty.
func BeginCall(ctx context.Context, purpose, provider string) Call {
	span := StartSpan(ctx, purpose)
	span.SetText("provider", provider)
	return Call{purpose, provider, time.Now(), span}
}

// End records the result.
func (c Call) End(r Result) {
	durations.WithLabelValues(c.purpose, c.provider, string(r)).Observe(time.Since(c.began).Seconds())
	c.span.SetText("result", string(r))
	if r != OK {
		c.span.Fail()
	}
	c.span.End(nil)
}

// ResultOf returns the result of a call that has returned an error, or nil.
func ResultOf(err error) Result {
	var timeout interface{ Timeout() bool }
	switch {
	case err == nil:
		return OK
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.As(err, &timeout) && timeout.Timeout():
		return Timeout
	}
	return Failed
}

type transport struct {
	purpose, provider string
	next              http.RoundTripper
}

// Transport returns a transport that measures the requests of another one.
func Transport(purpose, provider string, next http.RoundTripper) http.RoundTripper {
	return transport{purpose, provider, next}
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	call := BeginCall(r.Context(), t.purpose, t.provider)
	response, err := t.next.RoundTrip(r)
	result := ResultOf(err)
	switch {
	case err != nil:
	case response.StatusCode >= http.StatusInternalServerError:
		result = Failed
	case response.StatusCode >= http.StatusBadRequest:
		result = Refused
	}
	call.End(result)
	return response, err
}

// CloseIdleConnections implements the method that http.Client.CloseIdleConnections calls.
func (t transport) CloseIdleConnections() {
	if closer, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}
