package bench

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"moothall/internal/platform/db"
)

// call is the statements that answered one request, in order.
type call []step

// statement is one as the engine knows it.
type statement struct {
	Name   string
	Text   string
	Writes bool
}

// step is one statement with its arguments as drivers take them.
type step struct {
	statement
	args []any
}

// writes reports whether the call changes anything.
func (c call) writes() bool {
	return slices.ContainsFunc(c, func(s step) bool { return s.Writes })
}

// recorder counts all statements and notes those of the requests that go
// through wrap, so that the engine can be asked to run just them again.
type recorder struct {
	engine db.Engine
	ran    atomic.Int64
	on     atomic.Bool
	mu     sync.Mutex
	tape   []call
}

type taped struct {
	mu    sync.Mutex
	steps call
}

type tapedKey struct{}

// note is for db.Options.OnStatement.
func (r *recorder) note(ctx context.Context, s *db.Stmt, args []any) {
	r.ran.Add(1)
	if !r.on.Load() {
		return
	}
	if t, ok := ctx.Value(tapedKey{}).(*taped); ok {
		plain := make([]any, len(args))
		for i, arg := range args {
			plain[i] = value(arg)
		}
		t.mu.Lock()
		t.steps = append(t.steps, step{statement{s.Name(), s.Text(r.engine), len(s.Writes()) > 0}, plain})
		t.mu.Unlock()
	}
}

func (r *recorder) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		t := &taped{}
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), tapedKey{}, t)))
		t.mu.Lock()
		defer t.mu.Unlock()
		if len(t.steps) == 0 {
			return // answered from the cache of pages
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tape = append(r.tape, slices.Clip(t.steps))
	})
}

// begin forgets what was recorded before.
func (r *recorder) begin() {
	r.mu.Lock()
	r.tape = nil
	r.mu.Unlock()
	r.on.Store(true)
}

func (r *recorder) end() []call {
	r.on.Store(false)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tape
}
