package db

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
)

// Tx is a querier inside a write transaction. Functions whose writes must be atomic
// with others take a Tx. After a failed statement the transaction refuses all
// further statements and does not commit.
//
// BEGIN goes to PostgreSQL together with the first statement.
type Tx interface {
	Querier
	// Queue adds a statement to the current batch. The batch runs, in order, before
	// the next Exec or Query or at the end of the transaction. On PostgreSQL a
	// batch takes one round trip, and the last one includes the commit. The next
	// statement, or InTx, returns its error.
	Queue(ctx context.Context, s *Stmt, args ...any) *Queued
	// Lock adds a statement that locks the row of an id, which is its argument, until the
	// transaction ends. Locks that are added before the first statement run before it, in
	// the order of their ids, so that transactions do not deadlock.
	Lock(ctx context.Context, s *Stmt, id domain.ID[any]) *Queued
	// Flush runs the current batch, for callers that need its results before the end.
	Flush(ctx context.Context) error
	// Changed names entities that the transaction changes, for caches: see Entity.
	Changed(entities ...Entity)
	// Publish wakes the subscribers of topics when the transaction has committed: see Topic.
	Publish(topics ...Topic)
	// HasSubscriber reports whether this process has a subscriber of a topic.
	HasSubscriber(t Topic) bool
	inTx()
}

// SchemaTx is a transaction that changes the schema, for package migrate.
type SchemaTx interface {
	Tx
	// Script runs one statement of a migration. It is not kept prepared.
	Script(ctx context.Context, sql string) error
}

// lock is a statement that locks the row of an id.
type lock struct {
	id     domain.ID[any]
	queued *Queued
}

// transaction is the runner of one transaction. It refuses statements after the end
// of the transaction and after a failed statement.
type transaction struct {
	driver.Runner
	tx     driver.Tx // the runner of a write transaction; nil in Read
	locks  []lock    // not run yet
	queue  []*Queued // not run yet
	failed error
	ended  bool
}

func (t *transaction) Exec(ctx context.Context, s *Stmt, args []any) (int64, error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	if len(t.locks)+len(t.queue) > 0 {
		last := &Queued{Stmt: s, Args: args}
		t.queue = append(t.queue, last)
		err := t.flush(ctx, false)
		return last.Rows(), err
	}
	n, err := t.Runner.Exec(ctx, s, args)
	return n, t.fail(classify.ExplainStmt(ctx, s, args, err))
}

func (t *transaction) Query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) error {
	if err := t.usable(); err != nil {
		return err
	}
	if queue := t.takeQueue(); len(queue) > 0 {
		return t.fail(classify.ExplainStmt(ctx, s, args, t.tx.QueryAfter(ctx, queue, s, args, each)))
	}
	return t.fail(classify.ExplainStmt(ctx, s, args, t.Runner.Query(ctx, s, args, each)))
}

func (t *transaction) script(ctx context.Context, sql string) error {
	if err := t.usable(); err != nil {
		return err
	}
	return t.fail(classify.Explain(ctx, "db: script", t.tx.Script(ctx, sql)))
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
	if err == nil || ClassOf(t.failed).Has(driver.Retryable) {
		return t.failed
	}
	return err
}

// takeQueue empties the queue and returns its statements: the locks by id, then the others.
func (t *transaction) takeQueue() []*Queued {
	queue := t.queue
	if len(t.locks) > 0 {
		slices.SortStableFunc(t.locks, func(a, b lock) int { return bytes.Compare(a.id[:], b.id[:]) })
		queue = make([]*Queued, 0, len(t.locks)+len(t.queue))
		for _, l := range t.locks {
			queue = append(queue, l.queued)
		}
		queue = append(queue, t.queue...)
	}
	t.locks, t.queue = nil, nil
	return queue
}

// flush runs the batch. If the row of a write is required, the commit does not go with it.
func (t *transaction) flush(ctx context.Context, commit bool) error {
	queue := t.takeQueue()
	if len(queue) == 0 {
		return nil
	}
	required := slices.ContainsFunc(queue, func(q *Queued) bool { return q.IsRequired() && q.Stmt.IsWrite() })
	return t.fail(t.tx.Batch(ctx, queue, commit && !required))
}

// txQuerier implements Tx.
type txQuerier struct {
	querier
	tx      *transaction
	changes *change.Changes

	published   *[]Topic // after the commit
	subscribers *change.Subscribers
}

func (txQuerier) inTx() {}

// Changed is described at Tx.
func (q txQuerier) Changed(entities ...Entity) { q.changes.Add(entities...) }

// Publish is described at Tx.
func (q txQuerier) Publish(topics ...Topic) { *q.published = append(*q.published, topics...) }

// HasSubscriber is described at Tx.
func (q txQuerier) HasSubscriber(t Topic) bool { return q.subscribers.Has(t) }

// Queue is described at Tx.
func (q txQuerier) Queue(ctx context.Context, s *Stmt, args ...any) *Queued {
	queued := q.newQueued(ctx, s, args)
	q.tx.queue = append(q.tx.queue, queued)
	return queued
}

// Lock is described at Tx.
func (q txQuerier) Lock(ctx context.Context, s *Stmt, id domain.ID[any]) *Queued {
	queued := q.newQueued(ctx, s, []any{id})
	q.tx.locks = append(q.tx.locks, lock{id, queued})
	return queued
}

func (q txQuerier) newQueued(ctx context.Context, s *Stmt, args []any) *Queued {
	if err := q.check(ctx, s, args); err != nil {
		_ = q.tx.fail(classify.ExplainStmt(ctx, s, args, err)) // InTx returns it
	}
	return &Queued{Stmt: s, Args: args}
}

// Flush is described at Tx.
func (q txQuerier) Flush(ctx context.Context) error { return q.tx.flush(ctx, false) }

// Script is described at SchemaTx.
func (q txQuerier) Script(ctx context.Context, sql string) error { return q.tx.script(ctx, sql) }
