// Package job runs background jobs. A job is a row that the caller's transaction
// inserts. A worker of any instance takes it under a lease, retries it when it fails,
// and discards it after the last attempt.
//
// Most jobs use InTx: the effect of a job and its end commit together, so a crash never
// repeats an effect.
package job

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
)

// Job is a background job.
type Job struct {
	Kind    string    // selects the handler
	Key     string    // unique within the kind
	Payload any       // JSON for the handler; no personal data besides ids
	RunAt   time.Time // earliest start, at most a day ahead; the zero time is now
}

// maxAhead is how far ahead a job is put, run again or retried. A wrong clock has written any later
// time.
const maxAhead = 24 * time.Hour

// Put queues a job in the caller's transaction. It replaces a job of the same kind
// and key in any state: the job restarts with this payload, and a worker that runs it
// loses its lease. So a job always runs after the last Put has committed.
func Put(ctx context.Context, tx db.Tx, now time.Time, j Job) error {
	args, err := j.row(now, observe.TraceParent(ctx))
	if err != nil {
		return err
	}
	tx.Queue(ctx, putStmt, args...)
	tx.Publish(topic)
	return nil
}

// PutIfAbsent queues a job in the caller's transaction, unless there is a job of the same kind and key in any state. So a job
// that has not read its data yet runs after the commit. It waits for no worker.
func PutIfAbsent(ctx context.Context, tx db.Tx, now time.Time, j Job) error {
	args, err := j.row(now, observe.TraceParent(ctx))
	if err != nil {
		return err
	}
	tx.Queue(ctx, putIfAbsentStmt, args...)
	tx.Publish(topic)
	return nil
}

// row returns the parameters of putStmt. trace is the traceparent of the span that queues the job; nil if it is not recorded.
func (j Job) row(now time.Time, trace *string) ([]any, error) {
	payload, err := json.Marshal(j.Payload)
	if err != nil {
		return nil, fmt.Errorf("job.put %s %s: %w", j.Kind, j.Key, err)
	}
	if j.RunAt.IsZero() {
		j.RunAt = now
	}
	if j.RunAt.After(now.Add(maxAhead)) {
		return nil, fmt.Errorf("job.put %s %s: more than %v ahead", j.Kind, j.Key, maxAhead)
	}
	return []any{j.Kind, j.Key, string(payload), j.RunAt, now, trace}, nil
}

// Put publishes topic, which wakes the workers of this process before the next poll.
var topic = db.Topic{Name: "job"}

// DiscardedJob is a job that failed in its last attempt. It runs again when it is
// put again or retried, and stays until then unless it is deleted.
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

// ScheduledSince returns when a periodic job was scheduled for the first time; zero if it never was.
func ScheduledSince(ctx context.Context, q db.Querier, kind string) (since time.Time, err error) {
	_, err = q.One(ctx, scheduledSinceStmt, kind).Find(&since)
	return since, err
}

// Retry makes a discarded job due now, with all its attempts. It
// reports whether there was such a job. Instances find it at their next poll.
func Retry(ctx context.Context, q db.Querier, now time.Time, kind, key string) (bool, error) {
	n, err := q.Exec(ctx, retryStmt, kind, key, now)
	return n > 0, err
}

// RetryDiscarded is Retry for all jobs of some kinds that were discarded before a time. Those of work that must not end are retried by a
// periodic job; until then, they are listed by Discarded.
func RetryDiscarded(ctx context.Context, q db.Querier, now, before time.Time, kinds ...string) error {
	_, err := q.Exec(ctx, retryDiscardedStmt, now, before, kinds)
	return err
}

// Delete deletes a discarded job, so that it never runs again, and reports whether there was such a job.
func Delete(ctx context.Context, q db.Querier, kind, key string) (bool, error) {
	n, err := q.Exec(ctx, deleteDiscardedStmt, kind, key)
	return n > 0, err
}
