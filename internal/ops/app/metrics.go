package app

import (
	"log/slog"
	"net/http"
	"net/http/pprof"
	"runtime"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"moothall/internal/platform/observe"
)

// registerMetrics registers the metrics of the components of the App. The server, the caches and the damage check
// register their own.
func (a *App) registerMetrics() {
	a.metrics.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildInfo(), observe.CallMetrics(),
		a.db.Metrics(), a.tracer.Metrics(), a.connections.Metrics(),
		a.services.limits.Metrics(), a.jobs.Metrics(), a.services.deliveries.Metrics(), a.services.hookWorker.Metrics(),
	)
	a.metrics.MustRegister(a.services.realtime.Metrics()...)
}

// buildInfo returns a metric whose labels describe the running program.
func buildInfo() prometheus.Collector {
	b := ThisBuild()
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "moothall_build_info",
		Help: "1; the labels are the version, the commit, the version of Go, and the number of the latest migration.",
		ConstLabels: prometheus.Labels{"version": b.Version, "commit": b.Commit, "goversion": runtime.Version(),
			"schema": strconv.Itoa(b.Schema)},
	}, func() float64 { return 1 })
}

// metricsServer serves the metrics and, if the settings say so, profiles.
func (a *App) metricsServer() *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.Metrics())
	if a.settings.MetricsPprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	}
	return &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes}
}

// AddMetrics adds metrics of a component that the App does not own, such as the writer of its log.
func (a *App) AddMetrics(c prometheus.Collector) { a.metrics.MustRegister(c) }

// maxScrapes limits concurrent scrapes, because each reads the database. Further ones get 503.
const maxScrapes = 4

// Metrics serves the metrics in the format of Prometheus. A metric with an invalid value is logged and left out.
func (a *App) Metrics() http.Handler {
	return promhttp.HandlerFor(a.metrics, promhttp.HandlerOpts{
		MaxRequestsInFlight: maxScrapes, ErrorHandling: promhttp.ContinueOnError, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelError),
	})
}
