package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db/driver"
)

const readSettings = "SELECT name, current_setting(name) FROM unnest(ARRAY['server_encoding', 'fsync', 'synchronous_commit', 'full_page_writes']) AS name"

// checkSettings returns an error if the server may lose acknowledged writes or cannot
// store every text.
func checkSettings(ctx context.Context, conn *pgx.Conn, allowUnsafe bool) error {
	rows, err := conn.Query(ctx, readSettings, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return err
	}
	var name, value string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		if name == "server_encoding" && value != "UTF8" {
			return fmt.Errorf("the database's encoding is %s, it must be UTF8", value)
		}
		if value == "off" && !allowUnsafe {
			return fmt.Errorf("PostgreSQL runs with %s = off and could lose acknowledged writes. Set it to on, "+
				"also for the service's role and database, and reload the configuration", name)
		}
		return nil
	})
	return err
}

// checkWritable returns an error if the server refuses writes.
func checkWritable(ctx context.Context, conn *pgx.Conn) error {
	var readOnly string
	if err := conn.QueryRow(ctx, "SHOW transaction_read_only", pgx.QueryExecModeSimpleProtocol).Scan(&readOnly); err != nil {
		return err
	}
	if readOnly == "on" {
		return fmt.Errorf("%w: the server refuses writes. Is it a standby, or is default_transaction_read_only on?", driver.ErrUnavailable)
	}
	return nil
}
