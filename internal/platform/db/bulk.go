package db

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"moothall/internal/platform/db/change"
)

// Bulk inserts rows into a table, all or none, and returns their number. It is for
// large imports into an idle store: on SQLite all other writers wait for it. For
// caches, any entity may have changed.
func (d *DB) Bulk(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (int64, error) {
	return d.CopyRows(ctx, table, columns, func(yield func([]any, error) bool) {
		for row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	})
}

// CopyRows is Bulk for rows that may end with an error.
func (d *DB) CopyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	n, err := d.store.CopyRows(ctx, table, columns, rows)
	d.versions.Advance(change.AllCells)
	return n, classify.Explain(ctx, "db: bulk "+table, err)
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

// PrepareAll prepares statements on a migrated database. Its error names the statements
// that the engine refuses. It is for tests.
func PrepareAll(ctx context.Context, d *DB, all []*Stmt) error {
	var failed []error
	for _, s := range all {
		if err := d.store.Prepare(ctx, s); err != nil {
			failed = append(failed, fmt.Errorf("%s on %v: %w\n%s", s.Name(), d.engine, err, s.Text(d.engine)))
		}
	}
	return errors.Join(failed...)
}
