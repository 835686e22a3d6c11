package db

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics measure how long callers wait for the database.
type metrics struct {
	waits             *prometheus.HistogramVec
	connection, write prometheus.Observer
}

func newMetrics() *metrics {
	waits := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "moothall_database_wait_seconds",
		Help:    "Time that callers wait for a connection, or in SQLite's queue of writers, including waits that fail.",
		Buckets: []float64{.0001, .001, .005, .01, .05, .1, .25, .5, 1, 5},
	}, []string{"for"})
	return &metrics{waits, waits.WithLabelValues("connection"), waits.WithLabelValues("write")}
}

// usage is how many connections of a pool are in use and idle, and how many transactions
// wait in the queue of writers.
type usage struct{ used, idle, writers int }

// observeSince records a wait that began at a time of sinceStart.
func observeSince(o prometheus.Observer, began time.Duration) {
	o.Observe((sinceStart() - began).Seconds())
}

// collector collects the metrics of a DB.
type collector struct {
	*metrics
	store       store
	connections *prometheus.Desc
	writers     *prometheus.Desc
}

// Metrics returns the metrics of the connections of this process.
func (d *DB) Metrics() prometheus.Collector {
	return &collector{
		metrics: d.metrics, store: d.store,
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
	now := c.store.usage()
	values <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(now.used), "used")
	values <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(now.idle), "idle")
	values <- prometheus.MustNewConstMetric(c.writers, prometheus.GaugeValue, float64(now.writers))
}
