package db

import (
	"context"
	"fmt"
	"iter"
)

// runner runs statements on a connection, or on any connection of a pool.
// Its errors are the engine's own.
type runner interface {
	exec(ctx context.Context, s *Stmt, args []any) (int64, error)
	// query calls each for every row until that returns false.
	query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) error
	// script runs a statement of a migration.
	script(ctx context.Context, sql string) error
}

// txRunner runs statements on the connection of a write transaction.
type txRunner interface {
	runner
	// batch runs statements in order. PostgreSQL takes one round trip for
	// them and, if commit is set, the commit.
	batch(ctx context.Context, queue []*Queued, commit bool) error
	// queryAfter runs the statements of a queue, then a query. PostgreSQL takes one
	// round trip.
	queryAfter(ctx context.Context, queue []*Queued, s *Stmt, args []any, each func(Row) bool) error
}

// querier is the Querier over a runner.
type querier struct {
	run         runner
	engine      Engine
	onStatement func(context.Context, *Stmt, []any)
}

// withRunner returns the same querier over another runner.
func (q querier) withRunner(r runner) querier {
	q.run = r
	return q
}

// Engine is described at Querier.
func (q querier) Engine() Engine { return q.engine }

// Exec is described at Querier.
func (q querier) Exec(ctx context.Context, s *Stmt, args ...any) (int64, error) {
	if err := q.check(ctx, s, args); err != nil {
		return 0, s.explain(ctx, args, err)
	}
	n, err := q.run.exec(ctx, s, args)
	return n, preparationError(ctx, s.explain(ctx, args, err))
}

// Query is described at Querier.
func (q querier) Query(ctx context.Context, s *Stmt, args ...any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		wanted := true
		err := q.check(ctx, s, args)
		if err == nil {
			err = q.run.query(ctx, s, args, func(r Row) bool {
				wanted = yield(r, nil)
				return wanted
			})
		}
		if err != nil && wanted {
			yield(Row{}, s.explain(ctx, args, err))
		}
	}
}

// One is described at Querier.
func (q querier) One(ctx context.Context, s *Stmt, args ...any) Row {
	return Row{call: &call{ctx, q, s, args}}
}

// check checks a call of a statement.
func (q querier) check(ctx context.Context, s *Stmt, args []any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if q.onStatement != nil {
		q.onStatement(ctx, s, args)
	}
	return checkCount(s, args)
}

// call is a call of One whose row is not scanned yet.
type call struct {
	ctx  context.Context
	q    querier
	s    *Stmt
	args []any
}

// scan runs the statement and reads its first row.
func (c *call) scan(dest []any) error {
	err := ErrNoRow
	for r, queryErr := range c.q.Query(c.ctx, c.s, c.args...) {
		if err = queryErr; err == nil {
			err = c.s.explain(c.ctx, c.args, r.Scan(dest...))
		}
		break
	}
	return err
}

// All collects the rows of a statement. scan reads one row into a fresh T.
func All[T any](ctx context.Context, q Querier, scan func(Row, *T) error, s *Stmt, args ...any) ([]T, error) {
	return Append(ctx, q, nil, scan, s, args...)
}

// Append is All with a list to append to, for callers that know its capacity.
func Append[T any](ctx context.Context, q Querier, list []T, scan func(Row, *T) error, s *Stmt, args ...any) ([]T, error) {
	for r, err := range q.Query(ctx, s, args...) {
		if err != nil {
			return nil, err
		}
		list = append(list, *new(T))
		if err := scan(r, &list[len(list)-1]); err != nil {
			return nil, s.explain(ctx, args, err)
		}
	}
	return list, nil
}

// txQuerier implements Tx.
type txQuerier struct {
	querier
	tx      *transaction
	changes *changes

	published   *[]Topic // after the commit
	subscribers *subscribers
}

func (txQuerier) inTx() {}

// Changed is described at Tx.
func (q txQuerier) Changed(entities ...Entity) {
	for _, e := range entities {
		q.changes.cells = e.changedCells(q.changes.cells)
	}
}

// Publish is described at Tx.
func (q txQuerier) Publish(topics ...Topic) { *q.published = append(*q.published, topics...) }

// HasSubscriber is described at Tx.
func (q txQuerier) HasSubscriber(t Topic) bool { return q.subscribers.has(t) }

// transaction is the runner of one transaction. It refuses statements after the end
// of the transaction and after a failed statement.
type transaction struct {
	runner
	tx     txRunner  // the runner of a write transaction; nil in Read
	locks  []*Queued // not run yet
	queue  []*Queued // not run yet
	failed error
	ended  bool
}

func (t *transaction) exec(ctx context.Context, s *Stmt, args []any) (int64, error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	if len(t.locks)+len(t.queue) > 0 {
		last := &Queued{stmt: s, args: args}
		t.queue = append(t.queue, last)
		err := t.flush(ctx, false)
		return last.rows, err
	}
	n, err := t.runner.exec(ctx, s, args)
	return n, t.fail(s.explain(ctx, args, err))
}

func (t *transaction) query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) error {
	if err := t.usable(); err != nil {
		return err
	}
	if queue := t.takeQueue(); len(queue) > 0 {
		return t.fail(s.explain(ctx, args, t.tx.queryAfter(ctx, queue, s, args, each)))
	}
	return t.fail(s.explain(ctx, args, t.runner.query(ctx, s, args, each)))
}

func (t *transaction) script(ctx context.Context, sql string) error {
	if err := t.usable(); err != nil {
		return err
	}
	return t.fail(explain(ctx, "db: script", t.runner.script(ctx, sql)))
}

func (t *transaction) usable() error {
	if t.ended {
		return errEnded
	}
	if t.failed != nil {
		return fmt.Errorf("db: the transaction has already failed: %w", t.failed)
	}
	return nil
}

// fail records the error of a statement, if there is one: the transaction then refuses
// further statements. It returns err.
func (t *transaction) fail(err error) error {
	if err != nil {
		t.failed = err
	}
	return err
}

// outcome returns the error of a transaction whose fn returned err. The error of a
// statement takes precedence if fn ignored it, or if a retry may help.
func (t *transaction) outcome(err error) error {
	if err == nil || retryable(t.failed) {
		return t.failed
	}
	return err
}
