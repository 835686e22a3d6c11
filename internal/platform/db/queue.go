package db

import (
	"context"
	"errors"
)

// Queued is a statement in a batch; see Tx.Queue.
type Queued struct {
	stmt *Stmt
	args []any
	dest []any // of the first row; nil when the caller wants no columns
	rows int64
}

// Into scans the first row into dest, as Row.Scan does, and leaves dest unchanged if
// there is no row. The values are valid once the batch has run, at the latest when
// InTx has returned nil.
func (q *Queued) Into(dest ...any) *Queued {
	q.dest = dest
	return q
}

// Rows returns how many rows the statement changed or, when it returns rows,
// returned. It is 0 until the statement has run.
func (q *Queued) Rows() int64 { return q.rows }

// run runs the statement by itself.
func (q *Queued) run(ctx context.Context, r runner) (err error) {
	if q.dest == nil {
		q.rows, err = r.exec(ctx, q.stmt, q.args)
		return q.stmt.explain(ctx, q.args, err)
	}
	q.rows = 0
	var scanned error
	err = r.query(ctx, q.stmt, q.args, func(row Row) bool {
		if q.rows++; q.rows == 1 {
			scanned = row.Scan(q.dest...)
		}
		return scanned == nil
	})
	return q.stmt.explain(ctx, q.args, errors.Join(err, scanned))
}

// Queue is described at Tx.
func (q txQuerier) Queue(ctx context.Context, s *Stmt, args ...any) *Queued {
	queued := &Queued{stmt: s, args: args}
	if err := q.check(ctx, s, args); err != nil {
		_ = q.tx.fail(s.explain(ctx, args, err)) // InTx returns it
	}
	q.tx.queue = append(q.tx.queue, queued)
	return queued
}

// flush runs the batch.
func (t *transaction) flush(ctx context.Context, commit bool) error {
	queue := t.queue
	if len(queue) == 0 {
		return nil
	}
	t.queue = nil
	return t.fail(t.tx.batch(ctx, queue, commit))
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

// RetryUnique calls fn. If fn fails because a concurrent transaction inserted the same
// row first, RetryUnique calls it a second time: then fn finds that row.
func RetryUnique(fn func() error) error {
	err := fn()
	if UniqueViolation(err) {
		err = fn()
	}
	return err
}
