package bench

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A floor is the engine's own: the statements of recorded requests, with the
// arguments that they had, on the bare driver, all columns read.

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

// runFloor gives how many calls were done in which time. Reads are repeated
// until the time is over, changes are done once each.
func runFloor(ctx context.Context, url string, tape []call, callers int, limit time.Duration) (n int, took time.Duration, err error) {
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
	if writes {
		return inParallel(sessions, func(s session, i int) (bool, error) {
			if i >= len(tape) {
				return false, nil
			}
			return true, s.write(ctx, tape[i])
		})
	}
	for _, s := range sessions { // prepared before the clock runs
		for _, c := range tape[:min(len(tape), 64)] {
			if err := s.read(ctx, c); err != nil {
				return 0, 0, err
			}
		}
	}
	watch := start()
	return inParallel(sessions, func(s session, i int) (bool, error) {
		if watch.elapsed() >= limit {
			return false, nil
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
