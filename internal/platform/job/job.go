// Package job does work after the request that asked for it: a job is a row
// queued in the caller's transaction, taken by one worker of any instance
// under a lease, tried again when it fails, and set aside when it goes on
// failing.
//
// The normal way is Steps: each step's effect and the job's progress commit
// together, so a crash at any moment repeats nothing that can be seen.
package job

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/platform/db"
)

// Job is work to be done later.
type Job struct {
	Kind    string    // which handler does it
	Key     string    // names the work among its kind
	Payload any       // JSON for the handler: ids and words of ours, nothing personal
	RunAt   time.Time // not before; zero is at once
}

// Put queues a job in the caller's transaction. Work of the same kind and key
// that is still there is replaced, whatever has become of it: it begins anew
// with this payload, and a worker in the middle of it can finish nothing more.
// So one run after the last Put always sees what that Put has left.
func Put(ctx context.Context, tx db.Tx, now time.Time, j Job) error {
	args, err := j.row(now)
	if err != nil {
		return err
	}
	tx.Queue(ctx, putStmt, args...)
	db.Hint(tx, topic)
	return nil
}

// row gives the parameters $1 to $5 of the statements that put a job.
func (j Job) row(now time.Time) ([]any, error) {
	payload, err := json.Marshal(j.Payload)
	if err != nil {
		return nil, fmt.Errorf("job.put %s %s: %w", j.Kind, j.Key, err)
	}
	if j.RunAt.IsZero() {
		j.RunAt = now
	}
	return []any{j.Kind, j.Key, string(payload), j.RunAt, now}, nil
}

// topic is what Put hints at, so that this process need not wait for a poll.
const topic = "job"

// Cancel removes a job, if it is still there, in the caller's transaction.
// Steps that have committed before stay; none commits afterwards.
func Cancel(ctx context.Context, tx db.Tx, kind, key string) { tx.Queue(ctx, cancelStmt, kind, key) }

// DiscardedJob is a job that failed in its last attempt. It runs again when it is
// put again or retried.
type DiscardedJob struct {
	Kind, Key string
	FailedAt  time.Time
	Attempts  int
	LastError string
}

// Discarded lists the discarded jobs, the latest first, at most 100.
func Discarded(ctx context.Context, q db.Querier) ([]DiscardedJob, error) {
	return db.All(ctx, q, func(r db.Row, f *DiscardedJob) error {
		return r.Scan(&f.Kind, &f.Key, &f.FailedAt, &f.Attempts, &f.LastError)
	}, discardedStmt)
}

// Retry makes a job that was set aside due at once, with all its attempts, from
// where it had come to; false when there is no such job. Instances find it at
// their next poll.
func Retry(ctx context.Context, q db.Querier, now time.Time, kind, key string) (bool, error) {
	n, err := q.Exec(ctx, retryStmt, kind, key, now)
	if err != nil {
		return false, fmt.Errorf("job.retry %s %s: %w", kind, key, err)
	}
	return n > 0, nil
}
