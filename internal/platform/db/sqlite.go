package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/files"
)

// busyTimeout is how long SQLite waits for another process to release the file.
const busyTimeout = 5 * time.Second

// SQLitePragmas are set on every connection, and by benchmarks of the bare engine
// (docs/adr/0011). By default no connection maps the file into memory, because
// each maps it separately: see Options.Mapped. Deleted texts are overwritten with zeros:
// this costs no measurable time.
const SQLitePragmas = `PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA cache_size = -8000;
PRAGMA temp_store = MEMORY;
PRAGMA secure_delete = ON`

// writerPragmas are set on the write connection. A group commit may write more pages than
// the cache holds: without the second one they would be written twice. A later checkpoint
// copies a page once that many commits have written.
const writerPragmas = `PRAGMA journal_mode = WAL;
PRAGMA cache_spill = OFF;
PRAGMA wal_autocheckpoint = 8000`

// sqliteStore is one database file: a pool of read connections and one write
// connection.
type sqliteStore struct {
	wait    time.Duration
	readers chan *sqliteConn
	writer  *writer
	closed  chan struct{}
	damage  damage
	probing sqliteProbe
	metrics *metrics
}

func openSQLite(path string, opts Options) (*sqliteStore, error) {
	if err := createFile(path, opts.MustExist); err != nil {
		return nil, err
	}
	count := opts.Readers
	if count == 0 {
		count = max(2, runtime.GOMAXPROCS(0))
	}
	s := &sqliteStore{
		wait:    opts.Wait,
		readers: make(chan *sqliteConn, count),
		closed:  make(chan struct{}),
		probing: sqliteProbe{path: path},
		metrics: opts.metrics,
	}
	write, err := openSQLiteConn(path, writerPragmas+";\n"+SQLitePragmas, &s.damage)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, adviseDisk(err))
	}
	for range count {
		read, err := openSQLiteConn(path, SQLitePragmas+fmt.Sprintf(";\nPRAGMA mmap_size = %d;\nPRAGMA query_only = ON", opts.Mapped), &s.damage)
		if err != nil {
			return nil, errors.Join(err, s.closeReaders(len(s.readers)), write.close())
		}
		s.readers <- read
	}
	files, err := identifyFiles(path)
	if err != nil {
		return nil, errors.Join(err, s.closeReaders(count), write.close())
	}
	s.writer = startWriter(write, files, opts.Wait, opts.metrics.write)
	return s, nil
}

// createFile creates a missing file with its folder. SQLite gives the files beside it
// the same mode.
func createFile(path string, mustExist bool) error {
	if _, err := os.Stat(path); err == nil || mustExist {
		return err
	}
	if err := files.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is a setting of the operator
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), files.FlushFolder(filepath.Dir(path)))
}

// withReader runs fn with a read connection and interrupts it when ctx ends.
func (s *sqliteStore) withReader(ctx context.Context, fn func(*sqliteConn) error) error {
	c, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { s.readers <- c }()
	defer c.watch(ctx)()
	return fn(c)
}

func (s *sqliteStore) acquire(ctx context.Context) (*sqliteConn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case c := <-s.readers:
		s.metrics.connection.Observe(0)
		return c, nil
	default:
	}
	defer observeSince(s.metrics.connection, sinceStart())
	wait := remainingWait(ctx, s.wait)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case c := <-s.readers:
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closed:
		return nil, errClosed
	case <-timer.C:
		return nil, fmt.Errorf("%w: no free connection for %v", ErrUnavailable, wait)
	}
}

func (s *sqliteStore) query(ctx context.Context, st *Stmt, args []any, each func(Row) bool) error {
	return s.withReader(ctx, func(c *sqliteConn) error { return c.query(ctx, st, args, each) })
}

func (s *sqliteStore) exec(ctx context.Context, st *Stmt, args []any) (n int64, err error) {
	err = s.inTx(ctx, func(r txRunner) error {
		n, err = r.exec(ctx, st, args)
		return err
	})
	return n, err
}

func (s *sqliteStore) script(ctx context.Context, sql string) error {
	return s.inTx(ctx, func(r txRunner) error { return r.script(ctx, sql) })
}

func (s *sqliteStore) inTx(ctx context.Context, fn func(txRunner) error) error {
	return s.writer.do(ctx, fn)
}

var (
	sqliteBegin    = newStmt("db.begin", "BEGIN")
	sqliteRollback = newStmt("db.rollback", "ROLLBACK")
)

func (s *sqliteStore) read(ctx context.Context, fn func(txRunner) error) error {
	c, err := s.acquire(ctx)
	if err != nil {
		return explain(ctx, "db: read", err)
	}
	defer func() { s.readers <- c }()
	if err := c.control(sqliteBegin); err != nil {
		return explain(ctx, "db: read", err)
	}
	defer func() { _ = c.control(sqliteRollback) }() // it only read
	defer c.watch(ctx)()                             // ends before the rollback
	return fn(c)
}

func (s *sqliteStore) prepare(ctx context.Context, st *Stmt) error {
	return s.withReader(ctx, func(c *sqliteConn) error {
		prepared, err := c.transient(st.sql.SQLite)
		if err != nil {
			return err
		}
		return prepared.Finalize()
	})
}

func (s *sqliteStore) serverTime(context.Context) (time.Time, time.Duration, error) {
	return time.Now(), 0, nil
}

func (s *sqliteStore) await(ctx context.Context) {
	if c, err := s.acquire(ctx); err == nil {
		s.readers <- c
	}
}

func (s *sqliteStore) usage() usage {
	idle := len(s.readers)
	return usage{used: cap(s.readers) - idle, idle: idle, writers: len(s.writer.queue)}
}

// TruncateLog repeats attempts until no reader uses the log.
const (
	logWait     = 50 * time.Millisecond // for readers in an attempt, while writers wait
	logPause    = 200 * time.Millisecond
	logAttempts = 40
)

var errLogInUse = fmt.Errorf("%w: readers use the log", ErrUnavailable)

var truncateLog = newStmt("db.truncate_log", "PRAGMA wal_checkpoint(TRUNCATE)")

func (s *sqliteStore) truncateLog(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := s.tryTruncateLog(ctx)
		if !errors.Is(err, errLogInUse) || attempt == logAttempts {
			return err
		}
		select {
		case <-time.After(logPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *sqliteStore) tryTruncateLog(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case s.writer.checks <- func() { done <- s.writer.truncateLog(ctx) }:
		return <-done
	case <-s.writer.stopped:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) truncateLog(ctx context.Context) error {
	w.conn.conn.SetBusyTimeout(logWait)
	defer w.conn.conn.SetBusyTimeout(busyTimeout)
	var busy, pages, moved int64
	var scanned error
	err := w.conn.query(ctx, truncateLog, nil, func(r Row) bool {
		scanned = r.Scan(&busy, &pages, &moved)
		return true
	})
	if err = errors.Join(err, scanned); err == nil && busy != 0 {
		err = errLogInUse
	}
	return explain(ctx, "db: truncate the log", err)
}

// close waits for the writer and for all readers.
func (s *sqliteStore) close() error {
	close(s.closed)
	err := errors.Join(s.probing.close(), s.writer.stop())
	return errors.Join(err, s.closeReaders(cap(s.readers)))
}

func (s *sqliteStore) closeReaders(count int) error {
	var errs []error
	for range count {
		errs = append(errs, (<-s.readers).close())
	}
	return errors.Join(errs...)
}

func sqliteUnique(err error) bool {
	switch sqlite.ErrCode(err) {
	case sqlite.ResultConstraintUnique, sqlite.ResultConstraintPrimaryKey, sqlite.ResultConstraintRowID:
		return true
	}
	return false
}

func sqliteBusy(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy, sqlite.ResultLocked:
		return true
	}
	return false
}

// sqliteRefused reports whether the file system has refused to read or write the file.
func sqliteRefused(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultFull, sqlite.ResultReadOnly, sqlite.ResultIOErr, sqlite.ResultCantOpen:
		return true
	}
	return false
}

func sqliteUnavailable(err error) bool { return sqliteBusy(err) || sqliteRefused(err) }

// adviseDisk adds advice to an error of the file system.
func adviseDisk(err error) error {
	if sqliteRefused(err) {
		return fmt.Errorf("%w. Is the disk full or read-only?", err)
	}
	return err
}
