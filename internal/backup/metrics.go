package backup

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct{ newest, interval prometheus.Gauge }

func newMetrics(interval time.Duration) metrics {
	m := metrics{
		newest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "moothall_backup_newest_timestamp_seconds", Help: "Time of the newest stored backup of the schedule; 0: there is none.",
		}),
		interval: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "moothall_backup_interval_seconds", Help: "Time between two backups of the schedule.",
		}),
	}
	m.interval.Set(interval.Seconds())
	return m
}

// Describe implements prometheus.Collector.
func (m metrics) Describe(descriptions chan<- *prometheus.Desc) {
	m.newest.Describe(descriptions)
	m.interval.Describe(descriptions)
}

// Collect implements prometheus.Collector.
func (m metrics) Collect(values chan<- prometheus.Metric) {
	m.newest.Collect(values)
	m.interval.Collect(values)
}

const watchEvery = 10 * time.Minute

// WatchNewest reads the time of the newest stored backup for the metrics, now and every 10 minutes,
// until ctx ends: another instance may have written it. If the store cannot be read, the metric does
// not change.
func (s *Schedule) WatchNewest(ctx context.Context) {
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		s.readNewest(ctx)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

func (s *Schedule) readNewest(ctx context.Context) {
	store, err := s.Open()
	if err != nil {
		return
	}
	defer func() { _ = store.Close() }() // was read
	switch newest, err := Newest(ctx, store); {
	case err != nil:
	case newest.IsZero():
		s.metrics.newest.Set(0)
	default:
		s.metrics.newest.Set(float64(newest.Unix()))
	}
}
