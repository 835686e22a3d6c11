package sqlite

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db/driver"
)

// probeBusy is how long a probe waits for the writer, or for another process.
const probeBusy = 500 * time.Millisecond

// errBusy means that a probe could not write, because others do.
var errBusy = fmt.Errorf("%w: busy", driver.ErrUnavailable)

// probe writes and flushes a row between two groups of the writer: it does not wait in
// the queue.
func (w *writer) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeBusy)
	defer cancel()
	done := make(chan error, 1)
	select {
	case w.checks <- func() { done <- w.probeNow(context.WithoutCancel(ctx)) }:
	case <-w.stopped:
		return driver.ErrClosed
	case <-ctx.Done():
		return errBusy
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done(): // the disk is slow, or another process writes
		return errBusy
	}
}

var (
	insertProbe = driver.SQL("db.insert_probe", `INSERT INTO health_probes (id, filler) VALUES ($1, $2)`)
	deleteProbe = driver.SQL("db.delete_probe", `DELETE FROM health_probes WHERE id = $1`)
)

// probeNow inserts a row and deletes it, in one transaction.
func (w *writer) probeNow(ctx context.Context) error {
	w.conn.conn.SetBusyTimeout(probeBusy)
	defer w.conn.conn.SetBusyTimeout(busyTimeout)
	switch err := w.writeProbe(ctx); {
	case err == nil, ClassOf(err).Has(driver.NoTable): // no migrations have run
		return w.files.check()
	case isBusy(err):
		return errBusy
	default:
		return fmt.Errorf("%w: a write failed: %w", driver.ErrUnavailable, AdviseDisk(err))
	}
}

func (w *writer) writeProbe(ctx context.Context) error {
	if err := w.conn.control(groupBegin); err != nil {
		return err
	}
	defer func() {
		if !w.conn.conn.AutocommitEnabled() {
			_ = w.conn.control(rollback) // the error of the write matters
		}
	}()
	id, filler := driver.NewProbe()
	if _, err := w.conn.Exec(ctx, insertProbe, []any{id, filler}); err != nil {
		return err
	}
	if _, err := w.conn.Exec(ctx, deleteProbe, []any{id}); err != nil {
		return err
	}
	return w.conn.control(groupCommit)
}
