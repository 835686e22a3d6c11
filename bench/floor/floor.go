// Package floor measures the limits of the machine: a bare net/http handler that writes
// the service's response, and durable increments of one row.
package floor

import (
	"database/sql"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // driver
	"golang.org/x/sync/errgroup"
	_ "modernc.org/sqlite" // driver

	"moothall/bench/load"
	"moothall/internal/platform/db/sqlite"
)

// Floors holds the floors of one process. The generator calls the methods with two
// arguments by RPC.
type Floors struct {
	Counter Database
	bare    atomic.Pointer[load.Response]
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

// Database is the connections of a database. On SQLite one writes and others read.
type Database struct{ Reader, Writer *sql.DB }

// connections is the service's default on PostgreSQL.
const connections = 8

// Open opens a database with the settings of the service.
func Open(address string) (d Database, err error) {
	driver, source, writers := "pgx", address, connections
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		settings := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)"}}
		for pragma := range strings.SplitSeq(sqlite.Pragmas, ";") {
			settings.Add("_pragma", strings.TrimPrefix(strings.TrimSpace(pragma), "PRAGMA "))
		}
		driver, source, writers = "sqlite", path+"?"+settings.Encode(), 1
	}
	open := func(most int) *sql.DB {
		pool, e := sql.Open(driver, source)
		if e == nil {
			pool.SetMaxOpenConns(most)
			pool.SetMaxIdleConns(most)
		}
		err = errors.Join(err, e)
		return pool
	}
	return Database{open(connections), open(writers)}, err
}

// Close closes the connections.
func (d Database) Close() error { return errors.Join(d.Reader.Close(), d.Writer.Close()) }

// CountArgs are the arguments of Count.
type CountArgs struct {
	Callers int
	Limit   time.Duration
}

// Counted is the result of Count.
type Counted struct {
	Times int
	Took  time.Duration
}

// Count increments one row for the given time, durably each time.
func (f *Floors) Count(a CountArgs, counted *Counted) error {
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS bench_counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
		"INSERT INTO bench_counter VALUES (1, 0) ON CONFLICT DO NOTHING",
	} {
		if _, err := f.Counter.Writer.Exec(text); err != nil {
			return err
		}
	}
	increment, err := f.Counter.Writer.Prepare("UPDATE bench_counter SET n = n + 1 WHERE id = 1")
	if err != nil {
		return err
	}
	watch := load.Start()
	var times atomic.Int64
	var all errgroup.Group
	for range min(a.Callers, connections) {
		all.Go(func() error {
			for watch.Elapsed() < a.Limit {
				if _, err := increment.Exec(); err != nil {
					return err
				}
				times.Add(1)
			}
			return nil
		})
	}
	err = errors.Join(all.Wait(), increment.Close())
	*counted = Counted{int(times.Load()), watch.Elapsed()}
	return err
}
