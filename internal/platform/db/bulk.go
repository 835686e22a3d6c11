package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Bulk inserts rows into a table, all or none, and returns their number. It is for
// large imports into an idle store: on SQLite all other writers wait for it. For
// caches, any entity may have changed.
func (d *DB) Bulk(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	return d.bulk(ctx, table, columns, func(yield func([]any, error) bool) {
		for row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	})
}

// bulk is Bulk for rows that may end with an error.
func (d *DB) bulk(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	n, err := d.store.copyRows(ctx, table, columns, rows)
	d.versions.advance(everything)
	return n, explain(ctx, "db: bulk "+table, err)
}

// Analyze updates PostgreSQL's statistics after large imports, so that it plans well
// at once. On SQLite it does nothing: SQLite plans our statements well without
// statistics.
func (d *DB) Analyze(ctx context.Context) error {
	if d.Engine() == SQLite {
		return nil
	}
	_, err := d.Exec(ctx, analyzeStmt)
	return err
}

var analyzeStmt = SQL("db.analyze", `ANALYZE`)

func (s *sqliteStore) copyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (n int64, err error) {
	params := make([]string, len(columns))
	for i := range params {
		params[i] = fmt.Sprintf("$%d", i+1)
	}
	insert := newStmt("db.bulk", fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "),
		strings.Join(params, ", ")))
	insertAll := func(r runner) error {
		for values, err := range rows {
			if err != nil {
				return err
			}
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
		for _, pragma := range []string{bulkCache, checkLater} {
			if err := r.script(ctx, pragma); err != nil {
				return err
			}
		}
		defer func() { err = errors.Join(err, r.script(ctx, usualCache)) }()
		return protect(func() error { return insertAll(r) })
	})
	return n, err
}

// bulkCache lets SQLite keep 128 MB of changed pages in memory during an import. The
// rows are in no index order, so a smaller cache would write many pages repeatedly.
const (
	bulkCache  = "PRAGMA cache_size = -131072"
	usualCache = "PRAGMA cache_size = -8000" // as in SQLitePragmas

	// checkLater checks foreign keys at the end of the transaction, as PostgreSQL does at the end of
	// the statement: a row may reference a later one of its table.
	checkLater = "PRAGMA defer_foreign_keys = ON"
)

func (s *postgresStore) copyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (n int64, err error) {
	next, stop := iter.Pull2(rows)
	defer stop()
	var failed error // of the rows: PostgreSQL returns only its text
	source := pgx.CopyFromFunc(func() ([]any, error) {
		values, err, more := next()
		if !more || err != nil {
			failed = err
			return nil, err
		}
		return postgresArgs(values)
	})
	err = s.withConn(ctx, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if n, err = tx.CopyFrom(ctx, pgx.Identifier{table}, columns, source); err != nil {
				return cmp.Or(failed, err)
			}
			_, err = tx.Exec(ctx, notifyStmt.sql.PostgreSQL, transactionNotice+encodeCells(map[versionCell]bool{everything: true}))
			return err
		})
	})
	return n, err
}

// PrepareAll prepares statements on a migrated database. Its error names the statements
// that the engine refuses. It is for tests.
func PrepareAll(ctx context.Context, d *DB, all []*Stmt) error {
	var failed []error
	for _, s := range all {
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
