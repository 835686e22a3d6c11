package db

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"moothall/internal/domain"
)

// Trace notes what the statements of a computation read, so that its result
// can be given again while none of that has changed.
type Trace struct {
	changes *changes
	since   uint64 // when it began
	checked atomic.Uint64

	mu    sync.Mutex
	read  []reading // not narrowed
	at    []place   // narrowed or, once sealed, all
	wrote bool
}

// reading is one statement that ran, and a table that it read.
type reading struct {
	stmt  *Stmt
	table string
	at    []place
}

type traceKey struct{}

func traceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

// Trace begins to note what is read under the context that it gives. A trace
// within another one leaves nothing in that: see Include.
func (d *DB) Trace(ctx context.Context) (context.Context, *Trace) {
	if d.notices != nil {
		d.notices.follow()
	}
	t := &Trace{changes: d.changes, since: d.changes.now.Load(), at: []place{anything}}
	return context.WithValue(ctx, traceKey{}, t), t
}

// Include notes all that another trace has, for a computation that uses the
// result of that one. The other must be Fresh, or have begun later.
func Include(ctx context.Context, other *Trace) {
	t := traceOf(ctx)
	if t == nil {
		return
	}
	at := other.places()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.at = append(t.at, at...)
	t.wrote = t.wrote || other.wrote
}

// Narrow tells that, of the rows of a table that the statement has read in this
// trace, only those with these keys (see Key) could have changed the result.
func Narrow[K any](ctx context.Context, s *Stmt, table string, keys []domain.ID[K]) {
	t := traceOf(ctx)
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read = slices.DeleteFunc(t.read, func(r reading) bool { return r.stmt == s && r.table == table })
	t.at = append(t.at, every(table))
	for _, key := range keys {
		t.at = append(t.at, placeOf(table, string(key[:])))
	}
}

// Fresh reports whether nothing that was read has changed since the trace
// began, nor may be changing right now. A computation that wrote is never fresh.
func (t *Trace) Fresh() bool {
	now := t.changes.now.Load()
	if t.checked.Load() == now {
		return true
	}
	at := t.places()
	if t.wrote || !t.changes.unchanged(at, t.since) {
		return false
	}
	t.checked.Store(now)
	return true
}

// note keeps what a statement reads.
func (t *Trace) note(s *Stmt, args []any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrote = t.wrote || len(s.sql.Writes) > 0
	for _, table := range s.reads {
		at := appendPlaces([]place{every(table)}, s, table, args)
		if len(at) == 2 && at[1] == at[0] { // no key
			at[0] = some(table)
		}
		t.read = append(t.read, reading{s, table, at})
	}
}

// places gives all that was noted so far, sorted and without repetition.
func (t *Trace) places() []place {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.read) == 0 {
		return t.at
	}
	for _, r := range t.read {
		t.at = append(t.at, r.at...)
	}
	t.read = nil
	slices.Sort(t.at)
	t.at = slices.Compact(t.at)
	return t.at
}
