package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const (
	endTimeout = 10 * time.Second // of a commit or rollback
	endGrace   = 2 * time.Second  // of a commit or rollback after the caller's context has ended
)

// The statements that begin transactions.
const (
	beginWrite = "begin isolation level read committed"
	beginRead  = "begin isolation level repeatable read read only"
)

// transaction is one transaction. BEGIN goes with its first statement in one round trip.
type transaction struct {
	connection
	begin string // empty once it was sent
	begun bool   // the server has answered
}

func (t *transaction) Exec(ctx context.Context, s *driver.Stmt, args []any) (int64, error) {
	if t.begin == "" {
		return t.connection.Exec(ctx, s, args)
	}
	only := &driver.Queued{Stmt: s, Args: args}
	err := t.Batch(ctx, []*driver.Queued{only}, false)
	return only.Rows(), err
}

func (t *transaction) Query(ctx context.Context, s *driver.Stmt, args []any, each func(driver.Row) bool) error {
	if t.begin == "" {
		return t.connection.Query(ctx, s, args, each)
	}
	return t.QueryAfter(ctx, nil, s, args, each)
}

// QueryAfter sends the queue and the query in one round trip, after BEGIN if it was not
// sent yet.
func (t *transaction) QueryAfter(ctx context.Context, queue []*driver.Queued, s *driver.Stmt, args []any,
	each func(driver.Row) bool) error {
	args, err := arguments(args)
	if err != nil {
		return err
	}
	batch, err := t.newBatch(ctx, queue, plainText)
	if err != nil {
		return err
	}
	batch.Queue(s.Text(driver.PostgreSQL), args...)
	ctx, cancel := limited(ctx)
	defer cancel()
	begin := t.begin != ""
	t.begin = ""
	results := t.SendBatch(ctx, batch)
	if err = readBatch(ctx, results, begin, queue); err == nil {
		span := observe.StartSpan(ctx, s.Name())
		err = eachRow(results.Query, func(r driver.Row) bool {
			t.begun = true
			return each(r)
		})
		span.End(&err)
	}
	err = timedOut(ctx, cmp.Or(err, results.Close()))
	t.begun = t.begun || err == nil
	return err
}

func (t *transaction) Script(ctx context.Context, sql string) error {
	if t.begin != "" {
		limited, cancel := limited(ctx)
		defer cancel()
		if _, err := t.Conn.Exec(limited, t.begin); err != nil {
			return err
		}
		t.begin = ""
	}
	return t.connection.Script(ctx, sql)
}

// Batch sends the statements and, if commit is set, the commit in one round trip. PostgreSQL
// itself commits a batch that is the whole transaction, so that needs neither BEGIN nor COMMIT.
func (t *transaction) Batch(ctx context.Context, queue []*driver.Queued, commit bool) error {
	limit, textOf := limited, plainText
	commitsWrites := commit && t.begin != beginRead
	if commitsWrites {
		limit, textOf = ending, guardedText
	}
	ctx, cancel := limit(ctx)
	defer cancel()
	whole := commit && t.begin == beginWrite
	if whole {
		t.begin = ""
	}
	batch, err := t.newBatch(ctx, queue, textOf)
	if err != nil {
		return err
	}
	if commit && !whole {
		batch.Queue("commit")
	}
	begin := t.begin != ""
	t.begin = ""
	results := t.SendBatch(ctx, batch)
	err = readBatch(ctx, results, begin, queue)
	ended := err == nil
	err = timedOut(ctx, cmp.Or(err, results.Close()))
	t.begun = t.begun || err == nil
	if commitsWrites && inDoubt(err, ended) {
		return classify.Explain(ctx, "db: commit", fmt.Errorf("%w: %w", driver.ErrInDoubt, err))
	}
	return err
}

// newBatch returns a batch of the statements, after BEGIN if it was not sent yet.
func (t *transaction) newBatch(ctx context.Context, queue []*driver.Queued, textOf func(*driver.Queued) string) (*pgx.Batch, error) {
	batch := &pgx.Batch{}
	if t.begin != "" {
		batch.Queue(t.begin)
	}
	for _, q := range queue {
		args, err := arguments(q.Args)
		if err != nil {
			return nil, classify.ExplainStmt(ctx, q.Stmt, q.Args, err)
		}
		batch.Queue(textOf(q), args...)
	}
	return batch, nil
}

func plainText(q *driver.Queued) string { return q.Stmt.Text(driver.PostgreSQL) }

// guardedText returns the text for a batch with its commit: a required row that is missing
// fails the statement with divisionByZero, before the commit.
func guardedText(q *driver.Queued) string {
	text := plainText(q)
	if q.IsRequired() {
		text = "WITH required AS MATERIALIZED (" + text + ") SELECT 1 / COUNT(*) FROM required"
	}
	return text
}

// inDoubt reports whether a failed batch may have committed nevertheless. ended means
// that every statement before the commit succeeded.
func inDoubt(err error, ended bool) bool {
	answered := codeOf(err) != "" || pgconn.SafeToRetry(err)
	if ended || !answered {
		return err != nil && (!answered || lost(err))
	}
	return lost(err) && !undone(err)
}

// readBatch reads the results of the statements.
func readBatch(ctx context.Context, results pgx.BatchResults, begin bool, queue []*driver.Queued) error {
	if begin {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	for _, q := range queue {
		span := observe.StartSpan(ctx, q.Stmt.Name()) // until its result is read: all were sent together
		err := readResult(q, results)
		if span.End(&err); err != nil {
			return classify.ExplainStmt(ctx, q.Stmt, q.Args, err)
		}
	}
	return nil
}

func readResult(q *driver.Queued, results pgx.BatchResults) error {
	err := q.Run(
		func() (int64, error) {
			tag, err := results.Exec()
			return tag.RowsAffected(), err
		},
		func(each func(driver.Row) bool) error { return eachRow(results.Query, each) })
	if q.IsRequired() && codeOf(err) == divisionByZero {
		err = fmt.Errorf("%w: %w", q.Missing(), err) // see guardedText
	}
	return err
}

// ending returns the context of a commit or rollback. It outlives the context of the
// caller by endGrace, so that the outcome becomes known. When it expires, the server
// has not answered: the error is ErrUnavailable.
func ending(ctx context.Context) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	end, giveUp := context.WithCancelCause(limited)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(endGrace, func() { giveUp(driver.ErrUnavailable) }) })
	return end, func() { stop(); cancel() }
}

// commit commits the transaction. If the answer is lost, the commit is in doubt.
func (t *transaction) commit(ctx context.Context) error {
	if t.begin != "" || t.PgConn().TxStatus() == 'I' {
		return nil // nothing was sent, or the last batch included the commit
	}
	ctx, cancel := ending(ctx)
	defer cancel()
	tag, err := t.Conn.Exec(ctx, "commit")
	if err == nil && tag.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback
	}
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &refused) && !lost(err) {
		return err
	}
	return fmt.Errorf("%w: %w", driver.ErrInDoubt, err)
}

// rollback rolls the transaction back if it is still open. If the connection is broken,
// the server rolls back by itself.
func (t *transaction) rollback(ctx context.Context) {
	if t.IsClosed() || t.PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := ending(ctx)
	defer cancel()
	_, _ = t.Conn.Exec(ctx, "rollback")
}
