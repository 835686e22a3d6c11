// Package sqlite is the engine of package db for a database file inside the process. Several connections read;
// one goroutine writes and lets waiting transactions share a commit (writer.go).
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
)

// Store is one database file.
type Store struct {
	readers readers
	writer  *writer
	damage  damage
	prober  prober
}

// Open opens a file. It creates a missing one, which only its owner can read, and its directory, unless
// the configuration refuses that.
func Open(path string, c driver.Config) (*Store, error) {
	if err := createFile(path, c.MustExist); err != nil {
		return nil, err
	}
	count := c.Readers
	if count == 0 {
		count = max(2, runtime.GOMAXPROCS(0))
	}
	s := &Store{
		readers: readers{wait: c.Wait, waits: c.Waits.Connection, free: make(chan *connection, count), closed: make(chan struct{})},
	}
	write, err := openConn(path, writerPragmas+";\n"+Pragmas, &s.damage)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, AdviseDisk(err))
	}
	for range count {
		read, err := openConn(path, Pragmas+";\nPRAGMA query_only = ON", &s.damage)
		if err != nil {
			return nil, errors.Join(err, s.readers.close(len(s.readers.free)), write.close())
		}
		s.readers.free <- read
	}
	files, err := identifyFiles(path)
	if err != nil {
		return nil, errors.Join(err, s.readers.close(count), write.close())
	}
	s.writer = startWriter(write, files, c.Wait, c.Waits.Write)
	s.prober = prober{path: path, damage: &s.damage, writer: s.writer}
	return s, nil
}

// Engine implements driver.Store.
func (s *Store) Engine() driver.Engine { return driver.SQLite }

// Query implements driver.Store.
func (s *Store) Query(ctx context.Context, st *driver.Stmt, args []any, each func(driver.Row) bool) error {
	return s.readers.with(ctx, func(c *connection) error { return c.Query(ctx, st, args, each) })
}

// Exec implements driver.Store.
func (s *Store) Exec(ctx context.Context, st *driver.Stmt, args []any) (n int64, err error) {
	err = s.InTx(ctx, func(r driver.Tx) error {
		n, err = r.Exec(ctx, st, args)
		return err
	})
	return n, err
}

// InTx implements driver.Store.
func (s *Store) InTx(ctx context.Context, fn func(driver.Tx) error) error {
	return s.writer.do(ctx, fn)
}

// Read implements driver.Store.
func (s *Store) Read(ctx context.Context, fn func(driver.Tx) error) error {
	return s.readers.read(ctx, fn)
}

// Prepare implements driver.Store.
func (s *Store) Prepare(ctx context.Context, st *driver.Stmt) error {
	return s.readers.with(ctx, func(c *connection) error {
		prepared, err := c.transient(st.Text(driver.SQLite))
		if err != nil {
			return err
		}
		return prepared.Finalize()
	})
}

// CopyRows implements driver.Store.
func (s *Store) CopyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error) {
	return s.writer.copyRows(ctx, table, columns, rows)
}

// SchemaLocks implements driver.Store.
func (s *Store) SchemaLocks(time.Duration) driver.SchemaLocks { return &schemaLocks{writer: s.writer} }

// TruncateLog implements driver.Store.
func (s *Store) TruncateLog(ctx context.Context) error { return s.writer.truncateLog(ctx) }

// ServerTime implements driver.Store.
func (s *Store) ServerTime(context.Context) (time.Time, time.Duration, error) {
	return time.Now(), 0, nil
}

// HasPooler implements driver.Store.
func (s *Store) HasPooler(context.Context) (bool, error) { return false, nil }

// Probe implements driver.Health.
func (s *Store) Probe(ctx context.Context, write bool) (wrote bool, err error) {
	return s.prober.probe(ctx, write)
}

// CheckTables implements driver.Health.
func (s *Store) CheckTables(ctx context.Context, fn func(names []string, check func(name string) error) error) error {
	return s.prober.checkTables(ctx, fn)
}

// Damaged implements driver.Health.
func (s *Store) Damaged() error { return s.damage.err() }

// Await implements driver.Health.
func (s *Store) Await(ctx context.Context) {
	if c, err := s.readers.acquire(ctx); err == nil {
		s.readers.free <- c
	}
}

// Usage implements driver.Health.
func (s *Store) Usage() driver.Usage {
	idle := len(s.readers.free)
	return driver.Usage{Used: cap(s.readers.free) - idle, Idle: idle, Writers: len(s.writer.queue)}
}

// Follow implements driver.Notices. There are no topics of other processes: one process serves a file.
func (s *Store) Follow(v *change.Versions, _ *change.Subscribers) { s.writer.follow(v) }

// Publish implements driver.Notices.
func (s *Store) Publish([]string) {}

// Notice implements driver.Notices.
func (s *Store) Notice([]change.Cell) *driver.Queued { return nil }

// Changed implements driver.Notices.
func (s *Store) Changed([]change.Cell) {}

// Close implements driver.Store. It waits for the writer and for all readers.
func (s *Store) Close() error {
	close(s.readers.closed)
	err := errors.Join(s.prober.close(), s.writer.stop())
	return errors.Join(err, s.readers.close(cap(s.readers.free)))
}
