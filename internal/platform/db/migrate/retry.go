package migrate

import (
	"context"
	"errors"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/driver"
)

const busyPause = 50 * time.Millisecond

// retryWhileBusy retries fn while a lock is held or the store is busy: many instances may
// start at once. After the limit, it returns the error. It returns the error of a store that refuses writes at once: waiting does not help.
func (w *lockWait) retryWhileBusy(ctx context.Context, fn func(context.Context) error) error {
	var failed time.Time // for the first time
	for {
		err := fn(ctx)
		if !errors.Is(err, db.ErrUnavailable) || db.ClassOf(err).Has(driver.RefusesWrites) || ctx.Err() != nil {
			return db.Advise(err)
		}
		if failed.IsZero() {
			failed = time.Now()
		}
		if time.Since(failed) > w.limit {
			return w.explain(err)
		}
		pause := busyPause
		if db.ClassOf(err).Has(driver.Locked) {
			pause = lockPause
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
