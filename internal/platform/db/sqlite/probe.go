package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const (
	checkTime = 10 * time.Millisecond  // of the processor, in each probe, for checking tables
	checkWait = 500 * time.Millisecond // in which the check gets this time, also on a busy machine
	busyLimit = 10 * time.Second       // a database that is busy for longer is unavailable
)

// prober probes a file, between two groups of its writer.
type prober struct {
	path   string
	damage *damage
	writer *writer

	mu        sync.Mutex // one probe at a time, none during close
	closed    bool
	conn      *connection   // for reading; opened by the first probe
	tables    []string      // not yet checked in this round
	busySince time.Duration // by observe.Uptime; 0 if the latest probe was not busy
}

func (p *prober) probe(ctx context.Context, write bool) (wrote bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false, driver.ErrClosed
	}
	err = cmp.Or(p.damage.err(), p.writer.files.check())
	if err == nil {
		err = p.checkNextTables(ctx)
	}
	if err == nil && write {
		err = p.writer.probe(ctx)
		wrote = !errors.Is(err, errBusy)
	}
	return wrote, p.tolerateBusy(err, time.Duration(p.writer.committed.Load()))
}

// tolerateBusy returns nil for a database that has been busy for a short time, or that has
// committed since it was found busy.
func (p *prober) tolerateBusy(err error, committed time.Duration) error {
	now := observe.Uptime()
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
	forgetPages = driver.NewStmt("db.forget_pages", "PRAGMA shrink_memory")
	listTables  = driver.NewStmt("db.list_tables", "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
	checkTable  = driver.NewStmt("db.check_table", "SELECT quick_check FROM pragma_quick_check($1)")
)

// checkNextTables reads the file for checkTime. It checks as many tables as it can, and the
// next probe continues. It finds no damage in a table that takes longer: FindDamage does, and so do
// statements that use the table.
func (p *prober) checkNextTables(ctx context.Context) error {
	ctx, used, end := limitWork(ctx)
	defer end()
	if p.conn == nil {
		conn, err := openConn(p.path, "PRAGMA query_only = ON", p.damage)
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
	if isBusy(err) || sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt || ctx.Err() != nil {
		err = nil // out of time
	}
	return cmp.Or(p.damage.err(), err)
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

func (c *connection) tableNames(ctx context.Context) (names []string, err error) {
	var scanned error
	err = c.Query(ctx, listTables, nil, func(r driver.Row) bool {
		var name string
		scanned = r.Scan(&name)
		names = append(names, name)
		return scanned == nil
	})
	return names, cmp.Or(err, scanned)
}

func (p *prober) checkTables(ctx context.Context, fn func(names []string, check func(name string) error) error) error {
	c, err := openConn(p.path, "PRAGMA query_only = ON", p.damage)
	if err != nil {
		return err
	}
	end := c.watch(ctx)
	names, err := c.tableNames(ctx)
	if err == nil {
		err = fn(names, func(name string) error { return c.checkTable(ctx, name) })
	}
	end()
	return errors.Join(err, c.close())
}

// checkTable examines the pages of a table and of its indexes, in a read transaction.
func (c *connection) checkTable(ctx context.Context, name string) error {
	return c.Query(ctx, checkTable, []any{name}, func(r driver.Row) bool {
		var found string
		if err := r.Scan(&found); err == nil && found != "ok" {
			err = fmt.Errorf("check of table %s: %s", name, found)
			c.damage.first.CompareAndSwap(nil, &err)
		}
		return true
	})
}

// close waits for the running probe.
func (p *prober) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.conn == nil {
		return nil
	}
	return p.conn.close()
}
