package db

import (
	"context"
	"errors"
	"time"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// InTx runs fn in a write transaction and commits if fn returns nil. If fn fails or
// panics, InTx rolls back and returns the error. fn runs again after a deadlock, after
// a connection lost before the commit, or if another transaction of its group fails
// (SQLite), so it must have no effect outside the transaction. It must neither use the network nor call InTx: on SQLite all other
// writers wait for it.
//
// If ctx ends before fn starts, InTx returns the error of ctx. If ctx ends later, InTx
// returns the outcome of the commit: ErrInDoubt if the outcome is unknown.
func (d *DB) InTx(ctx context.Context, fn func(Tx) error) error {
	return d.inTx(ctx, d.store, fn)
}

// SchemaLocks returns what runs transactions that change the schema, for package migrate. Their statements wait for a
// lock at most as long as limit.
func (d *DB) SchemaLocks(limit time.Duration) driver.SchemaLocks { return d.store.SchemaLocks(limit) }

// InSchemaTx is InTx for transactions that change the schema.
func (d *DB) InSchemaTx(ctx context.Context, locks driver.SchemaLocks, fn func(SchemaTx) error) error {
	return d.inTx(ctx, locks, func(tx Tx) error { return fn(tx.(txQuerier)) })
}

// beginner begins transactions: a driver.Store, or its driver.SchemaLocks.
type beginner interface {
	InTx(ctx context.Context, fn func(driver.Tx) error) error
}

// inTx is InTx with what begins the transaction.
func (d *DB) inTx(ctx context.Context, b beginner, fn func(Tx) error) (err error) {
	defer observe.StartSpan(ctx, "transaction").End(&err)
	hooks := d.hooks.Load()
	var published []Topic
	changes := d.versions.NewChanges()
	err = b.InTx(ctx, func(r driver.Tx) error {
		t := &transaction{Runner: r, tx: r}
		defer func() { t.ended = true }()
		published = nil // fn may run again
		var tx Tx = txQuerier{d.withRunner(t), t, changes, &published, d.subscribers}
		err := driver.Protect(func() error {
			hooks.begin(ctx, tx)
			return fn(tx)
		})
		if err := t.outcome(err); err != nil {
			return err
		}
		if len(changes.Cells()) > 0 {
			hooks.changed(ctx, tx)
			d.announce(changes, t)
		}
		return t.flush(ctx, true)
	})
	d.end(changes, err)
	err = preparationError(ctx, err)
	if err == nil {
		if len(changes.Announced()) > 0 { // PostgreSQL has not heard of a transaction without statements
			d.prober.noteCommit()
		}
		hooks.committed(ctx)
		d.Publish(published...)
	}
	return err
}

// announce prepares the caches for the commit of a transaction.
func (d *DB) announce(c *change.Changes, t *transaction) {
	if notice := d.store.Notice(c.Cells()); notice != nil {
		t.queue = append(t.queue, notice)
	}
	c.Announce()
}

// end advances the versions of what a transaction has changed, here and in other processes.
func (d *DB) end(c *change.Changes, err error) {
	if len(c.Announced()) == 0 {
		return
	}
	if errors.Is(err, ErrInDoubt) {
		time.AfterFunc(change.DoubtTime, func() { d.end(c, nil) })
		return
	}
	d.store.Changed(c.Announced()) // first, so that no notice misses it
	c.End()
}
