// Package postgres is the engine of package db for PostgreSQL. Any number of processes share a database; they send each
// other notices of what has changed (notices.go).
package postgres

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const openTimeout = 10 * time.Second // for the first connection

// Store is a database of a server.
type Store struct {
	pool    *pool
	notices *notices
	prober  *prober
}

// Open connects to a server. It returns an error if the server may lose acknowledged writes, unless the configuration
// accepts that.
func Open(ctx context.Context, url string, c driver.Config) (*Store, error) {
	config, err := newConfig(url, c.Connections)
	if err != nil {
		return nil, err
	}
	p := &pool{wait: max(c.Wait, openTimeout), waits: c.Waits.Connection, shares: newShares(int(config.MaxConns))}
	probing := &prober{pool: p, allowUnsafe: c.AllowUnsafe}
	config.ConnConfig.OnPgError = probing.noteErrors(config.ConnConfig.OnPgError)
	config.ShouldPing = noteIdle
	if p.Pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, err
	}
	if err := p.withConn(ctx, func(conn *pgxpool.Conn) error {
		return cmp.Or(checkSettings(ctx, conn.Conn(), c.AllowUnsafe), checkSessions(ctx, conn.Conn()))
	}); err != nil {
		p.Close()
		return nil, err
	}
	p.wait = c.Wait
	return &Store{pool: p, notices: newNotices(p), prober: probing}, nil
}

// Engine implements driver.Store.
func (s *Store) Engine() driver.Engine { return driver.PostgreSQL }

// Query implements driver.Store. It runs a second time if the first attempt has returned no row.
func (s *Store) Query(ctx context.Context, st *driver.Stmt, args []any, each func(driver.Row) bool) error {
	untouched := true
	return s.pool.withConnForRead(ctx, func() bool { return untouched }, func(c *pgxpool.Conn) error {
		return connection{c.Conn()}.Query(ctx, st, args, func(r driver.Row) bool {
			untouched = false
			return each(r)
		})
	})
}

// Exec implements driver.Store. It needs no BEGIN and COMMIT: one statement is a transaction of its own.
func (s *Store) Exec(ctx context.Context, st *driver.Stmt, args []any) (n int64, err error) {
	err = s.pool.retry(ctx, func() error {
		return s.pool.withConn(ctx, func(c *pgxpool.Conn) error {
			n, err = connection{c.Conn()}.Exec(ctx, st, args)
			if err != nil && c.Conn().IsClosed() && !undone(err) { // without an answer
				err = fmt.Errorf("%w: %w", driver.ErrInDoubt, err)
			}
			return err
		})
	})
	return n, err
}

// InTx implements driver.Store, in READ COMMITTED.
func (s *Store) InTx(ctx context.Context, fn func(driver.Tx) error) error {
	return s.pool.inTx(ctx, func(t *transaction) error { return fn(t) })
}

// Read implements driver.Store.
func (s *Store) Read(ctx context.Context, fn func(driver.Tx) error) error {
	return s.pool.read(ctx, fn)
}

// Prepare implements driver.Store.
func (s *Store) Prepare(ctx context.Context, st *driver.Stmt) error {
	return s.pool.withConn(ctx, func(c *pgxpool.Conn) error {
		_, err := c.Conn().Prepare(ctx, "", st.Text(driver.PostgreSQL))
		return err
	})
}

// CopyRows implements driver.Store.
func (s *Store) CopyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	return copyRows(ctx, s.pool, table, columns, rows)
}

// SchemaLocks implements driver.Store.
func (s *Store) SchemaLocks(limit time.Duration) driver.SchemaLocks {
	return &schemaLocks{pool: s.pool, limit: limit}
}

// TruncateLog implements driver.Store. PostgreSQL recycles its log itself.
func (s *Store) TruncateLog(context.Context) error { return nil }

// ServerTime implements driver.Store. It does not count the wait for a connection.
func (s *Store) ServerTime(ctx context.Context) (now time.Time, uncertainty time.Duration, err error) {
	always := func() bool { return true }
	err = s.pool.withConnForRead(ctx, always, func(c *pgxpool.Conn) error {
		before := observe.Uptime()
		if err := c.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now); err != nil {
			return err
		}
		uncertainty = (observe.Uptime() - before) / 2
		now = now.Add(uncertainty)
		return nil
	})
	return now, uncertainty, err
}

// HasPooler implements driver.Store. A pooler gives clients process numbers of its own.
func (s *Store) HasPooler(ctx context.Context) (found bool, err error) {
	err = s.pool.withConn(ctx, func(c *pgxpool.Conn) error {
		var process uint32
		if err := c.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
			return fmt.Errorf("db: pooler: %w", err)
		}
		found = process != c.Conn().PgConn().PID()
		return nil
	})
	return found, err
}

// Probe implements driver.Health.
func (s *Store) Probe(ctx context.Context, write bool) (wrote bool, err error) {
	return s.prober.probe(ctx, write)
}

// CheckTables implements driver.Health.
func (s *Store) CheckTables(ctx context.Context, fn func(names []string, check func(name string) error) error) error {
	return s.prober.checkTables(ctx, fn)
}

// Damaged implements driver.Health.
func (s *Store) Damaged() error { return s.prober.damaged() }

// Await implements driver.Health.
func (s *Store) Await(ctx context.Context) {
	_ = s.pool.withConn(ctx, func(*pgxpool.Conn) error { return nil }) // measured, not used
}

// Usage implements driver.Health.
func (s *Store) Usage() driver.Usage {
	now := s.pool.Stat()
	return driver.Usage{Used: int(now.AcquiredConns()), Idle: int(now.IdleConns())}
}

// Follow implements driver.Notices.
func (s *Store) Follow(v *change.Versions, received *change.Subscribers) {
	s.notices.start(v, received)
}

// Publish implements driver.Notices.
func (s *Store) Publish(names []string) { s.notices.publish(names) }

// Notice implements driver.Notices. It returns nil if the notices of this process come back to it.
func (s *Store) Notice(cells []change.Cell) *driver.Queued { return s.notices.inTransaction(cells) }

// Changed implements driver.Notices.
func (s *Store) Changed(cells []change.Cell) { s.notices.changed(cells) }

// Close implements driver.Store.
func (s *Store) Close() error {
	s.pool.Close() // waits for the transactions
	s.notices.close()
	return nil
}
