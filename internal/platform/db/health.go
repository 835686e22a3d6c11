package db

import (
	"cmp"
	"context"
	"time"

	"moothall/internal/platform/observe"
)

// Health returns nil if the database keeps what is written to it. Otherwise the error says
// what is wrong and what to do. To find out, Health writes to the database what a request writes, at most once in
// five seconds for all callers. It looks at the rest at most once a second, and returns within 1.5 seconds. It waits neither in
// the queue of writers nor for the pool: a database that is only busy is healthy.
func (d *DB) Health(ctx context.Context) error { return d.prober.health(ctx, d.store) }

// FindDamage reads the whole database, a table at a time, and returns an error if pages are damaged.
// From then on Damaged and Health return the error, too. It blocks no writer, and pauses between tables. It ends
// with the first table that has damage, and reads nothing if damage is already known: the job that calls it is retried.
//
// On SQLite it examines tables and their indexes. On PostgreSQL it reads the tables, and asks whether any
// session has read a page with a wrong checksum.
func (d *DB) FindDamage(ctx context.Context) error {
	err := d.store.CheckTables(ctx, func(names []string, check func(name string) error) error {
		work := pace{began: observe.Uptime()}
		for _, name := range names {
			if err := cmp.Or(d.Damaged(), work.rest(ctx)); err != nil {
				return err
			}
			if err := check(name); err != nil {
				return err
			}
		}
		return nil
	})
	return classify.Explain(ctx, "db: find damage", cmp.Or(d.Damaged(), err))
}

// Damaged returns an error if damaged pages were found. It does not look for them.
func (d *DB) Damaged() error { return d.store.Damaged() }

// pace lets background work pause for restRatio times as long as it has worked.
type pace struct{ began time.Duration } // by observe.Uptime

const (
	restAfter = 50 * time.Millisecond
	restRatio = 4
)

// rest pauses if the work since the latest pause has taken restAfter or longer.
func (p *pace) rest(ctx context.Context) error {
	worked := observe.Uptime() - p.began
	if worked < restAfter {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
	case <-time.After(restRatio * worked):
	}
	p.began = observe.Uptime()
	return ctx.Err()
}
