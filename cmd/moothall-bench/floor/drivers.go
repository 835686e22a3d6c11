package floor

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"

	"moothall/internal/platform/db"
)

// postgresSession is a connection of pgx, which keeps statements prepared.
type postgresSession struct{ conn *pgx.Conn }

func openPostgres(ctx context.Context, url string) (*postgresSession, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	return &postgresSession{conn}, nil
}

func (s *postgresSession) close() error { return s.conn.Close(context.Background()) }

func (s *postgresSession) run(ctx context.Context, text string, args []any) error {
	rows, err := s.conn.Query(ctx, text, args...)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	defer rows.Close()
	for rows.Next() {
		rows.RawValues()
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

// sqliteSession is a connection of zombiezen's driver.
//
// It keeps the prepared statements itself: the driver's Prepare clears the
// parameters of one that it has kept, and SQLite then plans some of them again.
type sqliteSession struct {
	conn     *sqlite.Conn
	prepared map[string]*sqlite.Stmt
	blob     []byte
}

func openSQLite(path string) (*sqliteSession, error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate, sqlite.OpenWAL)
	if err != nil {
		return nil, err
	}
	s := &sqliteSession{conn: conn, prepared: map[string]*sqlite.Stmt{}}
	for pragma := range strings.SplitSeq(db.SQLitePragmas, ";") {
		if err := s.run(context.Background(), pragma, nil); err != nil {
			_ = conn.Close() // the first error says more
			return nil, err
		}
	}
	return s, nil
}

func (s *sqliteSession) close() error { return s.conn.Close() }

func (s *sqliteSession) run(_ context.Context, text string, args []any) error {
	if err := s.step(text, args); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

func (s *sqliteSession) step(text string, args []any) (err error) {
	stmt := s.prepared[text]
	if stmt == nil {
		if stmt, err = s.conn.Prepare(text); err != nil {
			return err
		}
		s.prepared[text] = stmt
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
			s.readColumn(stmt, i)
		}
	}
}

func (s *sqliteSession) readColumn(stmt *sqlite.Stmt, i int) {
	switch stmt.ColumnType(i) {
	case sqlite.TypeInteger:
		_ = stmt.ColumnInt64(i)
	case sqlite.TypeFloat:
		_ = stmt.ColumnFloat(i)
	case sqlite.TypeText:
		_ = stmt.ColumnText(i)
	case sqlite.TypeBlob:
		s.blob = append(s.blob[:0], make([]byte, stmt.ColumnLen(i))...)
		_ = stmt.ColumnBytes(i, s.blob)
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

// bindList binds a list as the service does, as JSON.
func bindList(stmt *sqlite.Stmt, i int, list any) error {
	if ids, ok := list.([][16]byte); ok {
		texts := make([]string, len(ids))
		for n, id := range ids {
			texts[n] = hex.EncodeToString(id[:])
		}
		list = texts
	}
	text, err := json.Marshal(list)
	stmt.BindText(i, string(text))
	return err
}
