// Package db runs one SQL text on two engines, SQLite inside the process and
// PostgreSQL, each through its native driver. The dialect stands in
// dialect.go; architecture, section Storage, says why things are as they are.
//
// Times are BIGINT microseconds in columns and time.Time (UTC) in Go, ids are
// UUID columns and domain.ID, NULLs are nil pointers.
package db

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"strings"
	"time"
)

// Engine is the kind of database behind a DB.
type Engine int

// The engines.
const (
	SQLite Engine = iota
	PostgreSQL
)

// String gives the name for metrics and tests.
func (e Engine) String() string {
	if e == SQLite {
		return "sqlite"
	}
	return "postgresql"
}

// Querier runs statements. One querier serves one goroutine at a time, except
// a DB, which serves any number.
//
// Arguments are what Scan reads, nil and nil pointers for NULL, and the lists
// []string, []int64, []int and []domain.ID[K] for texts, ints and ids.
type Querier interface {
	// Exec runs a statement and gives the number of rows it changed or,
	// when it returns rows, gave.
	Exec(ctx context.Context, s *Stmt, args ...any) (rows int64, err error)
	// Query runs a statement when ranged over. Each Row is valid inside its
	// turn only, and no other statement may run on the same querier inside
	// the loop. An error comes as the last pair, with a nil Row.
	Query(ctx context.Context, s *Stmt, args ...any) iter.Seq2[Row, error]
	// One runs a statement when the Row is scanned, which gives the first
	// row or ErrNoRow.
	One(ctx context.Context, s *Stmt, args ...any) Row
	// Engine tells the kind of database.
	Engine() Engine
}

// Tx is a querier inside a write transaction: functions that must be atomic
// with others ask for it. After a statement has failed the transaction takes
// no more statements and cannot commit.
//
// BEGIN goes to PostgreSQL together with the first statement.
type Tx interface {
	Querier
	Stepper
	// Queue puts a statement off: what is queued runs in its order before the
	// next statement of the transaction, or at its end. On PostgreSQL all of it
	// is one round trip, at the end together with the commit. A failure is that
	// of the next statement, or of InTx.
	Queue(ctx context.Context, s *Stmt, args ...any) *Queued
	inTx()
}

// Options tune a DB; the zero value is good.
type Options struct {
	// Migrations replaces the embedded ones.
	Migrations fs.FS
	// Wait bounds how long a call waits for a connection or for its turn to
	// write before it fails with ErrUnavailable; 2 s when zero.
	Wait time.Duration
	// Readers is the number of SQLite's read connections; as many as
	// cores, at least 2, when zero.
	Readers int
	// Mapped is how many bytes of the file each of SQLite's read connections
	// maps into memory; none when zero.
	Mapped int64
	// Connections is the size of PostgreSQL's pool; 8 when zero.
	Connections int
	// AllowUnsafe opens a PostgreSQL that may lose what it acknowledged
	// (fsync, synchronous_commit or full_page_writes off).
	AllowUnsafe bool
	// OnStatement is told of every statement before it runs: for metrics,
	// for tests that count and for benchmarks that run it again.
	OnStatement func(ctx context.Context, s *Stmt, args []any)
}

// store is what an engine offers; the rest is shared. Its transactions explain
// their own errors and give back those of fn as they are.
type store interface {
	runner
	inTx(ctx context.Context, fn func(txRunner) error) error
	read(ctx context.Context, fn func(runner) error) error
	prepare(ctx context.Context, s *Stmt) error
	copyRows(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) (int64, error)
	ping(ctx context.Context) error
	close() error
}

// DB is an open database. It is itself a Querier: Exec writes in a
// transaction of its own, Query and One are for single reads only.
type DB struct {
	querier
	store      store
	migrations fs.FS
	listeners  listeners
	notices    *notices // on PostgreSQL
}

// Open opens "sqlite:path" (the file and its directory are made when absent)
// or "postgres://...". The schema is left alone: see Migrate.
func Open(ctx context.Context, url string, opts Options) (*DB, error) {
	if opts.Wait == 0 {
		opts.Wait = 2 * time.Second
	}
	if opts.Migrations == nil {
		opts.Migrations = embeddedMigrations()
	}
	engine, opened, err := openStore(ctx, url, opts)
	if err != nil {
		return nil, explain(ctx, "db: open", err)
	}
	d := &DB{
		querier:    querier{run: opened, engine: engine, onStatement: opts.OnStatement, changes: newChanges()},
		store:      opened,
		migrations: opts.Migrations,
	}
	if s, ok := opened.(*postgresStore); ok {
		d.notices = newNotices(s, d.changes)
	}
	return d, nil
}

func openStore(ctx context.Context, url string, opts Options) (Engine, store, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok && path != "" {
		s, err := openSQLite(path, opts)
		return SQLite, s, err
	}
	if strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://") {
		s, err := openPostgres(ctx, url, opts)
		return PostgreSQL, s, err
	}
	return 0, nil, fmt.Errorf("the database URL must begin with sqlite: or postgres://")
}

// InTx runs fn in a write transaction and commits when fn gives nil; on an
// error or a panic of fn nothing of it remains, and the error is given back.
// When the store asks for it (a deadlock, a connection lost before the
// commit) fn runs again, so it must have no effect outside the transaction;
// nor may it touch the network or call InTx, because on SQLite others wait.
//
// A caller whose ctx ends before its turn gets ctx's error; afterwards it
// gets the truth about its commit. A commit in doubt is never nil.
func (d *DB) InTx(ctx context.Context, fn func(Tx) error) error {
	var hints []string
	w := &write{changes: d.changes}
	err := d.store.inTx(ctx, func(r txRunner) error {
		t := &transaction{runner: r, engine: r}
		defer func() { t.ended = true }()
		hints = nil // when fn runs again
		err := protect(func() error { return fn(txQuerier{d.on(t).within(w), t, &hints}) })
		if err = t.outcome(err); err != nil {
			return err
		}
		w.mark()
		return t.flush(ctx, true)
	})
	w.end()
	if err == nil {
		d.listeners.tell(hints)
	}
	return err
}

// Read runs fn with a querier whose statements all see the same state. When the
// first of them finds a lost connection, fn runs again.
func (d *DB) Read(ctx context.Context, fn func(Querier) error) error {
	return d.store.read(ctx, func(r runner) error {
		t := &transaction{runner: r}
		defer func() { t.ended = true }()
		return fn(d.on(t))
	})
}

// Ping tells whether the database answers.
func (d *DB) Ping(ctx context.Context) error {
	return explain(ctx, "db: ping", d.store.ping(ctx))
}

// Close waits for what is running and closes all connections.
func (d *DB) Close() error {
	if d.notices != nil {
		d.notices.close()
	}
	return d.store.close()
}
