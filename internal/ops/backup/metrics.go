package backup

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/job"
)

// metrics are the metrics of a schedule. A metric that is read from the store is missing until then.
type metrics struct{ newest, since, interval *prometheus.GaugeVec }

func newMetrics(interval time.Duration) metrics {
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, nil)
	}
	m := metrics{
		newest:   gauge("moothall_backup_newest_timestamp_seconds", "Time of the newest stored backup of the schedule; 0: there is none."),
		since:    gauge("moothall_backup_scheduled_timestamp_seconds", "When the schedule of backups began."),
		interval: gauge("moothall_backup_interval_seconds", "Time between two backups of the schedule."),
	}
	m.interval.WithLabelValues().Set(interval.Seconds())
	return m
}

// Describe implements prometheus.Collector.
func (m metrics) Describe(descriptions chan<- *prometheus.Desc) {
	m.newest.Describe(descriptions)
	m.since.Describe(descriptions)
	m.interval.Describe(descriptions)
}

// Collect implements prometheus.Collector.
func (m metrics) Collect(values chan<- prometheus.Metric) {
	m.newest.Collect(values)
	m.since.Collect(values)
	m.interval.Collect(values)
}

const (
	watchEvery = 10 * time.Minute
	watchAgain = time.Minute // after a failure
)

// WatchNewest reads the time of the newest stored backup for the metric, now and every 10 minutes, until
// ctx ends, because another instance may have written it. If the store cannot be read, the metric does
// not change.
func (s *Schedule) WatchNewest(ctx context.Context) {
	for {
		pause := watchEvery
		if errors.Join(s.readSince(ctx), s.readNewest(ctx)) != nil {
			pause = watchAgain
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

func (s *Schedule) readSince(ctx context.Context) error {
	since, err := job.ScheduledSince(ctx, s.DB, writeJob)
	if err == nil && !since.IsZero() {
		s.metrics.since.WithLabelValues().Set(float64(since.Unix()))
	}
	return err
}

func (s *Schedule) readNewest(ctx context.Context) error {
	store, err := s.Open(removeNothing)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }() // was read
	newest, err := Newest(ctx, store, s.Clock.Now())
	if err != nil {
		return err
	}
	s.metrics.newest.WithLabelValues().Set(float64(max(newest.Unix(), 0))) // the zero time is before 1970
	return nil
}
