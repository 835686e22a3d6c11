package db

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/observe"
)

// sqliteConn is one connection, used by one goroutine at a time.
type sqliteConn struct {
	conn       *sqlite.Conn
	damage     *damage // of the file, noted by every statement
	statements map[*Stmt]*sqlite.Stmt
	interrupt  chan struct{} // closed to interrupt the running statement
	inLoop     bool          // while the rows of a query are read
	wrote      bool          // a writing statement or a script has run since the writer set it to false
}

func openSQLiteConn(path, pragmas string, damage *damage) (*sqliteConn, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	c := &sqliteConn{conn: conn, damage: damage, statements: map[*Stmt]*sqlite.Stmt{}}
	c.rearm()
	conn.SetBusyTimeout(busyTimeout)
	for pragma := range strings.SplitSeq(pragmas, ";") {
		if err := retryBusy(func() error { return c.script(context.Background(), pragma) }); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", strings.TrimSpace(pragma), err), c.close())
		}
	}
	return c, nil
}

// retryBusy repeats fn for busyTimeout while the file is locked. SQLite itself waits for most locks, but not if two
// connections switch a new file to the write-ahead log at the same time: they would wait for each other.
func retryBusy(fn func() error) error {
	end := sinceStart() + busyTimeout
	for {
		err := fn()
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || sinceStart() > end {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *sqliteConn) close() error { return c.conn.Close() }

func (c *sqliteConn) rearm() {
	c.interrupt = make(chan struct{})
	c.conn.SetInterrupt(c.interrupt)
}

// watch interrupts the running statement when ctx ends. The caller must call end.
func (c *sqliteConn) watch(ctx context.Context) (end func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	interrupt := c.interrupt
	stop := context.AfterFunc(ctx, func() { close(interrupt) })
	return func() {
		if !stop() {
			<-interrupt // already closed, or very soon
			c.rearm()
		}
	}
}

func (c *sqliteConn) exec(ctx context.Context, s *Stmt, args []any) (rows int64, err error) {
	defer observe.StartSpan(ctx, s.name).End(&err)
	stmt, err := c.prepareAndBind(ctx, s, args)
	if err != nil {
		return 0, err
	}
	for {
		more, err := c.step(stmt)
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		rows++
	}
	if stmt.ColumnCount() == 0 {
		rows = int64(c.conn.Changes())
	}
	return rows, stmt.Reset()
}

func (c *sqliteConn) query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) (err error) {
	defer observe.StartSpan(ctx, s.name).End(&err)
	stmt, err := c.prepareAndBind(ctx, s, args)
	if err != nil {
		return err
	}
	c.inLoop = true
	defer func() {
		c.inLoop = false
		_ = stmt.Reset() // repeats the error of Step
	}()
	wanted := true
	r := Row{columns: &sqliteRow{stmt}}
	for wanted || len(s.sql.Writes) > 0 { // a write must run to its end
		more, err := c.step(stmt)
		if err != nil || !more {
			return err
		}
		wanted = wanted && each(r)
	}
	return nil
}

// prepareAndBind returns the prepared statement with its arguments bound.
func (c *sqliteConn) prepareAndBind(ctx context.Context, s *Stmt, args []any) (*sqlite.Stmt, error) {
	if c.inLoop {
		return nil, errNested
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.wrote = c.wrote || len(s.sql.Writes) > 0
	stmt := c.statements[s]
	if stmt == nil {
		var err error
		if stmt, err = c.conn.Prepare(s.sql.SQLite); err != nil {
			c.damage.note(err)
			return nil, err
		}
		c.statements[s] = stmt
	}
	for i, arg := range args {
		if err := bind(stmt, i+1, arg); err != nil {
			return nil, err
		}
	}
	return stmt, nil
}

// step moves to the next row of a statement.
func (c *sqliteConn) step(stmt *sqlite.Stmt) (more bool, err error) {
	if more, err = stmt.Step(); err != nil {
		c.damage.note(err)
	}
	return more, err
}

// control runs a statement that has no arguments and discards its rows.
func (c *sqliteConn) control(s *Stmt) error {
	_, err := c.exec(context.Background(), s, nil)
	return err
}

// script runs one statement without keeping it prepared.
func (c *sqliteConn) script(_ context.Context, sql string) error {
	c.wrote = true
	stmt, err := c.transient(sql)
	if err != nil {
		return err
	}
	for more := true; more && err == nil; {
		more, err = c.step(stmt)
	}
	return errors.Join(err, stmt.Finalize())
}

func (c *sqliteConn) transient(sql string) (*sqlite.Stmt, error) {
	stmt, trailing, err := c.conn.PrepareTransient(sql)
	c.damage.note(err)
	if err == nil && trailing != 0 {
		return nil, errors.Join(errors.New("more than one statement"), stmt.Finalize())
	}
	return stmt, err
}

func bind(stmt *sqlite.Stmt, n int, arg any) error {
	value, err := normalize(arg)
	if err != nil {
		return err
	}
	switch v := value.(type) {
	case nil:
		stmt.BindNull(n)
	case string:
		stmt.BindText(n, v)
	case int64:
		stmt.BindInt64(n, v)
	case float64:
		stmt.BindFloat(n, v)
	case bool:
		stmt.BindBool(n, v)
	case uuid:
		stmt.BindBytes(n, v[:])
	case []byte:
		if v == nil {
			stmt.BindNull(n)
			return nil
		}
		stmt.BindBytes(n, v)
	default:
		list, err := jsonList(v)
		stmt.BindText(n, list)
		return err
	}
	return nil
}

// jsonList encodes a list for json_each. Ids are in hexadecimal.
func jsonList(list any) (string, error) {
	if ids, ok := list.([]uuid); ok {
		digits := make([]string, len(ids))
		for i, id := range ids {
			digits[i] = hex.EncodeToString(id[:])
		}
		list = digits
	}
	text, err := json.Marshal(list)
	if string(text) == "null" {
		return "[]", nil
	}
	return string(text), err
}
