package postgres

import (
	"cmp"
	"context"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
)

// copyRows implements driver.Store.CopyRows.
func copyRows(ctx context.Context, p *pool, table string, columns []string, rows iter.Seq2[[]any, error]) (n int64, err error) {
	next, stop := iter.Pull2(rows)
	defer stop()
	var failed error // of the rows: PostgreSQL returns only its text
	source := pgx.CopyFromFunc(func() ([]any, error) {
		values, err, more := next()
		if !more || err != nil {
			failed = err
			return nil, err
		}
		return arguments(values)
	})
	err = p.withConn(ctx, func(c *pgxpool.Conn) error {
		return pgx.BeginFunc(ctx, c, func(tx pgx.Tx) error {
			if n, err = tx.CopyFrom(ctx, pgx.Identifier{table}, columns, source); err != nil {
				return cmp.Or(failed, err)
			}
			_, err = tx.Exec(ctx, notifyStmt.Text(driver.PostgreSQL), transactionNotice+encodeCells(map[change.Cell]bool{change.AllCells: true}))
			return err
		})
	})
	return n, err
}
