package db

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"moothall/internal/domain"
)

// Queued is a statement in a batch; see Tx.Queue.
type Queued struct {
	stmt *Stmt
	args []any
	dest []any // of the first row; nil when the caller wants no columns
	rows int64

	locked  domain.ID[any] // of a lock
	missing error          // of a statement without a row; nil: rows are not required
}

// Into scans the first row into dest, as Row.Scan does, and leaves dest unchanged if
// there is no row. The values are valid once the batch has run, at the latest when
// InTx has returned nil.
func (q *Queued) Into(dest ...any) *Queued {
	q.dest = dest
	return q
}

// Require lets the transaction fail with an error if the statement returns no row.
func (q *Queued) Require(err error) *Queued {
	q.missing = err
	return q
}

// checkRows returns the error of a required row that is missing.
func (q *Queued) checkRows() error {
	if q.rows == 0 {
		return q.missing
	}
	return nil
}

// Rows returns how many rows the statement changed or, when it returns rows,
// returned. It is 0 until the statement has run.
func (q *Queued) Rows() int64 { return q.rows }

// run runs the statement by itself.
func (q *Queued) run(ctx context.Context, r runner) (err error) {
	if q.dest == nil {
		q.rows, err = r.exec(ctx, q.stmt, q.args)
		return q.stmt.explain(ctx, q.args, firstError(err, q.checkRows()))
	}
	q.rows = 0
	var scanned error
	err = r.query(ctx, q.stmt, q.args, func(row Row) bool {
		if q.rows++; q.rows == 1 {
			scanned = row.Scan(q.dest...)
		}
		return scanned == nil
	})
	return q.stmt.explain(ctx, q.args, firstError(errors.Join(err, scanned), q.checkRows()))
}

// Queue is described at Tx.
func (q txQuerier) Queue(ctx context.Context, s *Stmt, args ...any) *Queued {
	queued := q.newQueued(ctx, s, args)
	q.tx.queue = append(q.tx.queue, queued)
	return queued
}

// Lock is described at Tx.
func (q txQuerier) Lock(ctx context.Context, s *Stmt, id domain.ID[any]) *Queued {
	queued := q.newQueued(ctx, s, []any{id})
	queued.locked = id
	q.tx.locks = append(q.tx.locks, queued)
	return queued
}

func (q txQuerier) newQueued(ctx context.Context, s *Stmt, args []any) *Queued {
	if err := q.check(ctx, s, args); err != nil {
		_ = q.tx.fail(s.explain(ctx, args, err)) // InTx returns it
	}
	return &Queued{stmt: s, args: args}
}

// takeQueue empties the queue and returns its statements: the locks by id, then the others.
func (t *transaction) takeQueue() []*Queued {
	slices.SortStableFunc(t.locks, func(a, b *Queued) int { return bytes.Compare(a.locked[:], b.locked[:]) })
	queue := slices.Concat(t.locks, t.queue)
	t.locks, t.queue = nil, nil
	return queue
}

// Flush is described at Tx.
func (q txQuerier) Flush(ctx context.Context) error { return q.tx.flush(ctx, false) }

// flush runs the batch. If a row is required, the commit does not go with it.
func (t *transaction) flush(ctx context.Context, commit bool) error {
	queue := t.takeQueue()
	if len(queue) == 0 {
		return nil
	}
	required := slices.ContainsFunc(queue, func(q *Queued) bool { return q.missing != nil })
	return t.fail(t.tx.batch(ctx, queue, commit && !required))
}

// batch runs the statements one after the other. The writer commits afterwards.
func (c *sqliteConn) batch(ctx context.Context, queue []*Queued, _ bool) error {
	for _, q := range queue {
		if err := q.run(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// queryAfter runs the statements one after the other.
func (c *sqliteConn) queryAfter(ctx context.Context, queue []*Queued, s *Stmt, args []any, each func(Row) bool) error {
	if err := c.batch(ctx, queue, false); err != nil {
		return err
	}
	return c.query(ctx, s, args, each)
}

// RetryUnique calls fn. If fn fails because a concurrent transaction inserted the same
// row first, RetryUnique calls it a second time: then fn finds that row.
func RetryUnique(fn func() error) error {
	err := fn()
	if UniqueViolation(err) {
		err = fn()
	}
	return err
}
