package db

import (
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db/driver"
)

// metrics measure how long callers wait for the database.
type metrics struct {
	waits *prometheus.HistogramVec
	driver.Waits
}

func newMetrics() *metrics {
	waits := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "moothall_database_wait_seconds",
		Help:    "Time that callers wait for a connection, or in SQLite's queue of writers, including waits that fail.",
		Buckets: []float64{.0001, .001, .005, .01, .05, .1, .25, .5, 1, 5},
	}, []string{"for"})
	return &metrics{waits, driver.Waits{Connection: waits.WithLabelValues("connection"), Write: waits.WithLabelValues("write")}}
}

// collector collects the metrics of a DB.
type collector struct {
	*metrics
	store       driver.Health
	connections *prometheus.Desc
	writers     *prometheus.Desc
}

func newCollector(m *metrics, store driver.Health) *collector {
	return &collector{
		metrics: m, store: store,
		connections: prometheus.NewDesc("moothall_database_connections", "Open connections of the pool by state: used or idle.",
			[]string{"state"}, nil),
		writers: prometheus.NewDesc("moothall_database_write_queue_length", "Transactions that wait in SQLite's queue of writers.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(descriptions chan<- *prometheus.Desc) {
	c.waits.Describe(descriptions)
	descriptions <- c.connections
	descriptions <- c.writers
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(values chan<- prometheus.Metric) {
	c.waits.Collect(values)
	now := c.store.Usage()
	values <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(now.Used), "used")
	values <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(now.Idle), "idle")
	values <- prometheus.MustNewConstMetric(c.writers, prometheus.GaugeValue, float64(now.Writers))
}
