package db

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// ddlLockTimeout limits how long one attempt of a migration waits for a lock on PostgreSQL.
	// For so long, everybody who wants to read the table queues behind it.
	ddlLockTimeout = 300 * time.Millisecond
	lockPause      = 700 * time.Millisecond // between two attempts; meanwhile the others go on

	lockLook    = 100 * time.Millisecond // between two looks at who holds the lock
	firstReport = time.Second            // of a wait
	nextReport  = 10 * time.Second
	sameWait    = 3 * time.Second // between two looks that find a holder, at most
)

// lockWait watches the locks that migrations wait for. It logs a wait of a second, and then
// every 10 seconds, with the sessions that hold the lock.
type lockWait struct {
	store store
	log   *slog.Logger

	pending atomic.Bool            // an attempt has not begun its transaction
	backend atomic.Uint32          // PostgreSQL's process of the transaction, or 0
	holders atomic.Pointer[string] // at the latest look that found any
	conn    *pgx.Conn              // for looks: the pool may have only one
}

// watchLocks watches until stop is called.
func (d *DB) watchLocks(ctx context.Context) (w *lockWait, stop func()) {
	w = &lockWait{store: d.store, log: d.log}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { w.run(ctx) })
	return w, func() { cancel(); running.Wait() }
}

// inTx is InTx, whose waits for locks are watched and limited.
func (w *lockWait) inTx(ctx context.Context, d *DB, fn func(Tx) error) error {
	w.pending.Store(true)
	defer w.pending.Store(false)
	return d.InTx(ctx, func(tx Tx) error {
		w.pending.Store(false)
		of := tx.(txQuerier)
		if postgres, ok := of.tx.tx.(*postgresTx); ok {
			process, err := backend(ctx, postgres.Conn)
			if err != nil {
				return err
			}
			w.backend.Store(process)
			defer w.backend.Store(0)
			if err := of.run.script(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", ddlLockTimeout.Milliseconds())); err != nil {
				return err
			}
		}
		return fn(tx)
	})
}

func (w *lockWait) run(ctx context.Context) {
	look := time.NewTicker(lockLook)
	defer look.Stop()
	defer w.disconnect(ctx)
	var first, last, reported time.Duration // of the wait
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		holders := w.look(ctx)
		if holders == "" {
			continue
		}
		w.holders.Store(&holders)
		now := sinceStart()
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
func (w *lockWait) explain(err error, limit time.Duration) error {
	holders := w.holders.Load()
	if holders == nil {
		return err
	}
	return fmt.Errorf("waited %v for a lock, held by %s: end the holder (on PostgreSQL: SELECT pg_terminate_backend(PROCESS)), "+
		"or allow more time with MIGRATION_LOCK_TIMEOUT, and start again; no migration is half done: %w", limit, *holders, err)
}

// look returns who holds the lock that a migration waits for, or "".
func (w *lockWait) look(ctx context.Context) string {
	postgres, ok := w.store.(*postgresStore)
	if !ok {
		if w.pending.Load() {
			return "another process that writes to the SQLite file"
		}
		return ""
	}
	backend := w.backend.Load()
	if backend == 0 {
		return ""
	}
	holders, err := w.blockers(ctx, postgres, backend)
	if err != nil {
		w.disconnect(ctx)
		return ""
	}
	return strings.Join(holders, "; ")
}

func (w *lockWait) disconnect(ctx context.Context) {
	if w.conn != nil {
		_ = w.conn.Close(context.WithoutCancel(ctx)) // it only read
		w.conn = nil
	}
}

// blockersSQL shows no statements: their texts may contain data.
const blockersSQL = `
	SELECT b.pid, COALESCE(a.application_name, ''), COALESCE(CAST(a.client_addr AS TEXT), 'local'), COALESCE(a.state, 'hidden'), a.query_start
	FROM unnest(pg_blocking_pids($1)) AS b (pid) LEFT JOIN pg_stat_activity AS a ON a.pid = b.pid`

// blockers describes the sessions that block a backend.
func (w *lockWait) blockers(ctx context.Context, s *postgresStore, backend uint32) (list []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if w.conn == nil {
		if w.conn, err = pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig); err != nil {
			return nil, err
		}
	}
	rows, err := w.conn.Query(ctx, blockersSQL, int32(backend))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var pid int32
		var application, address, state string
		var since *time.Time
		if err := row.Scan(&pid, &application, &address, &state, &since); err != nil {
			return "", err
		}
		text := fmt.Sprintf("process %d (application %q, client %s, state %s", pid, application, address, state)
		if since != nil {
			text += ", latest query from " + since.UTC().Format(time.RFC3339)
		}
		return text + ")", nil
	})
}
