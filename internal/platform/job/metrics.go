package job

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// result is the result of one run of a job.
type result string

const (
	done        result = "done"
	failed      result = "failed" // will be retried
	discarded   result = "discarded"
	interrupted result = "interrupted" // the workers stopped
	lost        result = "lost"        // the lease expired, or the job was replaced
)

func outcome(ctx context.Context, err error) result {
	switch {
	case err == nil:
		return done
	case errors.Is(err, errLost):
		return lost
	case ctx.Err() != nil:
		return interrupted
	}
	return failed
}

func (r result) level() slog.Level {
	switch r {
	case discarded:
		return slog.LevelError
	case failed:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// metrics count the runs by kind and result.
type metrics struct{ runs *prometheus.HistogramVec }

func newMetrics() metrics {
	return metrics{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "moothall_job_duration_seconds", Help: "Runs of jobs by kind and result; discarded jobs need an operator.",
		Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 60},
	}, []string{"kind", "result"})}
}

func (m metrics) observe(kind string, r result, took time.Duration) {
	m.runs.WithLabelValues(kind, string(r)).Observe(took.Seconds())
}

// Metrics returns the metrics of this instance.
func (w *Workers) Metrics() prometheus.Collector { return w.metrics.runs }
