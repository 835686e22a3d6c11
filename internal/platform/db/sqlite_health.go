package db

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"
)

const (
	checkTime = 10 * time.Millisecond  // of each probe, for checking tables
	probeBusy = 500 * time.Millisecond // how long a probe waits for the writer, or for another process
	busyLimit = 10 * time.Second       // a database that is busy for longer is unavailable
)

// errBusy means that a probe could not write, because others do.
var errBusy = fmt.Errorf("%w: busy", ErrUnavailable)

// damage is the first error that shows that the file is damaged. It remains until the
// process ends, because nothing repairs the file of a running service.
type damage struct{ first atomic.Pointer[error] }

// note remembers the error of a statement if it shows damage. So does a failed flush: the
// system may then drop data that SQLite takes for written.
func (d *damage) note(err error) {
	switch code := sqlite.ErrCode(err); {
	case code.ToPrimary() == sqlite.ResultCorrupt, code.ToPrimary() == sqlite.ResultNotADB,
		code == sqlite.ResultIOErrFsync, code == sqlite.ResultIOErrDirFsync:
		d.first.CompareAndSwap(nil, &err)
	}
}

func (d *damage) err() error {
	if first := d.first.Load(); first != nil {
		return fmt.Errorf("%w: the database file is damaged: %w. Stop the service and restore a backup", ErrUnavailable, *first)
	}
	return nil
}

// sqliteProbe is the state of the probes of an SQLite file.
type sqliteProbe struct {
	mu        sync.Mutex // one probe at a time, none during close
	path      string
	conn      *sqliteConn   // for reading; opened by the first probe
	tables    []string      // not yet checked in this round
	busySince time.Duration // by sinceStart; 0 if the latest probe was not busy
}

func (s *sqliteStore) probe(ctx context.Context) error {
	s.probing.mu.Lock()
	defer s.probing.mu.Unlock()
	select {
	case <-s.closed:
		return errClosed
	default:
	}
	err := firstError(s.damage.err(), s.writer.files.check())
	if err == nil {
		err = s.checkNextTables(ctx)
	}
	if err == nil {
		err = s.probeWrite(ctx)
	}
	return s.probing.tolerateBusy(err, time.Duration(s.writer.committed.Load()))
}

// tolerateBusy returns nil for a database that has been busy for a short time, or that has
// committed since it was found busy.
func (p *sqliteProbe) tolerateBusy(err error, committed time.Duration) error {
	now := sinceStart()
	switch {
	case !errors.Is(err, errBusy):
		p.busySince = 0
		return err
	case p.busySince == 0, p.busySince < committed:
		p.busySince = now
	}
	if now-p.busySince < busyLimit {
		return nil
	}
	return fmt.Errorf("%w: no write was possible for %v. Look for another process that locks the file, and for a disk that does not respond",
		err, (now - p.busySince).Round(time.Second))
}

var (
	forgetPages = newStmt("db.forget_pages", "PRAGMA shrink_memory")
	checkTable  = newStmt("db.check_table", "SELECT quick_check FROM pragma_quick_check($1)")
)

// checkNextTables reads the file for checkTime. It checks as many tables as it can, and the
// next probe continues. It finds no damage in a table that takes longer: FindDamage does, and so do
// statements that use the table.
func (s *sqliteStore) checkNextTables(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	p := &s.probing
	if p.conn == nil {
		conn, err := openSQLiteConn(p.path, "PRAGMA query_only = ON", &s.damage)
		if err != nil {
			return err
		}
		p.conn = conn
	}
	defer p.conn.watch(ctx)()
	err := p.conn.control(forgetPages) // so that the file is read again
	if err == nil && len(p.tables) == 0 {
		var name string
		var scanned error
		err = p.conn.query(ctx, listTables[SQLite], nil, func(r Row) bool {
			scanned = r.Scan(&name)
			p.tables = append(p.tables, name)
			return scanned == nil
		})
		err = firstError(err, scanned)
	}
	for err == nil && len(p.tables) > 0 {
		name := p.tables[0]
		p.tables = p.tables[1:]
		err = p.conn.checkTable(ctx, name)
	}
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultInterrupt, sqlite.ResultBusy, sqlite.ResultLocked:
		err = nil
	}
	if ctx.Err() != nil {
		err = nil // out of time
	}
	return firstError(s.damage.err(), err)
}

func (s *sqliteStore) checkTables(ctx context.Context, fn func(check func(name string) error) error) error {
	c, err := openSQLiteConn(s.probing.path, "PRAGMA query_only = ON", &s.damage)
	if err != nil {
		return err
	}
	end := c.watch(ctx)
	err = fn(func(name string) error { return c.checkTable(ctx, name) })
	end()
	return errors.Join(err, c.close())
}

func (s *sqliteStore) damaged() error { return s.damage.err() }

// checkTable examines the pages of a table and of its indexes, in a read transaction.
func (c *sqliteConn) checkTable(ctx context.Context, name string) error {
	return c.query(ctx, checkTable, []any{name}, func(r Row) bool {
		var found string
		if err := r.Scan(&found); err == nil && found != "ok" {
			err = fmt.Errorf("check of table %s: %s", name, found)
			c.damage.first.CompareAndSwap(nil, &err)
		}
		return true
	})
}

// probeWrite writes and flushes a page between two groups of the writer: it does not wait in
// the queue.
func (s *sqliteStore) probeWrite(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeBusy)
	defer cancel()
	done := make(chan error, 1)
	select {
	case s.writer.checks <- func() { done <- s.writer.probe() }:
	case <-s.writer.stopped:
		return errClosed
	case <-ctx.Done():
		return errBusy
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done(): // the disk is slow, or another process writes
		return errBusy
	}
}

// writeHeader sets a number in the file's header that SQLite leaves to the application, and
// that we do not use. SQLite writes it even if it stays the same.
var writeHeader = newStmt("db.probe_write", "PRAGMA user_version = 0")

func (w *writer) probe() error {
	w.conn.conn.SetBusyTimeout(probeBusy)
	defer w.conn.conn.SetBusyTimeout(busyTimeout)
	switch err := w.conn.control(writeHeader); {
	case err == nil:
		return w.files.check()
	case sqliteBusy(err):
		return errBusy
	default:
		return fmt.Errorf("%w: a write failed: %w", ErrUnavailable, adviseDisk(err))
	}
}

// close waits for the running probe.
func (p *sqliteProbe) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conn == nil {
		return nil
	}
	return p.conn.close()
}
