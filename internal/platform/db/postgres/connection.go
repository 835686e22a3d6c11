package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// connection runs statements on one connection. pgx caches them prepared.
type connection struct{ *pgx.Conn }

func (c connection) Exec(ctx context.Context, s *driver.Stmt, args []any) (rows int64, err error) {
	defer observe.StartSpan(ctx, s.Name()).End(&err)
	args, err = arguments(args)
	if err != nil {
		return 0, err
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	tag, err := c.Conn.Exec(ctx, s.Text(driver.PostgreSQL), args...)
	return tag.RowsAffected(), timedOut(ctx, err)
}

func (c connection) Query(ctx context.Context, s *driver.Stmt, args []any, each func(driver.Row) bool) (err error) {
	defer observe.StartSpan(ctx, s.Name()).End(&err)
	args, err = arguments(args)
	if err != nil {
		return err
	}
	ctx, cancel := limited(ctx)
	defer cancel()
	return timedOut(ctx, eachRow(func() (pgx.Rows, error) { return c.Conn.Query(ctx, s.Text(driver.PostgreSQL), args...) }, each))
}

func (c connection) Script(ctx context.Context, sql string) error {
	_, err := c.PgConn().Exec(ctx, sql).ReadAll()
	return err
}

// arguments converts arguments to types that pgx encodes without guessing.
func arguments(args []any) ([]any, error) {
	out := make([]any, len(args))
	for i, arg := range args {
		value, err := driver.Normalize(arg)
		if err != nil {
			return nil, err
		}
		switch v := value.(type) {
		case driver.UUID:
			value = pgtype.UUID{Bytes: v, Valid: true}
		case []driver.UUID:
			list := make([]pgtype.UUID, len(v))
			for i, id := range v {
				list[i] = pgtype.UUID{Bytes: id, Valid: true}
			}
			value = list
		}
		out[i] = value
	}
	return out, nil
}

// eachRow calls each for the rows of a query until that returns false.
func eachRow(query func() (pgx.Rows, error), each func(driver.Row) bool) error {
	rows, err := query()
	if err != nil {
		return err
	}
	defer rows.Close()
	if r := driver.NewRow(&row{Rows: rows}); rows.Next() {
		for each(r) && rows.Next() {
		}
	}
	rows.Close()
	return rows.Err()
}

// statementTimeout limits a statement whose context has no deadline: in jobs and commands.
const statementTimeout = 30 * time.Second

// limited gives a statement a deadline if ctx has none.
func limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, statementTimeout, fmt.Errorf("%w: no answer for %v", driver.ErrUnavailable, statementTimeout))
}

// timedOut makes the error of a statement whose limit has passed an ErrUnavailable.
func timedOut(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, driver.ErrUnavailable) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}
