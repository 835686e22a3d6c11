package job

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
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
	case errors.Is(err, ErrLost):
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

// metrics count the runs of this instance. The numbers of jobs are read from the database
// when the metrics are collected.
type metrics struct {
	runs     *prometheus.HistogramVec
	jobs     *prometheus.Desc
	oldest   *prometheus.Desc
	database *db.DB
	clock    domain.Clock
}

func newMetrics(d *db.DB, clock domain.Clock) metrics {
	return metrics{
		runs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "moothall_job_duration_seconds", Help: "Runs of jobs by kind and result; discarded jobs need an operator.",
			Buckets: []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 60},
		}, []string{"kind", "result"}),
		jobs: prometheus.NewDesc("moothall_jobs",
			"Jobs of all instances by kind and state: due, running, scheduled or discarded; at most 1000 discarded and 1000 other jobs are counted.",
			[]string{"kind", "state"}, nil),
		oldest: prometheus.NewDesc("moothall_job_oldest_due_seconds", "Time since the oldest job that is due became due; 0: none is.", nil,
			nil),
		database: d, clock: clock,
	}
}

func (m metrics) observe(kind string, r result, took time.Duration) {
	m.runs.WithLabelValues(kind, string(r)).Observe(took.Seconds())
}

// scrapeTimeout limits the statement of one collection.
const scrapeTimeout = 2 * time.Second

// Describe implements prometheus.Collector.
func (m metrics) Describe(descriptions chan<- *prometheus.Desc) {
	m.runs.Describe(descriptions)
	descriptions <- m.jobs
	descriptions <- m.oldest
}

// count is the number of the jobs of a kind in a state.
type count struct {
	kind, state string
	n           int
	first       time.Time // the earliest due time
}

// Collect implements prometheus.Collector.
func (m metrics) Collect(values chan<- prometheus.Metric) {
	m.runs.Collect(values)
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	now := m.clock.Now()
	counts, err := db.All(ctx, m.database, func(r db.Row, c *count) error { return r.Scan(&c.kind, &c.state, &c.n, &c.first) }, countStmt, now)
	if err != nil {
		return // the database does not answer: other metrics say so
	}
	due := now
	for _, c := range counts {
		if c.state == "due" && c.first.Before(due) {
			due = c.first
		}
		values <- prometheus.MustNewConstMetric(m.jobs, prometheus.GaugeValue, float64(c.n), c.kind, c.state)
	}
	values <- prometheus.MustNewConstMetric(m.oldest, prometheus.GaugeValue, now.Sub(due).Seconds())
}

// Metrics returns the metrics of this instance.
func (w *Workers) Metrics() prometheus.Collector { return w.metrics }
