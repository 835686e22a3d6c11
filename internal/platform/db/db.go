// Package db runs one SQL text on two engines: SQLite inside the process, and
// PostgreSQL. Each uses its native driver; package dialect translates the SQL.
//
// Times are BIGINT microseconds in columns and time.Time (UTC) in Go. Ids are UUID
// columns and domain.ID. NULLs are nil pointers.
//
// The package is large because the engines share its unexported interfaces: open
// and transactions (db.go, querier.go, queue.go), statements (stmt.go), values
// (args.go, scan.go), SQLite (sqlite*.go), PostgreSQL (postgres*.go), migrations
// (migrate.go, lock_wait.go) and the versions that caches rely on (version.go, follow.go, notices.go).
package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
)

// Engine is the kind of database behind a DB.
type Engine int

// The engines.
const (
	SQLite Engine = iota
	PostgreSQL
)

// String returns the name for metrics and tests.
func (e Engine) String() string {
	if e == SQLite {
		return "sqlite"
	}
	return "postgresql"
}

// Querier runs statements. One querier serves one goroutine at a time, except
// a DB, which serves any number.
//
// Arguments may have the types that Row.Scan reads. NULL is nil or a nil pointer.
// The list functions of package dialect take []string (texts), []int64 or []int
// (ints) and []domain.ID[K] (ids).
type Querier interface {
	// Exec runs a statement and returns the number of rows that it changed
	// or, if it returns rows, returned.
	Exec(ctx context.Context, s *Stmt, args ...any) (rows int64, err error)
	// Query runs a statement when ranged over. Each Row is valid until the next
	// iteration, and no other statement may run on the same querier inside
	// the loop. If an error occurs, it is in the last pair, with the zero Row.
	Query(ctx context.Context, s *Stmt, args ...any) iter.Seq2[Row, error]
	// One returns the first row. The statement runs when the row is scanned,
	// which returns ErrNoRow if there is none.
	One(ctx context.Context, s *Stmt, args ...any) Row
	// Engine returns the kind of database.
	Engine() Engine
}

// Tx is a querier inside a write transaction. Functions whose writes must be atomic
// with others take a Tx. After a failed statement the transaction refuses all
// further statements and does not commit.
//
// BEGIN goes to PostgreSQL together with the first statement.
type Tx interface {
	Querier
	// Queue adds a statement to the current batch. The batch runs, in order, before
	// the next Exec or Query or at the end of the transaction. On PostgreSQL a
	// batch takes one round trip, and the last one includes the commit. The next
	// statement, or InTx, returns its error.
	Queue(ctx context.Context, s *Stmt, args ...any) *Queued
	// Lock adds a statement that locks the row of an id, which is its argument, until the
	// transaction ends. Locks that are added before the first statement run before it, in
	// the order of their ids, so that transactions do not deadlock.
	Lock(ctx context.Context, s *Stmt, id domain.ID[any]) *Queued
	// Flush runs the current batch, for callers that need its results before the end.
	Flush(ctx context.Context) error
	// Changed names entities that the transaction changes, for caches: see Entity.
	Changed(entities ...Entity)
	// Publish wakes the subscribers of topics when the transaction has committed: see Topic.
	Publish(topics ...Topic)
	// HasSubscriber reports whether this process has a subscriber of a topic.
	HasSubscriber(t Topic) bool
	inTx()
}

// Options configure a DB; the zero value is a good default.
type Options struct {
	// Migrations replaces the embedded migrations.
	Migrations fs.FS
	// Wait limits how long a call waits for a connection, or in the queue of
	// writers, before it fails with ErrUnavailable. 2 s if zero.
	Wait time.Duration
	// MustExist refuses to create a missing SQLite file.
	MustExist bool
	// Readers is the number of SQLite's read connections. If zero, the number of
	// cores, but at least 2.
	Readers int
	// Mapped is how many bytes of the file each SQLite read connection maps into
	// memory.
	Mapped int64
	// Connections is the size of PostgreSQL's pool. 8 if zero.
	Connections int
	// AllowUnsafe accepts a PostgreSQL that may lose acknowledged writes (fsync,
	// synchronous_commit or full_page_writes off).
	AllowUnsafe bool
	// LockTimeout limits how long Migrate waits for locks. 5 min if zero.
	LockTimeout time.Duration
	// Log gets warnings about what Migrate waits for. If nil, there are none.
	Log *slog.Logger
	// OnStatement is called before each statement runs: for metrics, and for
	// tests that count statements.
	OnStatement func(ctx context.Context, s *Stmt, args []any)

	metrics *metrics
}

// store is one engine. Its transactions return the errors of fn unchanged.
type store interface {
	runner
	inTx(ctx context.Context, fn func(txRunner) error) error
	read(ctx context.Context, fn func(txRunner) error) error
	prepare(ctx context.Context, s *Stmt) error
	truncateLog(ctx context.Context) error
	copyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error)
	// probe is DB.Health, without sharing. If write is set and the store is not busy, it writes.
	probe(ctx context.Context, write bool) (wrote bool, err error)
	// checkTables calls fn with a function that reads a table and finds damaged pages.
	checkTables(ctx context.Context, fn func(check func(name string) error) error) error
	// damaged is DB.Damaged.
	damaged() error
	serverTime(ctx context.Context) (now time.Time, uncertainty time.Duration, err error)
	// await is DB.Await.
	await(ctx context.Context)
	usage() usage
	close() error

	// follow follows the changes and topics of other processes: see DB.FollowChanges.
	follow(v *versions, s *subscribers)
	// publish sends the names of shared topics to other processes.
	publish(names []string)
	// notice returns a statement that the transaction needs to send its changes to
	// other processes, or nil.
	notice(cells []versionCell) *Queued
	// changed sends committed changes to other processes.
	changed(cells []versionCell)
}

// DB is an open database. It is itself a Querier: Exec writes in a
// transaction of its own, Query and One are for single reads only.
type DB struct {
	querier
	store       store
	migrations  fs.FS
	lockTimeout time.Duration
	log         *slog.Logger
	subscribers *subscribers
	versions    *versions
	metrics     *metrics
	prober      prober
	onBegin     hook
	onChanged   hook
	onCommit    atomic.Pointer[func(context.Context)]
}

// hook is a function that a program may set while transactions run.
type hook struct {
	fn atomic.Pointer[func(context.Context, Tx)]
}

func (h *hook) set(fn func(context.Context, Tx)) { h.fn.Store(&fn) }

func (h *hook) run(ctx context.Context, tx Tx) {
	if fn := h.fn.Load(); fn != nil {
		(*fn)(ctx, tx)
	}
}

// Open opens "sqlite:path" or "postgres://...". It creates a missing SQLite file, which
// only its owner can read, and its directory. It does not change the schema: see Migrate.
func Open(ctx context.Context, url string, opts Options) (*DB, error) {
	if opts.Wait == 0 {
		opts.Wait = 2 * time.Second
	}
	if opts.Migrations == nil {
		opts.Migrations = embeddedMigrations()
	}
	if opts.LockTimeout == 0 {
		opts.LockTimeout = defaultLockTimeout
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	opts.metrics = newMetrics()
	engine, opened, err := openStore(ctx, url, opts)
	if err != nil {
		return nil, explain(ctx, "db: open", err)
	}
	return &DB{
		querier:    querier{run: opened, engine: engine, onStatement: opts.OnStatement},
		store:      opened,
		migrations: opts.Migrations, lockTimeout: opts.LockTimeout, log: opts.Log,
		versions: newVersions(), subscribers: newSubscribers(), metrics: opts.metrics,
	}, nil
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
	return 0, nil, fmt.Errorf("the database URL must start with sqlite: or postgres://")
}

// InTx runs fn in a write transaction and commits if fn returns nil. If fn fails or
// panics, InTx rolls back and returns the error. fn runs again after a deadlock, after
// a connection lost before the commit, or if another transaction of its group fails
// (SQLite), so it must have no effect outside the transaction. It must neither use the network nor call InTx: on SQLite all other
// writers wait for it.
//
// If ctx ends before fn starts, InTx returns the error of ctx. If ctx ends later, InTx
// returns the outcome of the commit: ErrInDoubt if the outcome is unknown.
func (d *DB) InTx(ctx context.Context, fn func(Tx) error) (err error) {
	defer observe.StartSpan(ctx, "transaction").End(&err)
	var published []Topic
	changes := &changes{versions: d.versions}
	err = d.store.inTx(ctx, func(r txRunner) error {
		t := &transaction{runner: r, tx: r}
		defer func() { t.ended = true }()
		published = nil // fn may run again
		tx := txQuerier{d.withRunner(t), t, changes, &published, d.subscribers}
		err := protect(func() error {
			d.onBegin.run(ctx, tx)
			return fn(tx)
		})
		if err := t.outcome(err); err != nil {
			return err
		}
		d.announce(ctx, tx)
		return t.flush(ctx, true)
	})
	d.end(changes, err)
	err = preparationError(ctx, err)
	if err == nil {
		if committed := d.onCommit.Load(); committed != nil && !isPreparation(ctx) {
			(*committed)(ctx)
		}
		d.Publish(published...)
	}
	return err
}

// OnBegin sets a function that is called at the beginning of each InTx. It may queue
// statements.
func (d *DB) OnBegin(fn func(ctx context.Context, tx Tx)) { d.onBegin.set(fn) }

// OnCommit sets a function that is called after each InTx that has committed, except for a
// Preparation.
func (d *DB) OnCommit(fn func(ctx context.Context)) { d.onCommit.Store(&fn) }

// announce prepares the caches for the commit of a transaction.
func (d *DB) announce(ctx context.Context, tx txQuerier) {
	if len(tx.changes.cells) == 0 {
		return
	}
	d.onChanged.run(ctx, tx)
	if notice := d.store.notice(tx.changes.cells); notice != nil {
		tx.tx.queue = append(tx.tx.queue, notice)
	}
	tx.changes.announce()
}

// doubtTime is how long after a commit in doubt, or after the end of a process, its
// changes may appear.
const doubtTime = 10 * time.Second

// end advances the versions of what a transaction has changed, here and in other processes.
func (d *DB) end(c *changes, err error) {
	if c.announced == 0 {
		return
	}
	if errors.Is(err, ErrInDoubt) {
		time.AfterFunc(doubtTime, func() { d.end(c, nil) })
		return
	}
	d.store.changed(c.cells[:c.announced]) // first, so that no notice misses it
	c.end()
}

// Read runs fn with a querier whose statements all see the same snapshot. If the
// first statement finds a lost connection, fn runs again.
func (d *DB) Read(ctx context.Context, fn func(Querier) error) error {
	return d.store.read(ctx, func(r txRunner) error {
		t := &transaction{runner: r}
		defer func() { t.ended = true }()
		return fn(d.withRunner(t))
	})
}

// Snapshot runs fn as Read does. Between two statements, fn may pause for up to an hour: PostgreSQL ends
// other transactions that are idle for ten seconds.
func (d *DB) Snapshot(ctx context.Context, fn func(Querier) error) error {
	return d.Read(ctx, func(q Querier) error {
		if d.engine == PostgreSQL {
			if err := q.One(ctx, allowPauses).Scan(new(string)); err != nil {
				return err
			}
		}
		return fn(q)
	})
}

var allowPauses = newStmt("db.allow_pauses", "SELECT set_config('idle_in_transaction_session_timeout', '1h', true)")

// Batch is a list of queries for ReadBatch.
type Batch struct {
	querier querier
	queue   []*Queued
	err     error
}

// Queue adds a query. Its first row is scanned by Queued.Into.
func (b *Batch) Queue(ctx context.Context, s *Stmt, args ...any) *Queued {
	if err := b.querier.check(ctx, s, args); err != nil {
		b.err = errors.Join(b.err, s.explain(ctx, args, err))
	}
	q := &Queued{stmt: s, args: args}
	b.queue = append(b.queue, q)
	return q
}

// ReadBatch runs the queries that fill adds. They see the same snapshot, and on PostgreSQL
// take one round trip.
func (d *DB) ReadBatch(ctx context.Context, fill func(*Batch)) error {
	b := Batch{querier: d.querier}
	fill(&b)
	if b.err != nil || len(b.queue) == 0 {
		return b.err
	}
	return d.store.read(ctx, func(r txRunner) error { return r.batch(ctx, b.queue, false) })
}

// ServerTime returns the time of PostgreSQL's clock, and by how much it may be wrong: half of
// the round trip. The clock of SQLite is that of the machine.
func (d *DB) ServerTime(ctx context.Context) (now time.Time, uncertainty time.Duration, err error) {
	now, uncertainty, err = d.store.serverTime(ctx)
	return now, uncertainty, explain(ctx, "db: server time", err)
}

// Await takes a connection for reads and gives it back, to measure how long callers wait
// for one. It ignores errors.
func (d *DB) Await(ctx context.Context) { d.store.await(ctx) }

// TruncateLog moves the changes in SQLite's write-ahead log into the file and empties the
// log, in which deleted data remains readable. It returns ErrUnavailable if readers use the
// log for ten seconds: the caller tries again later. PostgreSQL recycles its log itself.
func (d *DB) TruncateLog(ctx context.Context) error { return d.store.truncateLog(ctx) }

// Close waits for running statements and closes all connections.
func (d *DB) Close() error {
	return d.store.close()
}
