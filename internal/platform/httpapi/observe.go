package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are labelled by operation and status, never by anything a caller chose.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_http_requests_total", Help: "Requests answered, by operation and HTTP status.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "moothall_http_request_duration_seconds", Help: "Time from the first byte of a request to its answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "moothall_http_requests_in_flight", Help: "Requests being answered now.",
		}),
	}
	registry.MustRegister(m.requests, m.duration, m.inFlight)
	return m
}

// statusClientGone is logged when the caller hung up before it was done.
const statusClientGone = 499

// finish turns a panic into an answer, writes the one line of the request and
// counts it. The line holds no path, query, address, token or name: only the
// operation, so that a log may be kept.
func (s *Server) finish(w *recorder, r *http.Request, ex *exchange) {
	reason := recover()
	if reason == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so, too
		panic(reason)
	}
	if reason != nil {
		s.answerPanic(w, r, ex, reason)
	}
	s.note(w, r, ex)
	if reason != nil && w.status != http.StatusInternalServerError {
		panic(http.ErrAbortHandler) // half an answer went out: cut the connection
	}
}

// note counts the request and writes its line.
func (s *Server) note(w *recorder, r *http.Request, ex *exchange) {
	elapsed := time.Since(ex.start)
	status := w.status
	if r.Context().Err() == context.Canceled && (status == 0 || status >= http.StatusInternalServerError) {
		status = statusClientGone
	}
	s.count(ex, status, elapsed)
	s.logRequest(r, ex, w.bytes, status, elapsed)
}

func (s *Server) count(ex *exchange, status int, elapsed time.Duration) {
	name := ex.name()
	s.metrics.requests.WithLabelValues(name, strconv.Itoa(status)).Inc()
	s.metrics.duration.WithLabelValues(name).Observe(elapsed.Seconds())
}

func (s *Server) logRequest(r *http.Request, ex *exchange, bytes int64, status int, elapsed time.Duration) {
	level := slog.LevelInfo
	if ex.cause != nil {
		level = slog.LevelError
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request_id", ex.id),
		slog.String("operation", ex.name()),
		slog.String("method", knownMethod(r.Method)),
		slog.Int("status", status),
		slog.Float64("ms", float64(elapsed.Microseconds())/1000),
		slog.Int64("bytes", bytes),
	}
	if ex.cause != nil {
		attributes = append(attributes, slog.String("error", ex.cause.Error()))
	}
	if ex.note != nil {
		attributes = append(attributes, slog.String("reason", ex.note.Error()))
	}
	s.log.LogAttrs(r.Context(), level, "request", attributes...)
}

// name is the operation for the log and the metrics.
func (ex *exchange) name() string {
	switch {
	case ex.op != nil:
		return ex.op.id
	case ex.page != "":
		return ex.page
	}
	return "none"
}

// knownMethod keeps invented methods out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}
