package db

import (
	"context"
	"errors"

	"moothall/internal/platform/db/driver"
)

// Read runs fn with a querier whose statements all see the same snapshot. If the
// first statement finds a lost connection, fn runs again.
func (d *DB) Read(ctx context.Context, fn func(Querier) error) error {
	return d.store.Read(ctx, func(r driver.Tx) error {
		t := &transaction{Runner: r}
		defer func() { t.ended = true }()
		return fn(d.withRunner(t))
	})
}

// Snapshot runs fn as Read does. Between two statements, fn may pause for up to an hour: PostgreSQL ends
// other transactions that are idle for ten seconds.
func (d *DB) Snapshot(ctx context.Context, fn func(Querier) error) error {
	return d.Read(ctx, func(q Querier) error {
		if d.engine == PostgreSQL {
			if err := q.One(ctx, allowPauses).Scan(new(string)); err != nil {
				return err
			}
		}
		return fn(q)
	})
}

var allowPauses = driver.NewStmt("db.allow_pauses", "SELECT set_config('idle_in_transaction_session_timeout', '1h', true)")

// Batch is a list of queries for ReadBatch.
type Batch struct {
	querier querier
	queue   []*Queued
	err     error
}

// Queue adds a query. Its first row is scanned by Queued.Into.
func (b *Batch) Queue(ctx context.Context, s *Stmt, args ...any) *Queued {
	if err := b.querier.check(ctx, s, args); err != nil {
		b.err = errors.Join(b.err, classify.ExplainStmt(ctx, s, args, err))
	}
	q := &Queued{Stmt: s, Args: args}
	b.queue = append(b.queue, q)
	return q
}

// ReadBatch runs the queries that fill adds. They see the same snapshot, and on PostgreSQL
// take one round trip.
func (d *DB) ReadBatch(ctx context.Context, fill func(*Batch)) error {
	b := Batch{querier: d.querier}
	fill(&b)
	if b.err != nil || len(b.queue) == 0 {
		return b.err
	}
	return d.store.Read(ctx, func(r driver.Tx) error { return r.Batch(ctx, b.queue, true) })
}
