package sqlite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/platform/db/driver"
)

const (
	logWait     = 50 * time.Millisecond // for readers in an attempt, while writers wait
	logPause    = 200 * time.Millisecond
	logAttempts = 40
)

var errLogInUse = fmt.Errorf("%w: readers use the log", driver.ErrUnavailable)

var truncateLog = driver.NewStmt("db.truncate_log", "PRAGMA wal_checkpoint(TRUNCATE)")

// truncateLog repeats attempts until no reader uses the log.
func (w *writer) truncateLog(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := w.tryTruncateLog(ctx)
		if !errors.Is(err, errLogInUse) || attempt == logAttempts {
			return err
		}
		select {
		case <-time.After(logPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (w *writer) tryTruncateLog(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case w.checks <- func() { done <- w.truncateOnce(ctx) }:
		return <-done
	case <-w.stopped:
		return driver.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) truncateOnce(ctx context.Context) error {
	w.conn.conn.SetBusyTimeout(logWait)
	defer w.conn.conn.SetBusyTimeout(busyTimeout)
	var busy, pages, moved int64
	var scanned error
	err := w.conn.Query(ctx, truncateLog, nil, func(r driver.Row) bool {
		scanned = r.Scan(&busy, &pages, &moved)
		return true
	})
	if err = errors.Join(err, scanned); err == nil && busy != 0 {
		err = errLogInUse
	}
	return classify.Explain(ctx, "db: truncate the log", err)
}
