package migrate

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const (
	// ddlLockTimeout limits how long one attempt of a migration waits for a lock on PostgreSQL.
	// For so long, everybody who wants to read the table queues behind it.
	ddlLockTimeout = 300 * time.Millisecond
	lockPause      = 700 * time.Millisecond // between two attempts; meanwhile the others go on

	lockLook    = 100 * time.Millisecond // between two looks at who holds the lock
	firstReport = time.Second            // of a wait
	sameWait    = 3 * time.Second        // between two looks that find a holder, at most
)

// lockWait watches the locks that migrations wait for. It logs a wait of a second, and then
// every 10 seconds, with the sessions that hold the lock.
type lockWait struct {
	db    *db.DB
	locks driver.SchemaLocks
	log   *slog.Logger
	limit time.Duration // see retryWhileBusy

	holders atomic.Pointer[string] // at the latest look that found any
}

// watchLocks watches until stop is called.
func watchLocks(ctx context.Context, d *db.DB, limit time.Duration, log *slog.Logger) (w *lockWait, stop func()) {
	w = &lockWait{db: d, locks: d.SchemaLocks(ddlLockTimeout), log: log, limit: limit}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { w.run(ctx) })
	return w, func() { cancel(); running.Wait() }
}

// inTx runs a transaction whose waits for locks are watched and limited.
func (w *lockWait) inTx(ctx context.Context, fn func(db.SchemaTx) error) error {
	return w.db.InSchemaTx(ctx, w.locks, fn)
}

func (w *lockWait) run(ctx context.Context) {
	look := time.NewTicker(lockLook)
	defer look.Stop()
	defer w.locks.Close(ctx)
	var first, last, reported time.Duration // of the wait
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		holders := w.locks.Holders(ctx)
		if holders == "" {
			continue
		}
		w.holders.Store(&holders)
		now := observe.Uptime()
		if last == 0 || now-last > sameWait {
			first, reported = now, 0
		}
		last = now
		if waited := now - first; waited >= firstReport && (reported == 0 || now-reported >= nextReport) {
			reported = now
			w.log.WarnContext(ctx, "waiting for a lock before migrations can run",
				slog.String("held_by", holders), slog.String("for", waited.Round(100*time.Millisecond).String()))
		}
	}
}

// explain logs what the operator can do about a wait that has taken too long.
func (w *lockWait) explain(err error) error {
	holders := w.holders.Load()
	if holders == nil {
		return err
	}
	return fmt.Errorf("waited %v for a lock, held by %s: end the holder (on PostgreSQL: SELECT pg_terminate_backend(PROCESS)), "+
		"or allow more time with MIGRATION_LOCK_TIMEOUT, and start again; no migration is half done: %w", w.limit, *holders, err)
}
