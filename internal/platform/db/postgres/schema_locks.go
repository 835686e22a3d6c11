package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db/driver"
)

// schemaLocks implements driver.SchemaLocks.
type schemaLocks struct {
	pool    *pool
	limit   time.Duration // of the wait of a statement
	backend atomic.Uint32 // the server's process of the transaction, or 0
	conn    *pgx.Conn     // for Holders: the pool may have only one
}

// InTx implements driver.SchemaLocks.
func (l *schemaLocks) InTx(ctx context.Context, fn func(driver.Tx) error) error {
	return l.pool.inTx(ctx, func(t *transaction) error {
		process, err := backend(ctx, t.Conn)
		if err != nil {
			return err
		}
		l.backend.Store(process)
		defer l.backend.Store(0)
		if err := t.Script(ctx, fmt.Sprintf("SET LOCAL lock_timeout = %d", l.limit.Milliseconds())); err != nil {
			return err
		}
		return fn(t)
	})
}

// Holders implements driver.SchemaLocks.
func (l *schemaLocks) Holders(ctx context.Context) string {
	process := l.backend.Load()
	if process == 0 {
		return ""
	}
	holders, err := l.blockers(ctx, process)
	if err != nil {
		l.Close(ctx)
		return ""
	}
	return strings.Join(holders, "; ")
}

// Close implements driver.SchemaLocks.
func (l *schemaLocks) Close(ctx context.Context) {
	if l.conn != nil {
		_ = l.conn.Close(context.WithoutCancel(ctx)) // it only read
		l.conn = nil
	}
}

// blockersSQL shows no statements: their texts may contain data.
const blockersSQL = `
	SELECT b.pid, COALESCE(a.application_name, ''), COALESCE(CAST(a.client_addr AS TEXT), 'local'), COALESCE(a.state, 'hidden'), a.query_start
	FROM unnest(pg_blocking_pids($1)) AS b (pid) LEFT JOIN pg_stat_activity AS a ON a.pid = b.pid`

// blockers describes the sessions that block a process of the server.
func (l *schemaLocks) blockers(ctx context.Context, process uint32) (list []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if l.conn == nil {
		if l.conn, err = pgx.ConnectConfig(ctx, l.pool.Config().ConnConfig); err != nil {
			return nil, err
		}
	}
	rows, err := l.conn.Query(ctx, blockersSQL, int32(process))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
		var pid int32
		var application, address, state string
		var since *time.Time
		if err := row.Scan(&pid, &application, &address, &state, &since); err != nil {
			return "", err
		}
		text := fmt.Sprintf("process %d (application %q, client %s, state %s", pid, application, address, state)
		if since != nil {
			text += ", latest query from " + since.UTC().Format(time.RFC3339)
		}
		return text + ")", nil
	})
}
