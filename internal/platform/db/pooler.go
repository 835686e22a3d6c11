package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// HasPooler reports whether a connection pooler, such as PgBouncer, is between this program and PostgreSQL. A pooler
// gives clients process numbers of its own.
func (d *DB) HasPooler(ctx context.Context) (found bool, err error) {
	s, ok := d.store.(*postgresStore)
	if !ok {
		return false, nil
	}
	err = s.withConn(ctx, func(c *pgxpool.Conn) error {
		var process uint32
		if err := c.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
			return fmt.Errorf("db: pooler: %w", err)
		}
		found = process != c.Conn().PgConn().PID()
		return nil
	})
	return found, err
}
