package webhook

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db"
)

// metrics count the attempts of this instance. The age of the oldest due message is read
// from the database when the metrics are collected.
type metrics struct {
	results *prometheus.CounterVec
	oldest  *prometheus.Desc
	options Options
}

func newMetrics(o Options) *metrics {
	results := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "moothall_webhook_attempts_total", Help: "Attempts to send webhook messages by result: sent or failed.",
	}, []string{"result"})
	results.WithLabelValues("sent")
	results.WithLabelValues("failed")
	return &metrics{
		results: results,
		oldest: prometheus.NewDesc("moothall_webhook_oldest_due_seconds", "Age of the oldest webhook message that is due and not sent.", nil,
			nil),
		options: o,
	}
}

func (m *metrics) count(failure string) {
	result := "sent"
	if failure != "" {
		result = "failed"
	}
	m.results.WithLabelValues(result).Inc()
}

var oldestDueStmt = db.SQL("webhook.oldest_due", `SELECT m.due_at `+dueSQL+` AND w.leased_until <= $1 ORDER BY m.due_at LIMIT 1`)

// scrapeTimeout limits the statement of one collection.
const scrapeTimeout = 2 * time.Second

// Describe implements prometheus.Collector.
func (m *metrics) Describe(descriptions chan<- *prometheus.Desc) {
	m.results.Describe(descriptions)
	descriptions <- m.oldest
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(values chan<- prometheus.Metric) {
	m.results.Collect(values)
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	now := m.options.Clock.Now()
	due := now
	if _, err := m.options.DB.One(ctx, oldestDueStmt, now).Find(&due); err != nil {
		return // the database does not answer: other metrics say so
	}
	values <- prometheus.MustNewConstMetric(m.oldest, prometheus.GaugeValue, now.Sub(due).Seconds())
}

// Metrics returns the metrics of the worker.
func (w *Worker) Metrics() prometheus.Collector { return w.metrics }
