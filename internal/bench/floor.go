package bench

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
)

// A floor is the engine's own: the statements of recorded requests, with the
// arguments that they had, on the bare driver, all columns read. Beside it is a
// handler that writes the bytes of one answer and does nothing else.

// floors are what a process offers that measures them.
type floors struct {
	tape     []call
	database string
	twin     string
	bare     atomic.Pointer[Answer]
}

// Floors says on which databases floors are measured.
type Floors struct {
	Database string // URL
	Twin     string // URL of a copy of it, for changes
}

// Answer is what the bare handler writes.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// OpenFloors starts the bare handler.
func (s *server) OpenFloors(f Floors, a *Addresses) error {
	s.database, s.twin = f.Database, f.Twin
	bare, err := listen(&a.Bare)
	if err == nil {
		s.serve(bare, http.HandlerFunc(s.answer))
	}
	return err
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // a client that is gone needs no answer
	answer := s.bare.Load()
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
}

// SetBare says what the bare handler answers from now on.
func (s *server) SetBare(a Answer, _ *struct{}) error {
	s.bare.Store(&a)
	return nil
}

// SetTape says what Floor runs from now on.
func (s *server) SetTape(tape []byte, _ *struct{}) (err error) {
	s.tape, err = unpacked(tape)
	return err
}

// FloorOf says how a floor is to be measured.
type FloorOf struct {
	Callers  int
	Time     time.Duration // at most: changes end with their part
	Part, Of int           // of the requests recorded, for changes, each of which is made once
}

// FloorDone is how a floor did.
type FloorDone struct {
	Calls int
	Took  time.Duration
}

// Floor runs on the bare driver what was recorded.
func (s *server) Floor(of FloorOf, done *FloorDone) (err error) {
	url, tape := s.database, s.tape
	if tape[0].writes() {
		url = s.twin
		tape = tape[len(tape)*of.Part/of.Of : len(tape)*(of.Part+1)/of.Of]
	}
	done.Calls, done.Took, err = runFloor(s.ctx, url, tape, of.Callers, of.Time)
	return err
}

// session is one connection of a bare driver.
type session interface {
	// read runs the statements of a call.
	read(ctx context.Context, c call) error
	// write runs them so that they are durable together, as fast as one caller can have it.
	write(ctx context.Context, c call) error
	close() error
}

// openSession opens a database the way the service does.
func openSession(ctx context.Context, url string) (session, error) {
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		return openSQLite(path)
	}
	return openPostgres(ctx, url)
}

// postgresConnections are as many as the service has by default.
const postgresConnections = 8

// sessionsFor is how many connections a floor uses: as many as cores on
// SQLite, one for changes; on PostgreSQL as many as the service's pool.
func sessionsFor(url string, callers int, writes bool) int {
	switch {
	case !strings.HasPrefix(url, "sqlite:"):
		return min(callers, postgresConnections)
	case writes:
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// runFloor gives how many calls were done in which time. Reads are repeated,
// changes are done once each.
func runFloor(ctx context.Context, url string, tape []call, callers int, limit time.Duration) (n int, took time.Duration, err error) {
	if len(tape) == 0 {
		return 0, 0, nil
	}
	writes := tape[0].writes()
	var sessions []session
	defer func() {
		for _, s := range sessions {
			_ = s.close() // nothing depends on it any more
		}
	}()
	for range sessionsFor(url, callers, writes) {
		s, err := openSession(ctx, url)
		if err != nil {
			return 0, 0, err
		}
		sessions = append(sessions, s)
	}
	for _, s := range sessions {
		if writes {
			break
		}
		for _, c := range tape[:min(len(tape), 64)] { // prepared before the clock runs
			if err := s.read(ctx, c); err != nil {
				return 0, 0, err
			}
		}
	}
	watch := start()
	return inParallel(sessions, func(s session, i int) (bool, error) {
		switch {
		case watch.elapsed() >= limit, writes && i >= len(tape):
			return false, nil
		case writes:
			return true, s.write(ctx, tape[i])
		}
		return true, s.read(ctx, tape[i%len(tape)])
	})
}

// inParallel calls do with the numbers from 0 on until it gives false, and
// counts how often it gave true.
func inParallel(sessions []session, do func(s session, i int) (more bool, err error)) (n int, took time.Duration, err error) {
	var next, done atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	watch := start()
	for _, s := range sessions {
		all.Go(func() {
			for failed.Load() == nil {
				more, err := do(s, int(next.Add(1)-1))
				if err != nil {
					failed.Store(&err)
					return
				}
				if !more {
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return 0, 0, *err
	}
	return int(done.Load()), watch.elapsed(), nil
}
