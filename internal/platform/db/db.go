// Package db runs one SQL text on two engines: SQLite inside the process, and
// PostgreSQL. Each uses its native driver; package dialect translates the SQL.
//
// Times are BIGINT microseconds in columns and time.Time (UTC) in Go. Ids are UUID
// columns and domain.ID. NULLs are nil pointers.
//
// This package is what features use. An engine is a driver.Store, which packages sqlite and postgres
// implement. Package migrate applies migrations and loads backups. Package change has the versions that caches rely on,
// and the topics.
package db

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/db/postgres"
	"moothall/internal/platform/db/sqlite"
)

// Options configure a DB; the zero value is a good default.
type Options struct {
	// Wait limits how long a call waits for a connection, or in the queue of
	// writers, before it fails with ErrUnavailable. 2 s if zero.
	Wait time.Duration
	// MustExist refuses to create a missing SQLite file.
	MustExist bool
	// Readers is the number of SQLite's read connections. If zero, the number of
	// cores, but at least 2.
	Readers int
	// Connections is the size of PostgreSQL's pool. 8 if zero.
	Connections int
	// AllowUnsafe accepts a PostgreSQL that may lose acknowledged writes (fsync,
	// synchronous_commit or full_page_writes off).
	AllowUnsafe bool
	// OnStatement is called before each statement runs: for metrics, and for
	// tests that count statements.
	OnStatement func(ctx context.Context, s *Stmt, args []any)
}

// DB is an open database. It is itself a Querier: Exec writes in a
// transaction of its own, Query and One are for single reads only.
type DB struct {
	querier
	store       driver.Store
	subscribers *change.Subscribers
	versions    *change.Versions
	metrics     *metrics
	prober      prober
	hooks       atomic.Pointer[Hooks]
}

// Open opens "sqlite:path" or "postgres://...". It creates a missing SQLite file, which
// only its owner can read, and its directory. It does not change the schema: see package migrate.
func Open(ctx context.Context, url string, opts Options) (*DB, error) {
	if opts.Wait == 0 {
		opts.Wait = 2 * time.Second
	}
	m := newMetrics()
	opened, err := openStore(ctx, url, driver.Config{
		Wait: opts.Wait, MustExist: opts.MustExist, Readers: opts.Readers, Connections: opts.Connections,
		AllowUnsafe: opts.AllowUnsafe, Waits: m.Waits,
	})
	if err != nil {
		return nil, classify.Explain(ctx, "db: open", err)
	}
	d := &DB{
		querier:  querier{run: opened, engine: opened.Engine(), onStatement: opts.OnStatement},
		store:    opened,
		versions: change.NewVersions(), subscribers: change.NewSubscribers(), metrics: m,
	}
	d.hooks.Store(&Hooks{})
	return d, nil
}

func openStore(ctx context.Context, url string, c driver.Config) (driver.Store, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok && path != "" {
		return sqlite.Open(path, c)
	}
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		return postgres.Open(ctx, url, c)
	}
	return nil, fmt.Errorf("the database URL must start with sqlite: or postgres://")
}

// LockForServing makes this process the only one that serves an SQLite database, until it calls release or ends in
// any way: see sqlite.Lock. On PostgreSQL, any number of processes serve one database.
func LockForServing(url string) (release func() error, err error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return sqlite.Lock(path)
	}
	return func() error { return nil }, nil
}

// ServerTime returns the time of PostgreSQL's clock, and by how much it may be wrong: half of
// the round trip. The clock of SQLite is that of the machine.
func (d *DB) ServerTime(ctx context.Context) (now time.Time, uncertainty time.Duration, err error) {
	now, uncertainty, err = d.store.ServerTime(ctx)
	return now, uncertainty, classify.Explain(ctx, "db: server time", err)
}

// Await takes a connection for reads and gives it back, to measure how long callers wait
// for one. It ignores errors.
func (d *DB) Await(ctx context.Context) { d.store.Await(ctx) }

// TruncateLog moves the changes in SQLite's write-ahead log into the file and empties the
// log, in which deleted data remains readable. It returns ErrUnavailable if readers use the
// log for ten seconds: the caller tries again later. PostgreSQL recycles its log itself.
func (d *DB) TruncateLog(ctx context.Context) error { return d.store.TruncateLog(ctx) }

// HasPooler reports whether a connection pooler, such as PgBouncer, is between this program and PostgreSQL.
func (d *DB) HasPooler(ctx context.Context) (bool, error) { return d.store.HasPooler(ctx) }

// SetHooks replaces the hooks. Transactions that are running keep the former ones.
func (d *DB) SetHooks(h Hooks) { d.hooks.Store(&h) }

// Metrics returns the metrics of the connections of this process.
func (d *DB) Metrics() prometheus.Collector { return newCollector(d.metrics, d.store) }

// Close waits for running statements and closes all connections.
func (d *DB) Close() error {
	return d.store.Close()
}
