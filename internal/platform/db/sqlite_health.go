package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/observe"
)

const (
	checkTime = 10 * time.Millisecond  // of the processor, in each probe, for checking tables
	checkWait = 500 * time.Millisecond // in which the check gets this time, also on a busy machine
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

func (s *sqliteStore) probe(ctx context.Context, write bool) (wrote bool, err error) {
	s.probing.mu.Lock()
	defer s.probing.mu.Unlock()
	select {
	case <-s.closed:
		return false, errClosed
	default:
	}
	err = firstError(s.damage.err(), s.writer.files.check())
	if err == nil {
		err = s.checkNextTables(ctx)
	}
	if err == nil && write {
		err = s.probeWrite(ctx)
		wrote = !errors.Is(err, errBusy)
	}
	return wrote, s.probing.tolerateBusy(err, time.Duration(s.writer.committed.Load()))
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
	ctx, used, end := limitWork(ctx)
	defer end()
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
		p.tables, err = p.conn.tableNames(ctx)
	}
	for first := true; err == nil && len(p.tables) > 0; first = false {
		err = p.conn.checkTable(ctx, p.tables[0])
		if err == nil || first && used() {
			p.tables = p.tables[1:] // checked, or too large
		}
	}
	if sqliteBusy(err) || sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt || ctx.Err() != nil {
		err = nil // out of time
	}
	return firstError(s.damage.err(), err)
}

// limitWork returns a context that ends when the thread of the caller has worked for checkTime, and after checkWait at the
// latest. The caller must call end. The function used reports whether the thread has worked for so long.
func limitWork(ctx context.Context) (limited context.Context, used func() bool, end func()) {
	runtime.LockOSThread()
	limited, cancel := context.WithTimeout(ctx, checkWait)
	worked := observe.ThreadTime()
	used = func() bool { return worked() >= checkTime }
	go func() {
		defer cancel()
		look := time.NewTicker(checkTime / 5)
		defer look.Stop()
		for !used() {
			select {
			case <-look.C:
			case <-limited.Done():
				return
			}
		}
	}()
	return limited, used, func() { cancel(); runtime.UnlockOSThread() }
}

func (c *sqliteConn) tableNames(ctx context.Context) (names []string, err error) {
	var scanned error
	err = c.query(ctx, listTables[SQLite], nil, func(r Row) bool {
		var name string
		scanned = r.Scan(&name)
		names = append(names, name)
		return scanned == nil
	})
	return names, firstError(err, scanned)
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

// probeWrite writes and flushes a row between two groups of the writer: it does not wait in
// the queue.
func (s *sqliteStore) probeWrite(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeBusy)
	defer cancel()
	done := make(chan error, 1)
	select {
	case s.writer.checks <- func() { done <- s.writer.probe(context.WithoutCancel(ctx)) }:
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

var (
	insertProbe = SQL("db.insert_probe", `INSERT INTO health_probes (id, filler) VALUES ($1, $2)`)
	deleteProbe = SQL("db.delete_probe", `DELETE FROM health_probes WHERE id = $1`)
)

// probe inserts a row and deletes it, in one transaction.
func (w *writer) probe(ctx context.Context) error {
	w.conn.conn.SetBusyTimeout(probeBusy)
	defer w.conn.conn.SetBusyTimeout(busyTimeout)
	switch err := w.writeProbe(ctx); {
	case err == nil, undefinedTable(err): // no migrations have run
		return w.files.check()
	case sqliteBusy(err):
		return errBusy
	default:
		return fmt.Errorf("%w: a write failed: %w", ErrUnavailable, adviseDisk(err))
	}
}

func (w *writer) writeProbe(ctx context.Context) error {
	if err := w.conn.control(groupBegin); err != nil {
		return err
	}
	defer func() {
		if !w.conn.conn.AutocommitEnabled() {
			_ = w.conn.control(sqliteRollback) // the error of the write matters
		}
	}()
	id, filler := newProbe()
	if _, err := w.conn.exec(ctx, insertProbe, []any{id, filler}); err != nil {
		return err
	}
	if _, err := w.conn.exec(ctx, deleteProbe, []any{id}); err != nil {
		return err
	}
	return w.conn.control(groupCommit)
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
