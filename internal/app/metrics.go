package app

import (
	"context"
	"net/http"
	"net/http/pprof"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"moothall/internal/platform/calls"
)

// registerMetrics registers the metrics of everything that the App has built. The constructors of the
// server and of the caches have registered their own.
func (a *App) registerMetrics(ctx context.Context) error {
	info, err := a.buildInfo(ctx)
	if err != nil {
		return err
	}
	a.metrics.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), info, calls.Metrics(), a.db.Metrics(),
		a.services.limits.Metrics(), a.jobs.Metrics(), a.services.deliveries.Metrics(), a.services.hookWorker.Metrics(),
	)
	a.metrics.MustRegister(a.services.realtime.Metrics()...)
	return nil
}

// buildInfo returns a metric whose labels describe the running program.
func (a *App) buildInfo(ctx context.Context) (prometheus.Collector, error) {
	all, err := a.db.Migrations(ctx)
	if err != nil {
		return nil, err
	}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "moothall_build_info", Help: "1; the labels are the version, the commit, the version of Go, and the number of the latest migration.",
		ConstLabels: prometheus.Labels{
			"version": Version, "commit": buildCommit(), "goversion": runtime.Version(), "schema": strconv.Itoa(all[len(all)-1].Number),
		},
	}, func() float64 { return 1 }), nil
}

// buildCommit returns the commit of the build, or "unknown".
func buildCommit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return "unknown"
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
	return &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTimeout, MaxHeaderBytes: maxHeaderBytes}
}

// AddMetrics adds metrics of what the App does not know, such as the target of its log.
func (a *App) AddMetrics(c prometheus.Collector) { a.metrics.MustRegister(c) }

// Metrics serves the metrics in the format of Prometheus.
func (a *App) Metrics() http.Handler {
	return promhttp.HandlerFor(a.metrics, promhttp.HandlerOpts{})
}
