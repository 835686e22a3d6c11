package postgres

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"moothall/internal/platform/db/driver"
)

// prober probes a server, and notes damage.
type prober struct {
	pool        *pool
	allowUnsafe bool                  // see driver.Config
	damage      atomic.Pointer[error] // the first damage that was found; remains until the process ends
}

// probe opens a new session, because the settings of a role or a database apply to new
// sessions only, and because no query of the pool keeps it waiting.
func (p *prober) probe(ctx context.Context, write bool) (wrote bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, probeConfig(p.pool.Config().ConnConfig))
	if codeOf(err) == tooManyConnections {
		return false, nil // busy: the connections of the pool work
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", driver.ErrUnavailable, err)
	}
	defer func() { _ = conn.Close(ctx) }() // the probe is over
	if err := checkSettings(ctx, conn, p.allowUnsafe); err != nil {
		return false, err
	}
	if err := checkWritable(ctx, conn); err != nil {
		return false, err
	}
	if write {
		if err := probeWrite(ctx, conn); err != nil {
			return true, err
		}
	}
	return write, p.countDamage(ctx, conn)
}

// probeConfig limits each attempt to connect, if there are several hosts: one that does not answer must leave time for the next.
func probeConfig(config *pgx.ConnConfig) *pgx.ConnConfig {
	if severalHosts(config) {
		config.ConnectTimeout = driver.ProbeTimeout / time.Duration(len(config.Fallbacks)+2)
	}
	return config
}

const listTables = `SELECT quote_ident(relname) FROM pg_class
	WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND has_table_privilege(oid, 'SELECT')`

func (p *prober) checkTables(ctx context.Context, fn func(names []string, check func(name string) error) error) error {
	var names []string
	err := p.pool.withConn(ctx, func(c *pgxpool.Conn) (err error) {
		rows, err := c.Query(ctx, listTables, pgx.QueryExecModeSimpleProtocol)
		if err == nil {
			names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	if err != nil {
		return err
	}
	err = fn(names, func(name string) error {
		return p.pool.withConn(ctx, func(c *pgxpool.Conn) error {
			_, err := c.Exec(ctx, "SELECT COUNT(ctid) FROM "+name, pgx.QueryExecModeSimpleProtocol) // reads the table, not an index
			return err
		})
	})
	if err != nil {
		return err
	}
	return p.pool.withConn(ctx, func(c *pgxpool.Conn) error { return p.countDamage(ctx, c.Conn()) })
}

// noteErrors returns a handler of all errors that the server sends. It notes damage, then calls next.
func (p *prober) noteErrors(next pgconn.PgErrorHandler) pgconn.PgErrorHandler {
	return func(c *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == dataCorrupted || err.Code == indexCorrupted {
			p.noteDamage(err.Error())
		}
		return next(c, err)
	}
}

// countFailures counts the pages with wrong checksums that any session has read since the statistics were reset.
const countFailures = "SELECT COALESCE(SUM(checksum_failures), 0)::text FROM pg_stat_database WHERE datname = current_database()"

// countDamage returns an error if a session has read a page with a wrong checksum.
func (p *prober) countDamage(ctx context.Context, conn *pgx.Conn) error {
	var failures string
	if err := conn.QueryRow(ctx, countFailures, pgx.QueryExecModeSimpleProtocol).Scan(&failures); err != nil {
		return err
	}
	if failures != "0" {
		p.noteDamage(failures + " reads found a page with a wrong checksum")
	}
	return p.damaged()
}

func (p *prober) noteDamage(found string) {
	err := fmt.Errorf("%w: the database is damaged: %s. Stop the service and restore a backup into a new database",
		driver.ErrUnavailable, found)
	p.damage.CompareAndSwap(nil, &err)
}

func (p *prober) damaged() error {
	if found := p.damage.Load(); found != nil {
		return *found
	}
	return nil
}

// probeWrite inserts a row and deletes it, in one transaction. The row needs a new page: the write-ahead log is allocated
// ahead, so a write of little would succeed on a full disk. Without the table, no migrations have run.
func probeWrite(ctx context.Context, conn *pgx.Conn) error {
	id, filler := driver.NewProbe()
	_, err := conn.PgConn().Exec(ctx, fmt.Sprintf(`INSERT INTO health_probes (id, filler) VALUES ('%s', '\x%x');
		DELETE FROM health_probes WHERE id = '%[1]s'`, id, filler)).ReadAll()
	if err != nil && !ClassOf(err).Has(driver.NoTable) {
		return fmt.Errorf("%w: a write failed: %w", driver.ErrUnavailable, err)
	}
	return nil
}
