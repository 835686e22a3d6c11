package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"moothall/internal/platform/observe"
)

// The statements that begin transactions.
const (
	beginWrite = "begin isolation level read committed"
	beginRead  = "begin isolation level repeatable read read only"
)

// postgresTx is one transaction. BEGIN goes with its first statement in one round trip.
type postgresTx struct {
	postgresConn
	begin string // empty once it was sent
	begun bool   // the server has answered
}

func (t *postgresTx) exec(ctx context.Context, s *Stmt, args []any) (int64, error) {
	if t.begin == "" {
		return t.postgresConn.exec(ctx, s, args)
	}
	only := &Queued{stmt: s, args: args}
	err := t.batch(ctx, []*Queued{only}, false)
	return only.rows, err
}

func (t *postgresTx) query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) error {
	if t.begin == "" {
		return t.postgresConn.query(ctx, s, args, each)
	}
	return t.queryAfter(ctx, nil, s, args, each)
}

// queryAfter sends the queue and the query in one round trip, after BEGIN if it was not
// sent yet.
func (t *postgresTx) queryAfter(ctx context.Context, queue []*Queued, s *Stmt, args []any, each func(Row) bool) error {
	args, err := postgresArgs(args)
	if err != nil {
		return err
	}
	batch, err := t.newBatch(ctx, queue)
	if err != nil {
		return err
	}
	batch.Queue(s.sql.PostgreSQL, args...)
	ctx, cancel := limited(ctx)
	defer cancel()
	begin := t.begin != ""
	t.begin = ""
	results := t.SendBatch(ctx, batch)
	if err = readBatch(ctx, results, begin, queue); err == nil {
		span := observe.StartSpan(ctx, s.name)
		err = eachRow(results.Query, func(r Row) bool {
			t.begun = true
			return each(r)
		})
		span.End(&err)
	}
	err = timedOut(ctx, firstError(err, results.Close()))
	t.begun = t.begun || err == nil
	return err
}

func (t *postgresTx) script(ctx context.Context, sql string) error {
	if t.begin != "" {
		limited, cancel := limited(ctx)
		defer cancel()
		if _, err := t.Exec(limited, t.begin); err != nil {
			return err
		}
		t.begin = ""
	}
	return t.postgresConn.script(ctx, sql)
}

// batch sends the statements and, if commit is set, the commit in one round trip.
func (t *postgresTx) batch(ctx context.Context, queue []*Queued, commit bool) error {
	limit := limited
	if commit {
		limit = ending
	}
	ctx, cancel := limit(ctx)
	defer cancel()
	batch, err := t.newBatch(ctx, queue)
	if err != nil {
		return err
	}
	if commit {
		batch.Queue("commit")
	}
	begin := t.begin != ""
	t.begin = ""
	results := t.SendBatch(ctx, batch)
	err = readBatch(ctx, results, begin, queue)
	ended := err == nil
	if commit && ended {
		_, err = results.Exec()
	}
	err = timedOut(ctx, firstError(err, results.Close()))
	t.begun = t.begun || err == nil
	if commit && inDoubt(err, ended) {
		return explain(ctx, "db: commit", fmt.Errorf("%w: %w", ErrInDoubt, err))
	}
	return err
}

// newBatch returns a batch of the statements, after BEGIN if it was not sent yet.
func (t *postgresTx) newBatch(ctx context.Context, queue []*Queued) (*pgx.Batch, error) {
	batch := &pgx.Batch{}
	if t.begin != "" {
		batch.Queue(t.begin)
	}
	for _, q := range queue {
		args, err := postgresArgs(q.args)
		if err != nil {
			return nil, q.stmt.explain(ctx, q.args, err)
		}
		batch.Queue(q.stmt.sql.PostgreSQL, args...)
	}
	return batch, nil
}

// inDoubt reports whether a failed batch may have committed nevertheless. ended means
// that every statement before the commit succeeded.
func inDoubt(err error, ended bool) bool {
	answered := postgresCode(err) != "" || pgconn.SafeToRetry(err)
	if ended || !answered {
		return err != nil && (!answered || lost(err))
	}
	return lost(err) && !undone(err)
}

// readBatch reads the results of the statements.
func readBatch(ctx context.Context, results pgx.BatchResults, begin bool, queue []*Queued) error {
	if begin {
		if _, err := results.Exec(); err != nil {
			return err
		}
	}
	for _, q := range queue {
		span := observe.StartSpan(ctx, q.stmt.name) // until its result is read: all were sent together
		err := q.read(results)
		if span.End(&err); err != nil {
			return q.stmt.explain(ctx, q.args, err)
		}
	}
	return nil
}

// read reads the result of the statement.
func (q *Queued) read(results pgx.BatchResults) error {
	if q.dest == nil {
		tag, err := results.Exec()
		q.rows = tag.RowsAffected()
		return firstError(err, q.checkRows())
	}
	q.rows = 0
	var scanned error
	err := eachRow(results.Query, func(r Row) bool {
		if q.rows++; q.rows == 1 {
			scanned = r.Scan(q.dest...)
		}
		return scanned == nil
	})
	return firstError(err, scanned, q.checkRows())
}

// commit commits the transaction. If the answer is lost, the commit is in doubt.
func (t *postgresTx) commit(ctx context.Context) error {
	if t.begin != "" || t.PgConn().TxStatus() == 'I' {
		return nil // nothing was sent, or the last batch included the commit
	}
	ctx, cancel := ending(ctx)
	defer cancel()
	tag, err := t.Exec(ctx, "commit")
	if err == nil && tag.String() == "ROLLBACK" {
		return pgx.ErrTxCommitRollback
	}
	var refused *pgconn.PgError
	if err == nil || errors.As(err, &refused) && !lost(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInDoubt, err)
}

// rollback rolls the transaction back if it is still open. If the connection is broken,
// the server rolls back by itself.
func (t *postgresTx) rollback(ctx context.Context) {
	if t.IsClosed() || t.PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := ending(ctx)
	defer cancel()
	_, _ = t.Exec(ctx, "rollback")
}

// eachRow calls each for the rows of a query until that returns false.
func eachRow(query func() (pgx.Rows, error), each func(Row) bool) error {
	rows, err := query()
	if err != nil {
		return err
	}
	defer rows.Close()
	if r := (Row{columns: &postgresRow{Rows: rows}}); rows.Next() {
		for each(r) && rows.Next() {
		}
	}
	rows.Close()
	return rows.Err()
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
