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
	plan     plan
	played   int // how much of the tape: other rows are not in memory yet
	sessions []session
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
	s.played = 0
	return err
}

// FloorOf says how a floor is to be measured.
type FloorOf struct {
	Callers  int
	Part, Of int // of the requests recorded, for changes, each of which is made once
}

// FloorDone is how a floor did.
type FloorDone struct {
	Calls int
	Took  time.Duration
}

// Ready opens the connections of a floor and has them prepare what is read.
func (s *server) Ready(of FloorOf, _ *struct{}) error {
	s.plan = s.planOf(of)
	return s.openSessions(of.Callers)
}

func (s *server) openSessions(callers int) error {
	for range sessionsFor(s.plan.url, callers, s.plan.writes) {
		one, err := openSession(s.ctx, s.plan.url)
		if err != nil {
			return err
		}
		s.sessions = append(s.sessions, one)
		prepare := one.read
		if s.plan.writes {
			prepare = one.ready
		}
		for _, c := range s.plan.tape[:min(len(s.plan.tape), 64)] {
			if err := prepare(s.ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// plan is what a floor does.
type plan struct {
	url    string
	tape   []call
	writes bool
}

// planOf chooses among what was recorded.
func (s *server) planOf(of FloorOf) plan {
	if !s.tape[0].writes() {
		return plan{url: s.database, tape: s.tape}
	}
	return plan{url: s.twin, tape: s.tape[len(s.tape)*of.Part/of.Of : len(s.tape)*(of.Part+1)/of.Of], writes: true}
}

// Floor runs on the bare driver what was recorded: reads over and over, changes
// once each. It closes the connections.
func (s *server) Floor(limit time.Duration, done *FloorDone) (err error) {
	defer s.closeSessions()
	if len(s.plan.tape) == 0 {
		return nil
	}
	watch := start()
	done.Calls, done.Took, err = inParallel(s.sessions, func(one session, i int) (bool, error) {
		switch tape := s.plan.tape; {
		case watch.elapsed() >= limit, s.plan.writes && i >= len(tape):
			return false, nil
		case s.plan.writes:
			return true, one.write(s.ctx, tape[i])
		default:
			return true, one.read(s.ctx, tape[(s.played+i)%len(tape)])
		}
	})
	s.played += done.Calls
	return err
}

func (s *server) closeSessions() {
	for _, one := range s.sessions {
		_ = one.close() // nothing depends on it any more
	}
	s.sessions = nil
}

// session is one connection of a bare driver.
type session interface {
	// ready prepares the statements of a call for write.
	ready(ctx context.Context, c call) error
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
