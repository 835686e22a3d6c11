package mail

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db"
)

// metrics count the deliveries of this instance. The age of the oldest due delivery is read
// from the database when the metrics are collected.
type metrics struct {
	results    *prometheus.CounterVec
	sending    *prometheus.HistogramVec
	oldest     *prometheus.Desc
	suppressed *prometheus.Desc
	options    Options
}

func newMetrics(o Options) *metrics {
	return &metrics{
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_deliveries_total",
			Help: "Deliveries outside the app by channel, kind of notification and result: sent, skipped, failed or retried.",
		}, []string{"channel", "kind", "result"}),
		sending: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "moothall_delivery_send_seconds", Help: "Time to hand one message to the mail server or push service.",
			Buckets: []float64{.005, .01, .05, .1, .5, 1, 5, 10},
		}, []string{"channel"}),
		oldest: prometheus.NewDesc("moothall_delivery_oldest_due_seconds",
			"Age of the oldest delivery that is due and not sent.", []string{"channel"}, nil),
		suppressed: prometheus.NewDesc("moothall_email_suppressed_last_day",
			"Users who get no e-mails any more, because e-mails to them came back within the last day; at most 1000.", nil, nil),
		options: o,
	}
}

var oldestDueStmt = db.SQL("mail.oldest_due", `
	SELECT due_at FROM deliveries WHERE channel = $1 AND state IN ('waiting', 'sending') AND due_at <= $2 ORDER BY due_at LIMIT 1`)

var suppressedStmt = db.SQL("mail.suppressed", `SELECT COUNT(*)
	FROM (SELECT 1 FROM email_bounces WHERE suppressed_at > $1 LIMIT 1000) AS s`)

// scrapeTimeout limits the statements of one collection.
const scrapeTimeout = 2 * time.Second

// Describe implements prometheus.Collector.
func (m *metrics) Describe(descriptions chan<- *prometheus.Desc) {
	m.results.Describe(descriptions)
	m.sending.Describe(descriptions)
	descriptions <- m.oldest
	descriptions <- m.suppressed
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(values chan<- prometheus.Metric) {
	m.results.Collect(values)
	m.sending.Collect(values)
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	for _, s := range m.options.Senders {
		now := m.options.Clock.Now()
		due := now
		if _, err := m.options.DB.One(ctx, oldestDueStmt, s.Channel(), now).Find(&due); err != nil {
			continue // the database does not answer: other metrics say so
		}
		values <- prometheus.MustNewConstMetric(m.oldest, prometheus.GaugeValue, now.Sub(due).Seconds(), string(s.Channel()))
	}
	var suppressed int
	if err := m.options.DB.One(ctx, suppressedStmt, m.options.Clock.Now().Add(-24*time.Hour)).Scan(&suppressed); err != nil {
		return
	}
	values <- prometheus.MustNewConstMetric(m.suppressed, prometheus.GaugeValue, float64(suppressed))
}

// Metrics returns the metrics of the worker.
func (w *Worker) Metrics() prometheus.Collector { return w.metrics }
