package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// tooManyConnections is PostgreSQL's code for a server without a free connection.
const tooManyConnections = "53300"

// probe opens a new session, because the settings of a role or a database apply to new
// sessions only, and because no query of the pool keeps it waiting.
func (s *postgresStore) probe(ctx context.Context, write bool) (wrote bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, probeConfig(s.pool.Config().ConnConfig))
	if postgresCode(err) == tooManyConnections {
		return false, nil // busy: the connections of the pool work
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() { _ = conn.Close(ctx) }() // the probe is over
	if err := checkSettings(ctx, conn, s.allowUnsafe); err != nil {
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
	return write, s.countDamage(ctx, conn)
}

// probeConfig limits each attempt to connect, if there are several hosts: one that does not answer must leave time for the next.
func probeConfig(config *pgx.ConnConfig) *pgx.ConnConfig {
	if severalHosts(config) {
		config.ConnectTimeout = probeTimeout / time.Duration(len(config.Fallbacks)+2)
	}
	return config
}

// The codes of PostgreSQL for damaged pages.
const (
	dataCorrupted  = "XX001"
	indexCorrupted = "XX002"
)

func (s *postgresStore) checkTables(ctx context.Context, fn func(check func(name string) error) error) error {
	err := fn(func(name string) error {
		return s.withConn(ctx, func(c *pgxpool.Conn) error {
			_, err := c.Exec(ctx, "SELECT COUNT(ctid) FROM "+name, pgx.QueryExecModeSimpleProtocol) // reads the table, not an index
			return err
		})
	})
	if err != nil {
		return err
	}
	return s.withConn(ctx, func(c *pgxpool.Conn) error { return s.countDamage(ctx, c.Conn()) })
}

// noteErrors returns a handler of all errors that the server sends. It notes damage, then calls next.
func (s *postgresStore) noteErrors(next pgconn.PgErrorHandler) pgconn.PgErrorHandler {
	return func(c *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == dataCorrupted || err.Code == indexCorrupted {
			s.noteDamage(err.Error())
		}
		return next(c, err)
	}
}

// countFailures counts the pages with wrong checksums that any session has read since the statistics were reset.
const countFailures = "SELECT COALESCE(SUM(checksum_failures), 0)::text FROM pg_stat_database WHERE datname = current_database()"

// countDamage returns an error if a session has read a page with a wrong checksum.
func (s *postgresStore) countDamage(ctx context.Context, conn *pgx.Conn) error {
	var failures string
	if err := conn.QueryRow(ctx, countFailures, pgx.QueryExecModeSimpleProtocol).Scan(&failures); err != nil {
		return err
	}
	if failures != "0" {
		s.noteDamage(failures + " reads found a page with a wrong checksum")
	}
	return s.damaged()
}

func (s *postgresStore) noteDamage(found string) {
	err := fmt.Errorf("%w: the database is damaged: %s. Stop the service and restore a backup into a new database", ErrUnavailable, found)
	s.damage.CompareAndSwap(nil, &err)
}

func (s *postgresStore) damaged() error {
	if found := s.damage.Load(); found != nil {
		return *found
	}
	return nil
}

// checkWritable returns an error if the server refuses writes.
func checkWritable(ctx context.Context, conn *pgx.Conn) error {
	var readOnly string
	if err := conn.QueryRow(ctx, "SHOW transaction_read_only", pgx.QueryExecModeSimpleProtocol).Scan(&readOnly); err != nil {
		return err
	}
	if readOnly == "on" {
		return fmt.Errorf("%w: the server refuses writes. Is it a standby, or is default_transaction_read_only on?", ErrUnavailable)
	}
	return nil
}

// probeWrite inserts a row and deletes it, in one transaction. The row needs a new page: the write-ahead log is allocated
// ahead, so a write of little would succeed on a full disk. Without the table, no migrations have run.
func probeWrite(ctx context.Context, conn *pgx.Conn) error {
	id, filler := newProbe()
	_, err := conn.PgConn().Exec(ctx, fmt.Sprintf(`INSERT INTO health_probes (id, filler) VALUES ('%s', '\x%x'); DELETE FROM health_probes
		WHERE id = '%[1]s'`, id, filler)).ReadAll()
	if err != nil && !undefinedTable(err) {
		return fmt.Errorf("%w: a write failed: %w", ErrUnavailable, err)
	}
	return nil
}

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
