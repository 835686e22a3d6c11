// Package floor measures what the machine can do at all: a bare net/http handler
// that writes the service's response, the recorded statements on the bare
// driver, and a durable increment of one row.
package floor

import (
	"context"
	"io"
	"maps"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"moothall/cmd/moothall-bench/load"
)

// Floors holds what one process measures. Methods with two arguments are called
// by RPC.
type Floors struct {
	Context   context.Context //nolint:containedctx // of the process: RPC calls have none
	Databases Databases
	recording Recording
	next      int // request of the recording to continue with: its rows are not cached yet
	sessions  []session
	run       func(s session, i int) error
	bare      atomic.Pointer[load.Response]
}

// Databases names the databases, by URL.
type Databases struct {
	Data  string // the recorded statements read from it
	Empty string // the counter is written to it
}

// ServeHTTP is the bare handler.
func (f *Floors) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a client that has gone needs no response
	response := f.bare.Load()
	maps.Copy(w.Header(), response.Header)
	w.WriteHeader(response.Status)
	_, _ = w.Write(response.Body)
}

// SetBare sets what the bare handler writes.
func (f *Floors) SetBare(r load.Response, _ *struct{}) error {
	f.bare.Store(&r)
	return nil
}

// SetRecording sets what PrepareReads prepares.
func (f *Floors) SetRecording(r Recording, _ *struct{}) error {
	r.restoreNulls()
	f.recording, f.next = r, 0
	return nil
}

// PrepareReads makes Run run the recorded requests again and again.
func (f *Floors) PrepareReads(callers int, _ *struct{}) error {
	requests := f.recording.Requests
	f.run = func(s session, i int) error {
		for _, e := range requests[(f.next+i)%len(requests)] {
			if err := s.run(f.Context, f.recording.Texts[e.Text], e.Args); err != nil {
				return err
			}
		}
		return nil
	}
	connections := runtime.GOMAXPROCS(0)
	if !isSQLite(f.Databases.Data) {
		connections = min(callers, postgresConnections)
	}
	if err := f.open(f.Databases.Data, connections); err != nil {
		return err
	}
	for _, s := range f.sessions { // prepare the statements
		for i := range min(len(requests), 64) {
			if err := f.run(s, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// increment is the floor of every write: one durable transaction.
const increment = "UPDATE bench_counter SET n = n + 1 WHERE id = 1"

// PrepareCounter makes Run increment one row, durably each time.
func (f *Floors) PrepareCounter(callers int, _ *struct{}) error {
	f.run = func(s session, _ int) error { return s.run(f.Context, increment, nil) }
	connections := 1 // SQLite has one writer
	if !isSQLite(f.Databases.Empty) {
		connections = min(callers, postgresConnections)
	}
	if err := f.open(f.Databases.Empty, connections); err != nil {
		return err
	}
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS bench_counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
		"INSERT INTO bench_counter VALUES (1, 0) ON CONFLICT DO NOTHING",
	} {
		if err := f.sessions[0].run(f.Context, text, nil); err != nil {
			return err
		}
	}
	return nil
}

// Done reports what Run did.
type Done struct {
	Runs int
	Took time.Duration
}

// Run runs what was prepared for the given time and closes the connections.
func (f *Floors) Run(limit time.Duration, done *Done) (err error) {
	defer f.close()
	watch := load.Start()
	var started, finished atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	for _, s := range f.sessions {
		all.Go(func() {
			for failed.Load() == nil && watch.Elapsed() < limit {
				if err := f.run(s, int(started.Add(1)-1)); err != nil {
					failed.Store(&err)
					return
				}
				finished.Add(1)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	*done = Done{int(finished.Load()), watch.Elapsed()}
	f.next += done.Runs
	return nil
}

func (f *Floors) open(url string, connections int) error {
	for range connections {
		s, err := openSession(f.Context, url)
		if err != nil {
			return err
		}
		f.sessions = append(f.sessions, s)
	}
	return nil
}

func (f *Floors) close() {
	for _, s := range f.sessions {
		_ = s.close() // everything was read or committed
	}
	f.sessions = nil
}

// session is one connection of a bare driver.
type session interface {
	// run runs a statement, which stays prepared, and reads all of its rows.
	run(ctx context.Context, text string, args []any) error
	close() error
}

// postgresConnections is the service's default.
const postgresConnections = 8

func isSQLite(url string) bool { return strings.HasPrefix(url, "sqlite:") }

func openSession(ctx context.Context, url string) (session, error) {
	if isSQLite(url) {
		return openSQLite(strings.TrimPrefix(url, "sqlite:"))
	}
	return openPostgres(ctx, url)
}
