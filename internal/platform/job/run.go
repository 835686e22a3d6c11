package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"moothall/internal/platform/db"
)

// InTx registers a handler that runs in one transaction, together with the deletion of
// the job, and only while the worker has the lease. So each job takes effect once, even
// after a crash. Like every function of db.InTx, run may run again before it commits.
func InTx[P any](w *Workers, kind string, run func(ctx context.Context, tx db.Tx, payload P) error) {
	w.register(kind, func(ctx context.Context, h *leasedJob) error {
		return w.db.InTx(ctx, func(tx db.Tx) error {
			if err := h.lock(ctx, tx); err != nil {
				return err
			}
			var payload P
			if err := json.Unmarshal([]byte(h.payload), &payload); err != nil {
				return fmt.Errorf("payload: %w", err)
			}
			if err := run(ctx, tx, payload); err != nil {
				return err
			}
			return h.finish(ctx, tx)
		})
	})
}

// Leased registers a handler that runs outside of a transaction, such as one that sends a
// mail, while the worker renews its lease. The job ends when run returns nil. After a crash
// the job runs again, so its effect may happen twice.
func Leased[P any](w *Workers, kind string, run func(ctx context.Context, payload P) error) {
	w.register(kind, func(ctx context.Context, h *leasedJob) error {
		var payload P
		if err := json.Unmarshal([]byte(h.payload), &payload); err != nil {
			return fmt.Errorf("payload: %w", err)
		}
		err := w.underLease(ctx, h, func(ctx context.Context) error { return run(ctx, payload) })
		if err != nil {
			return err
		}
		return h.finish(ctx, w.db)
	})
}

// Every registers work that runs once per interval across all instances, first at the
// next full interval of UTC. It is never discarded: a failed run is retried within one
// interval. Work that takes longer than the interval runs again at once. It must be idempotent.
func (w *Workers) Every(interval time.Duration, kind string, work func(context.Context) error) {
	w.periodic[kind] = interval
	w.register(kind, func(ctx context.Context, h *leasedJob) error {
		next := w.nextRun(interval) // after the start of the work: its effect is as of that time
		if err := w.underLease(ctx, h, work); err != nil {
			return err
		}
		return h.release(ctx, w.db, next, 0, nil, nil)
	})
}

// Purge is Every for work that deletes something for its age, or otherwise cannot be undone if
// the time was wrong. It pauses while the clock cannot be trusted.
func (w *Workers) Purge(interval time.Duration, kind string, work func(context.Context) error) {
	w.Every(interval, kind, func(ctx context.Context) error {
		if !w.options.Trusted() {
			w.log.WarnContext(ctx, "job paused: the clock has jumped", "kind", kind)
			return nil
		}
		return work(ctx)
	})
}

func (w *Workers) nextRun(interval time.Duration) time.Time {
	return w.clock.Now().Truncate(interval).Add(interval)
}

// schedule inserts the rows of the periodic jobs. It brings back jobs that a wrong clock has
// put too far ahead.
func (w *Workers) schedule(ctx context.Context) error {
	now := w.clock.Now()
	if _, err := w.db.Exec(ctx, bringBackStmt, now, now.Add(maxAhead)); err != nil {
		return err
	}
	for kind, interval := range w.periodic {
		if _, err := w.db.Exec(ctx, scheduleStmt, kind, w.nextRun(interval), now); err != nil {
			return err
		}
	}
	return nil
}

// underLease runs work and renews the lease until it returns.
func (w *Workers) underLease(ctx context.Context, h *leasedJob, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		renewal := time.NewTicker(w.options.Lease / 3)
		defer renewal.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-renewal.C:
			}
			err := h.change(ctx, w.db, renewStmt, w.clock.Now().Add(w.options.Lease))
			if errors.Is(err, ErrLost) {
				cancel(ErrLost)
				return
			}
		}
	}()
	err := work(ctx)
	if errors.Is(context.Cause(ctx), ErrLost) {
		return ErrLost
	}
	return err
}

// releaseTimeout limits the release of an interrupted job.
const releaseTimeout = time.Second

// run runs the handler of a job, then finishes, retries or discards the job.
func (w *Workers) run(ctx context.Context, h *leasedJob) error {
	started := time.Now()
	ctx, span := w.options.Tracer.Begin(ctx, "job "+h.kind, h.trace)
	err := w.attempt(ctx, h)
	span.SetNumber("attempt", h.attempt)
	defer span.End(&err)
	result := outcome(ctx, err)
	if result == failed {
		var releaseErr error
		if result, releaseErr = w.fail(ctx, h, err); releaseErr != nil {
			err = errors.Join(err, releaseErr)
		}
	} else if result == interrupted {
		// Best effort: otherwise the lease expires.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
		_ = h.release(ctx, w.db, w.clock.Now(), h.attempt-1, nil, nil)
		cancel()
	}
	w.metrics.observe(h.kind, result, time.Since(started))
	if err == nil {
		return nil
	}
	w.log.Log(ctx, result.level(), "job", "kind", h.kind, "result", string(result), "attempt", h.attempt, "error", withoutPersonal(err))
	return fmt.Errorf("job %s %s: %w", h.kind, h.key, err)
}

// attempt calls the handler and converts a panic into an error. It returns an error
// without calling the handler when the process crashed in the last attempt.
func (w *Workers) attempt(ctx context.Context, h *leasedJob) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	if _, periodic := w.periodic[h.kind]; !periodic && h.attempt > w.options.Attempts {
		return errors.New("the last attempt never ended")
	}
	return w.handlers[h.kind](ctx, h)
}

// fail schedules the next attempt of the job, or discards it.
func (w *Workers) fail(ctx context.Context, h *leasedJob, err error) (result, error) {
	now := w.clock.Now()
	runAt, result := now.Add(backoff(h.attempt)), failed
	var failedAt *time.Time
	if interval, periodic := w.periodic[h.kind]; periodic {
		runAt = now.Add(min(backoff(h.attempt), interval))
	} else if h.attempt >= w.options.Attempts {
		failedAt, result = &now, discarded
	}
	text := withoutPersonal(err)
	if err := h.release(ctx, w.db, runAt, h.attempt, failedAt, &text); err != nil {
		return outcome(ctx, err), fmt.Errorf("cannot release the job: %w", err)
	}
	return result, nil
}

// backoff is the wait after the n-th failure: 2 s, doubled each time, at most 30 min.
func backoff(n int) time.Duration {
	return min(time.Second<<min(n, 20), 30*time.Minute)
}

// personal matches text that may be an e-mail address or a phone number.
var personal = regexp.MustCompile(`\S*@\S*|\+[\d ()-]{5,}\d`)

// withoutPersonal returns the first line of an error without personal data.
func withoutPersonal(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	line = personal.ReplaceAllString(strings.ReplaceAll(line, "\x00", ""), "***")
	return strings.ToValidUTF8(line[:min(len(line), 500)], "")
}
