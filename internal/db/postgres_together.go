package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// together sends all steps at once, without BEGIN and COMMIT: what is sent
// together is one transaction, which a failure of any of it undoes.
func (s *postgresStore) together(ctx context.Context, steps []Step) error {
	batch := &pgx.Batch{}
	for i := range steps {
		args, err := postgresArgs(steps[i].args)
		if err != nil {
			return explain(ctx, steps[i].stmt.name, err)
		}
		batch.Queue(steps[i].stmt.postgres, args...)
	}
	name := steps[0].stmt.name
	err := s.retry(ctx, func() error {
		return s.withConn(ctx, func(c *pgxpool.Conn) error {
			ctx, cancel := ending(ctx)
			defer cancel()
			results := c.SendBatch(ctx, batch)
			err := postgresResults(results, steps)
			if closed := results.Close(); err == nil {
				err = closed
			}
			if lost(err) && !undone(err) {
				err = fmt.Errorf("%w: %w", errInDoubt, err)
			}
			return err
		})
	})
	return explain(ctx, name, err)
}

// postgresResults reads what each step has done.
func postgresResults(results pgx.BatchResults, steps []Step) error {
	for i := range steps {
		s := &steps[i]
		if s.dest == nil {
			tag, err := results.Exec()
			if err != nil {
				return fmt.Errorf("%s: %w", s.stmt.name, err)
			}
			s.rows = tag.RowsAffected()
			continue
		}
		rows, err := results.Query()
		if err == nil && rows.Next() {
			err = (Row{columns: &postgresRow{Rows: rows}}).Scan(s.dest...)
		}
		rows.Close()
		if err = errors.Join(err, rows.Err()); err != nil {
			return fmt.Errorf("%s: %w", s.stmt.name, err)
		}
		s.rows = rows.CommandTag().RowsAffected()
	}
	return nil
}
