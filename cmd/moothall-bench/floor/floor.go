// Package floor measures the limits of the machine: a bare net/http handler that writes
// the service's response, and durable increments of one row.
package floor

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"moothall/cmd/moothall-bench/load"
	"moothall/internal/platform/db"
)

// Floors holds the floors of one process. The generator calls the methods with two
// arguments by RPC.
type Floors struct {
	Context  context.Context // of the process: RPC calls have none
	Database string          // URL of an empty database for the counter
	sessions []session
	bare     atomic.Pointer[load.Response]
}

// ServeHTTP is the bare handler.
func (f *Floors) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a client that has gone needs no response
	response := f.bare.Load()
	maps.Copy(w.Header(), response.Header)
	w.WriteHeader(response.Status)
	_, _ = w.Write(response.Body)
}

// SetBare sets the response of the bare handler.
func (f *Floors) SetBare(r load.Response, _ *struct{}) error {
	f.bare.Store(&r)
	return nil
}

// postgresConnections is the service's default.
const postgresConnections = 8

// OpenCounter opens the connections for Count: one on SQLite, which has one
// writer, and up to 8 on PostgreSQL.
func (f *Floors) OpenCounter(callers int, _ *struct{}) error {
	connections := min(callers, postgresConnections)
	open := func() (session, error) { return openPostgres(f.Context, f.Database) }
	if path, ok := strings.CutPrefix(f.Database, "sqlite:"); ok {
		connections, open = 1, func() (session, error) { return openSQLite(path) }
	}
	for range connections {
		s, err := open()
		if err != nil {
			return err
		}
		f.sessions = append(f.sessions, s)
	}
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS bench_counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
		"INSERT INTO bench_counter VALUES (1, 0) ON CONFLICT DO NOTHING",
	} {
		if err := f.sessions[0].run(text); err != nil {
			return err
		}
	}
	return nil
}

// Counted is the result of Count.
type Counted struct {
	Times int
	Took  time.Duration
}

// Count increments one row for the given time, durably each time, and closes the
// connections.
func (f *Floors) Count(limit time.Duration, counted *Counted) error {
	watch := load.Start()
	var times atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	for _, s := range f.sessions {
		all.Go(func() {
			for failed.Load() == nil && watch.Elapsed() < limit {
				if err := s.run("UPDATE bench_counter SET n = n + 1 WHERE id = 1"); err != nil {
					failed.Store(&err)
					return
				}
				times.Add(1)
			}
		})
	}
	all.Wait()
	*counted = Counted{int(times.Load()), watch.Elapsed()}
	for _, s := range f.sessions {
		_ = s.close() // everything was committed
	}
	f.sessions = nil
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// session is one connection of a bare driver, which prepares each statement once.
type session struct {
	run   func(text string) error
	close func() error
}

func openPostgres(ctx context.Context, url string) (session, error) {
	conn, err := pgx.Connect(ctx, url)
	return session{
		run: func(text string) error {
			_, err := conn.Exec(ctx, text)
			return err
		},
		close: func() error { return conn.Close(context.WithoutCancel(ctx)) },
	}, err
}

func openSQLite(path string) (session, error) {
	conn, err := sqlite.OpenConn(path) // WAL
	if err != nil {
		return session{}, err
	}
	s := session{
		run:   func(text string) error { return sqlitex.Execute(conn, text, nil) },
		close: conn.Close,
	}
	for pragma := range strings.SplitSeq(db.SQLitePragmas, ";") {
		if err := s.run(pragma); err != nil {
			return s, errors.Join(err, s.close())
		}
	}
	return s, nil
}
