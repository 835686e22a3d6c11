package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/admission"
)

// metrics have the labels operation and status, never a value that a caller chose.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_http_requests_total", Help: "Requests by operation and HTTP status.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "moothall_http_request_duration_seconds", Help: "Time from the first byte of a request to the end of its response.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"operation"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "moothall_http_requests_in_flight", Help: "Requests in flight.",
		}),
	}
	registry.MustRegister(m.requests, m.duration, m.inFlight)
	return m
}

// statusClientGone is logged when the caller hung up before the response.
const statusClientGone = 499

// statusLabels are the values of the label status: strconv would allocate one for each request.
var statusLabels = func() (labels [1000]string) {
	for status := range labels {
		labels[status] = strconv.Itoa(status)
	}
	return labels
}()

// record counts the request and writes its only log line. The line has no path,
// query, address, token or name, so that logs contain no personal data.
func (s *Server) record(x *exchange) {
	r, st, status := x.arrived, x.st, x.w.status
	elapsed := time.Since(st.start)
	if r.Context().Err() == context.Canceled && (status == 0 || status >= http.StatusInternalServerError) {
		status = statusClientGone
	}
	s.count(st, status, elapsed)
	st.endTrace(r.Method, status)
	if st.shed {
		return // the lane logs one line for many
	}
	s.logRequest(r, st, x.w.bytes, status, elapsed)
	s.logSecurity(r, st, status)
}

func (s *Server) count(st *requestState, status int, elapsed time.Duration) {
	name := st.name()
	s.metrics.requests.WithLabelValues(name, statusLabels[status]).Inc()
	s.metrics.duration.WithLabelValues(name).Observe(elapsed.Seconds())
}

func (s *Server) logRequest(r *http.Request, st *requestState, bytes int64, status int, elapsed time.Duration) {
	level := slog.LevelInfo
	if st.cause != nil {
		level = slog.LevelError
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request_id", st.id),
		slog.String("operation", st.name()),
		slog.String("method", knownMethod(r.Method)),
		slog.Int("status", status),
		slog.Float64("ms", float64(elapsed.Microseconds())/1000),
		slog.Int64("bytes", bytes),
	}
	if st.cause != nil {
		attributes = append(attributes, slog.String("error", st.cause.Error()))
	}
	if st.logReason != nil {
		attributes = append(attributes, slog.String("reason", st.logReason.Error()))
	}
	s.log.LogAttrs(r.Context(), level, "request", attributes...)
}

// name is the operation in the log and the metrics.
func (st *requestState) name() string {
	switch {
	case st.op != nil:
		return st.op.id
	case st.route != "":
		return st.route
	}
	return "none"
}

// knownMethod keeps unknown methods out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodPut,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// recorder records the status and size of a response. It compresses the body if that was
// negotiated.
type recorder struct {
	http.ResponseWriter
	status int   // 0 until the header is sent
	bytes  int64 // sent

	body     *body // of the request; nil without one
	outgoing *outgoing
	sending  *sending // while a large response is being sent

	stall time.Duration   // after which a client that reads nothing is disconnected
	gone  bool            // the client reads no more
	lane  *admission.Lane // whose permit the request holds until the response is sent; nil if it holds none

	beforeHeader func() // nil: nothing

	acceptsGzip    bool
	compressesHTML bool
	pending        bool // the header waits for the body, which is compressed
	gzip           *gzip.Writer
}

func (r *recorder) WriteHeader(status int) {
	if r.pending = r.status == 0 && r.compresses(status); !r.pending {
		r.sendHeader(status)
	}
}

func (r *recorder) sendHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
		if r.beforeHeader != nil {
			r.beforeHeader()
		}
	}
	r.ready()
	if r.body != nil {
		r.body.linger()
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 && !r.pending {
		r.WriteHeader(http.StatusOK)
	}
	switch {
	case r.pending:
		return len(p), r.startGzip(p)
	case r.gzip != nil:
		return r.gzip.Write(p)
	}
	return r.send(p)
}

// Unwrap gives http.ResponseController access to the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
