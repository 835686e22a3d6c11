package app

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

const (
	damageJob      = "database.check"
	damageInterval = 24 * time.Hour
	doctorLimit    = 10 * time.Second // of the check by doctor, whose caller waits
)

// registerDamageCheck registers the job that looks for damaged pages of the database, and its metrics.
func (a *App) registerDamageCheck(jobs *job.Workers) {
	checked := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "moothall_database_checked_timestamp_seconds",
		Help: "When this instance last read the whole database and found no damage; 0: not since it started.",
	})
	damaged := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "moothall_database_damaged", Help: "1 if this instance has found damaged pages of the database, else 0.",
	}, func() float64 {
		if a.db.Damaged() != nil {
			return 1
		}
		return 0
	})
	a.metrics.MustRegister(checked, damaged)
	jobs.Every(damageInterval, damageJob, func(ctx context.Context) error {
		if err := a.db.FindDamage(db.Background(ctx)); err != nil {
			return err
		}
		checked.Set(float64(a.clock.Now().Unix()))
		return nil
	})
	jobs.Separate(damageJob, 1) // it takes long
}

// findDamageBriefly looks for damaged pages until doctorLimit. It finds none in the tables that it does not reach.
func findDamageBriefly(ctx context.Context, d *db.DB) error {
	limited, cancel := context.WithTimeout(ctx, doctorLimit)
	defer cancel()
	err := d.FindDamage(limited)
	if errors.Is(limited.Err(), context.DeadlineExceeded) {
		return d.Damaged()
	}
	return err
}
