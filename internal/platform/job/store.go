package job

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var leases = Leases{Table: "jobs", Key: "kind, key", Due: "run_at"}

const insertSQL = `
		INSERT INTO jobs (kind, key, payload, run_at, attempts, created_at, trace) VALUES ($1, $2, $3, $4, 0, $5, $6)`

var (
	putIfAbsentStmt = db.SQL("job.put_if_absent", insertSQL+` ON CONFLICT (kind, key) DO NOTHING`)

	putStmt = db.SQL("job.put", insertSQL+`
		ON CONFLICT (kind, key) DO UPDATE SET
			payload = excluded.payload, run_at = excluded.run_at, created_at = excluded.created_at, trace = excluded.trace,
			lease = NULL, attempts = 0, failed_at = NULL, last_error = NULL`)

	discardedStmt = db.SQL("job.discarded", `
		SELECT kind, key, failed_at, attempts, last_error FROM jobs
		WHERE failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT 100`)

	retryStmt = db.SQL("job.retry", `
		UPDATE jobs SET run_at = $3, lease = NULL, attempts = 0, failed_at = NULL, last_error = NULL
		WHERE kind = $1 AND key = $2 AND failed_at IS NOT NULL`)

	retryDiscardedStmt = db.SQL("job.retry_discarded", `
		UPDATE jobs SET run_at = $1, lease = NULL, attempts = 0, failed_at = NULL, last_error = NULL
		WHERE failed_at < $2 AND kind IN (SELECT k.value FROM texts($3) AS k)`)

	deleteDiscardedStmt = db.SQL("job.delete", `
		DELETE FROM jobs WHERE kind = $1 AND key = $2 AND failed_at IS NOT NULL`)

	takeStmt = db.SQL("job.take", leases.Take(1, `failed_at IS NULL AND run_at <= $3 AND kind IN (SELECT k.value FROM texts($4) AS k)`,
		`kind, key, payload, attempts, COALESCE(trace, '')`, `attempts = attempts + 1`))

	lockStmt    = db.SQL("job.lock", `SELECT 1 FROM jobs WHERE `+leases.Held()+` FOR UPDATE`)
	renewStmt   = db.SQL("job.renew", `UPDATE jobs SET run_at = $4 WHERE `+leases.Held())
	finishStmt  = db.SQL("job.finish", `DELETE FROM jobs WHERE `+leases.Held())
	releaseStmt = db.SQL("job.release", leases.Release(`run_at = $4, attempts = $5, failed_at = $6, last_error = $7`))

	// A periodic job is one row for all instances. A shorter interval takes effect
	// immediately, except during a run.
	scheduleStmt = db.SQL("job.schedule", `
		INSERT INTO jobs (kind, key, payload, run_at, attempts, created_at) VALUES ($1, '', 'null', $2, 0, $3)
		ON CONFLICT (kind, key) DO UPDATE SET run_at = excluded.run_at
		WHERE jobs.lease IS NULL AND jobs.run_at > excluded.run_at`)
)

var scheduledSinceStmt = db.SQL("job.scheduled_since", `SELECT created_at FROM jobs WHERE kind = $1 AND key = ''`)

// countStmt counts the jobs with the earliest run_at, and the latest discarded ones, at most 1000 of each. The run_at
// of a leased job is the end of its lease.
var countStmt = db.SQL("job.count", `
	SELECT kind, state, COUNT(*), MIN(run_at) FROM (
		SELECT kind, CASE WHEN run_at <= $1 THEN 'due' WHEN lease IS NOT NULL THEN 'running' ELSE 'scheduled' END AS state, run_at
		FROM (SELECT kind, lease, run_at FROM jobs WHERE failed_at IS NULL ORDER BY run_at LIMIT 1000) AS live
		UNION ALL
		SELECT kind, 'discarded', run_at FROM (SELECT kind, run_at FROM jobs WHERE failed_at IS NOT NULL
			ORDER BY failed_at DESC LIMIT 1000) AS ended) AS j
	GROUP BY kind, state`)

// bringBackStmt makes jobs due that are further ahead than any job may be. It also ends leases
// that a wrong clock has given.
var bringBackStmt = db.SQL("job.bring_back", `
	UPDATE jobs SET run_at = $1, lease = NULL WHERE failed_at IS NULL AND run_at > $2`)

// ErrLost means that the lease expired, or the job was replaced. The
// worker must not change anything more.
var ErrLost = errors.New("the worker has lost its lease")

// leasedJob is a job that this worker has leased.
type leasedJob struct {
	kind, key string
	lease     domain.JobID
	payload   string
	attempt   int    // from 1
	trace     string // traceparent of the request that queued it; empty: none
}

// take leases the job that has been due the longest. It reports whether one was due.
func take(ctx context.Context, tx db.Tx, kinds []string, now, until time.Time) (leasedJob, bool, error) {
	h := leasedJob{lease: domain.RandomID[domain.JobKind]()}
	err := tx.One(ctx, takeStmt, h.lease, until, now, kinds).Scan(&h.kind, &h.key, &h.payload, &h.attempt, &h.trace)
	if errors.Is(err, db.ErrNoRow) {
		return leasedJob{}, false, nil
	}
	return h, err == nil, err
}

// lock locks the lease until the transaction ends.
func (h *leasedJob) lock(ctx context.Context, tx db.Tx) error {
	var one int
	err := tx.One(ctx, lockStmt, h.kind, h.key, h.lease).Scan(&one)
	if errors.Is(err, db.ErrNoRow) {
		return ErrLost
	}
	return err
}

// change runs a statement on the job. It returns ErrLost if the lease is lost.
func (h *leasedJob) change(ctx context.Context, q db.Querier, s *db.Stmt, args ...any) error {
	n, err := q.Exec(ctx, s, append([]any{h.kind, h.key, h.lease}, args...)...)
	if err == nil && n == 0 {
		return ErrLost
	}
	return err
}

// finish deletes the job.
func (h *leasedJob) finish(ctx context.Context, q db.Querier) error {
	return h.change(ctx, q, finishStmt)
}

// release ends the lease: the job is due at runAt or, with failedAt, discarded.
func (h *leasedJob) release(ctx context.Context, q db.Querier, runAt time.Time, attempts int, failedAt *time.Time,
	lastError *string) error {
	return h.change(ctx, q, releaseStmt, runAt, attempts, failedAt, lastError)
}
