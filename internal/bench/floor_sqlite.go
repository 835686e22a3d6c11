package bench

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/db"
)

// sqliteSession runs statements on zombiezen's connection, and changes in one
// transaction a call.
//
// It keeps the prepared statements itself: Prepare clears the parameters of one
// that it has kept, after which SQLite plans some statements anew.
type sqliteSession struct {
	conn     *sqlite.Conn
	prepared map[string]*sqlite.Stmt
	blob     []byte
	sum      int64 // of what was read, so that it is read
}

func openSQLite(path string) (*sqliteSession, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	s := &sqliteSession{conn: conn, prepared: map[string]*sqlite.Stmt{}}
	for pragma := range strings.SplitSeq(db.SQLitePragmas, ";") {
		if err := s.run(pragma, nil); err != nil {
			_ = conn.Close() // the first error says more
			return nil, err
		}
	}
	return s, nil
}

func (s *sqliteSession) ready(_ context.Context, c call) error {
	for _, step := range c {
		if _, err := s.prepare(step.Text); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
	}
	return nil
}

func (s *sqliteSession) close() error { return s.conn.Close() }

func (s *sqliteSession) read(_ context.Context, c call) error {
	for _, step := range c {
		if err := s.run(step.Text, step.args); err != nil {
			return fmt.Errorf("%s: %w", step.Name, err)
		}
	}
	return nil
}

func (s *sqliteSession) write(ctx context.Context, c call) error {
	if err := s.run("BEGIN IMMEDIATE", nil); err != nil {
		return err
	}
	if err := s.read(ctx, c); err != nil {
		return err
	}
	return s.run("COMMIT", nil)
}

// prepare gives a statement, which stays prepared.
func (s *sqliteSession) prepare(text string) (*sqlite.Stmt, error) {
	if stmt := s.prepared[text]; stmt != nil {
		return stmt, nil
	}
	stmt, err := s.conn.Prepare(text)
	if err == nil {
		s.prepared[text] = stmt
	}
	return stmt, err
}

func (s *sqliteSession) run(text string, args []any) error {
	stmt, err := s.prepare(text)
	if err != nil {
		return err
	}
	for i, arg := range args {
		if err := bind(stmt, i+1, arg); err != nil {
			return err
		}
	}
	for {
		more, err := stmt.Step()
		if err != nil {
			return err
		}
		if !more {
			return stmt.Reset()
		}
		for i := range stmt.ColumnCount() {
			s.column(stmt, i)
		}
	}
}

func (s *sqliteSession) column(stmt *sqlite.Stmt, i int) {
	switch stmt.ColumnType(i) {
	case sqlite.TypeInteger:
		s.sum += stmt.ColumnInt64(i)
	case sqlite.TypeFloat:
		s.sum += int64(stmt.ColumnFloat(i))
	case sqlite.TypeText:
		s.sum += int64(len(stmt.ColumnText(i)))
	case sqlite.TypeBlob:
		s.blob = append(s.blob[:0], make([]byte, stmt.ColumnLen(i))...)
		s.sum += int64(stmt.ColumnBytes(i, s.blob))
	case sqlite.TypeNull:
	}
}

func bind(stmt *sqlite.Stmt, i int, arg any) error {
	switch v := arg.(type) {
	case nil:
		stmt.BindNull(i)
	case string:
		stmt.BindText(i, v)
	case int64:
		stmt.BindInt64(i, v)
	case float64:
		stmt.BindFloat(i, v)
	case bool:
		stmt.BindBool(i, v)
	case []byte:
		stmt.BindBytes(i, v)
	case [16]byte:
		stmt.BindBytes(i, v[:])
	default:
		return bindList(stmt, i, v)
	}
	return nil
}

// bindList gives a list as the service does, as JSON.
func bindList(stmt *sqlite.Stmt, i int, arg any) error {
	if ids, ok := arg.([][16]byte); ok {
		texts := make([]string, len(ids))
		for n, id := range ids {
			texts[n] = hex.EncodeToString(id[:])
		}
		arg = texts
	}
	text, err := json.Marshal(arg)
	stmt.BindText(i, string(text))
	return err
}
