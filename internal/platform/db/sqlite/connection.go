package sqlite

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

// busyTimeout is how long SQLite waits for another process to release the file.
const busyTimeout = 5 * time.Second

// Pragmas are set on every connection, and by benchmarks of the bare engine
// (docs/adr/0011). No connection maps the file into memory, because each would map
// it separately. Deleted texts are overwritten with zeros: this costs no measurable time.
const Pragmas = `PRAGMA synchronous = FULL;
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

// connection is one connection, used by one goroutine at a time.
type connection struct {
	conn       *sqlite.Conn
	damage     *damage // of the file, noted by every statement
	statements map[*driver.Stmt]*sqlite.Stmt
	interrupt  chan struct{} // closed to interrupt the running statement
	inLoop     bool          // while the rows of a query are read
	wrote      bool          // a writing statement or a script has run since the writer set it to false
}

func openConn(path, pragmas string, damage *damage) (*connection, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	c := &connection{conn: conn, damage: damage, statements: map[*driver.Stmt]*sqlite.Stmt{}}
	c.rearm()
	conn.SetBusyTimeout(busyTimeout)
	for pragma := range strings.SplitSeq(pragmas, ";") {
		if err := retryBusy(func() error { return c.Script(context.Background(), pragma) }); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", strings.TrimSpace(pragma), err), c.close())
		}
	}
	return c, nil
}

// retryBusy repeats fn for busyTimeout while the file is locked. SQLite itself waits for most locks, but not if two
// connections switch a new file to the write-ahead log at the same time: they would wait for each other.
func retryBusy(fn func() error) error {
	end := observe.Uptime() + busyTimeout
	for {
		err := fn()
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy || observe.Uptime() > end {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (c *connection) close() error { return c.conn.Close() }

func (c *connection) rearm() {
	c.interrupt = make(chan struct{})
	c.conn.SetInterrupt(c.interrupt)
}

// watch interrupts the running statement when ctx ends. The caller must call end.
func (c *connection) watch(ctx context.Context) (end func()) {
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

func (c *connection) Exec(ctx context.Context, s *driver.Stmt, args []any) (rows int64, err error) {
	defer observe.StartSpan(ctx, s.Name()).End(&err)
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

func (c *connection) Query(ctx context.Context, s *driver.Stmt, args []any, each func(driver.Row) bool) (err error) {
	defer observe.StartSpan(ctx, s.Name()).End(&err)
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
	r := driver.NewRow(&row{stmt})
	for wanted || s.IsWrite() { // a write must run to its end
		more, err := c.step(stmt)
		if err != nil || !more {
			return err
		}
		wanted = wanted && each(r)
	}
	return nil
}

// prepareAndBind returns the prepared statement with its arguments bound.
func (c *connection) prepareAndBind(ctx context.Context, s *driver.Stmt, args []any) (*sqlite.Stmt, error) {
	if c.inLoop {
		return nil, driver.ErrNested
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c.wrote = c.wrote || s.IsWrite()
	stmt := c.statements[s]
	if stmt == nil {
		var err error
		if stmt, err = c.conn.Prepare(s.Text(driver.SQLite)); err != nil {
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
func (c *connection) step(stmt *sqlite.Stmt) (more bool, err error) {
	if more, err = stmt.Step(); err != nil {
		c.damage.note(err)
	}
	return more, err
}

// control runs a statement that has no arguments and discards its rows.
func (c *connection) control(s *driver.Stmt) error {
	_, err := c.Exec(context.Background(), s, nil)
	return err
}

// Script runs one statement without keeping it prepared.
func (c *connection) Script(_ context.Context, sql string) error {
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

// Batch runs the statements one after the other. The writer commits afterwards.
func (c *connection) Batch(ctx context.Context, queue []*driver.Queued, _ bool) error {
	for _, q := range queue {
		err := q.Run(
			func() (int64, error) { return c.Exec(ctx, q.Stmt, q.Args) },
			func(each func(driver.Row) bool) error { return c.Query(ctx, q.Stmt, q.Args, each) })
		if err != nil {
			return classify.ExplainStmt(ctx, q.Stmt, q.Args, err)
		}
	}
	return nil
}

// QueryAfter runs the statements one after the other.
func (c *connection) QueryAfter(ctx context.Context, queue []*driver.Queued, s *driver.Stmt, args []any,
	each func(driver.Row) bool) error {
	if err := c.Batch(ctx, queue, false); err != nil {
		return err
	}
	return c.Query(ctx, s, args, each)
}

func (c *connection) transient(sql string) (*sqlite.Stmt, error) {
	stmt, trailing, err := c.conn.PrepareTransient(sql)
	c.damage.note(err)
	if err == nil && trailing != 0 {
		return nil, errors.Join(errors.New("more than one statement"), stmt.Finalize())
	}
	return stmt, err
}

func bind(stmt *sqlite.Stmt, n int, arg any) error {
	value, err := driver.Normalize(arg)
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
	case driver.UUID:
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
	if ids, ok := list.([]driver.UUID); ok {
		return idList(ids), nil
	}
	text, err := json.Marshal(list)
	if string(text) == "null" {
		return "[]", nil
	}
	return string(text), err
}

func idList(ids []driver.UUID) string {
	var text strings.Builder
	text.Grow(len(`[]`) + len(ids)*len(`"00000000000000000000000000000000",`))
	text.WriteByte('[')
	for i, id := range ids {
		if i > 0 {
			text.WriteByte(',')
		}
		var digits [2 * len(id)]byte
		hex.Encode(digits[:], id[:])
		text.WriteByte('"')
		text.Write(digits[:])
		text.WriteByte('"')
	}
	text.WriteByte(']')
	return text.String()
}
