package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"moothall/internal/platform/db/driver"
)

// copyRows implements driver.Store.CopyRows.
func (w *writer) copyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (n int64, err error) {
	params := make([]string, len(columns))
	for i := range params {
		params[i] = fmt.Sprintf("$%d", i+1)
	}
	insert := driver.NewStmt("db.bulk", fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "),
		strings.Join(params, ", ")))
	insertAll := func(r driver.Runner) error {
		for values, err := range rows {
			if err != nil {
				return err
			}
			if err := insert.CheckCount(values); err != nil {
				return err
			}
			if _, err := r.Exec(ctx, insert, values); err != nil {
				return err
			}
			n++
		}
		return nil
	}
	err = w.do(ctx, func(r driver.Tx) (err error) {
		for _, pragma := range []string{bulkCache, checkLater} {
			if err := r.Script(ctx, pragma); err != nil {
				return err
			}
		}
		defer func() { err = errors.Join(err, r.Script(ctx, usualCache)) }()
		return driver.Protect(func() error { return insertAll(r) })
	})
	return n, err
}

// bulkCache lets SQLite keep 128 MB of changed pages in memory during an import. The
// rows are in no index order, so a smaller cache would write many pages repeatedly.
const (
	bulkCache  = "PRAGMA cache_size = -131072"
	usualCache = "PRAGMA cache_size = -8000" // as in Pragmas

	// checkLater checks foreign keys at the end of the transaction, as PostgreSQL does at the end of
	// the statement: a row may reference a later one of its table.
	checkLater = "PRAGMA defer_foreign_keys = ON"
)
