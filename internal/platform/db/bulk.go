package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Bulk inserts rows into a table, all or none, and gives their number: COPY
// on PostgreSQL, a prepared INSERT on SQLite. It is for large imports while
// nothing else needs the store; on SQLite every other write waits for its end.
func (d *DB) Bulk(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	w := &write{changes: d.changes, at: []place{some(table), every(table)}}
	w.mark()
	defer w.end()
	n, err := d.store.copyRows(ctx, table, columns, rows)
	return n, explain(ctx, "db: bulk "+table, err)
}

// Analyze lets PostgreSQL count what large imports have changed, so that it
// plans well at once and not minutes later. SQLite's plans need no counting.
func (d *DB) Analyze(ctx context.Context) error {
	if d.Engine() == SQLite {
		return nil
	}
	_, err := d.Exec(ctx, analyzeStmt)
	return err
}

var analyzeStmt = SQL("db.analyze", `ANALYZE`)

func (s *sqliteStore) copyRows(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	places := make([]string, len(columns))
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	insert := newStmt("db.bulk", fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), strings.Join(places, ", ")))
	insertAll := func(r runner) error {
		for values := range rows {
			if err := checkCount(insert, values); err != nil {
				return err
			}
			if _, err := r.exec(ctx, insert, values); err != nil {
				return err
			}
			n++
		}
		return nil
	}
	err = s.inTx(ctx, func(r txRunner) (err error) {
		if err := r.script(ctx, bulkCache); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, r.script(ctx, usualCache)) }()
		return protect(func() error { return insertAll(r) })
	})
	return n, err
}

// bulkCache lets the pages that an import changes stay in memory, 128 MB of
// them, so that most are written once although rows come in no order of an index.
const (
	bulkCache  = "PRAGMA cache_size = -131072"
	usualCache = "PRAGMA cache_size = -8000" // as SQLitePragmas
)

func (s *postgresStore) copyRows(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (n int64, err error) {
	next, stop := iter.Pull(rows)
	defer stop()
	source := pgx.CopyFromFunc(func() ([]any, error) {
		values, more := next()
		if !more {
			return nil, nil
		}
		return postgresArgs(values)
	})
	err = s.withConn(ctx, func(c *pgxpool.Conn) error {
		n, err = c.CopyFrom(ctx, pgx.Identifier{table}, columns, source)
		return err
	})
	return n, err
}

// PrepareAll prepares every registered statement and names each that the
// engine does not take: for a test on a migrated database.
func PrepareAll(ctx context.Context, d *DB) error {
	var failed []error
	for _, s := range Statements() {
		if err := d.store.prepare(ctx, s); err != nil {
			failed = append(failed, fmt.Errorf("%s on %v: %w\n%s", s.name, d.engine, err, s.Text(d.engine)))
		}
	}
	return errors.Join(failed...)
}

// Drain runs a statement that changes a limited number of rows until it changes
// none, so that other writers wait for one batch at most.
func Drain(ctx context.Context, q Querier, s *Stmt, args ...any) error {
	for {
		n, err := q.Exec(ctx, s, args...)
		if err != nil || n == 0 {
			return err
		}
	}
}
