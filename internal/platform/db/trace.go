package db

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"moothall/internal/domain"
)

// Trace records the data that the statements of a computation read, so that a cache can
// serve the result until that data changes.
type Trace struct {
	versions *versions
	since    uint64        // the version at the start
	checked  atomic.Uint64 // the latest version at which the trace was fresh

	mu    sync.Mutex
	reads []read // not merged into slots yet
	slots []slot
	wrote bool
}

// read is a table that a statement read.
type read struct {
	stmt  *Stmt
	table string
	slots []slot
}

type traceKey struct{}

func traceOf(ctx context.Context) *Trace {
	t, _ := ctx.Value(traceKey{}).(*Trace)
	return t
}

// Trace returns a context and records the data that statements read under it. A nested
// trace adds nothing to the outer one: see Include.
func (d *DB) Trace(ctx context.Context) (context.Context, *Trace) {
	if d.notices != nil {
		d.notices.listen()
	}
	t := &Trace{versions: d.versions, since: d.versions.now.Load(), slots: []slot{anySlot}}
	return context.WithValue(ctx, traceKey{}, t), t
}

// Include adds the reads of another trace to the trace of ctx, whose computation uses
// the other's result. The other trace must be Fresh, or must have started later.
func Include(ctx context.Context, other *Trace) {
	t := traceOf(ctx)
	if t == nil {
		return
	}
	slots := other.allSlots()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.slots = append(t.slots, slots...)
	t.wrote = t.wrote || other.wrote
}

// Narrow declares which rows of a table the result depends on, of all the rows that the
// statement has read in the trace of ctx: only those with these keys (see Key).
func Narrow[K any](ctx context.Context, s *Stmt, table string, keys []domain.ID[K]) {
	t := traceOf(ctx)
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads = slices.DeleteFunc(t.reads, func(r read) bool { return r.stmt == s && r.table == table })
	t.slots = append(t.slots, allRows(table))
	for _, key := range keys {
		t.slots = append(t.slots, slotOf(table, string(key[:])))
	}
}

// Fresh reports whether the data that was read is unchanged since the trace started and
// no running commit may change it. The trace of a computation that wrote is never fresh.
func (t *Trace) Fresh() bool {
	now := t.versions.now.Load()
	if t.checked.Load() == now {
		return true
	}
	slots := t.allSlots()
	if t.wrote || !t.versions.unchanged(slots, t.since) {
		return false
	}
	t.checked.Store(now)
	return true
}

// add records a statement.
func (t *Trace) add(s *Stmt, args []any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrote = t.wrote || len(s.sql.Writes) > 0
	for _, table := range s.reads {
		slots := appendSlots([]slot{allRows(table)}, s, table, args)
		if len(slots) == 2 && slots[1] == slots[0] { // no key
			slots[0] = anyRow(table)
		}
		t.reads = append(t.reads, read{s, table, slots})
	}
}

// allSlots returns the slots of everything that was read so far, sorted, each once.
func (t *Trace) allSlots() []slot {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.reads) == 0 {
		return t.slots
	}
	for _, r := range t.reads {
		t.slots = append(t.slots, r.slots...)
	}
	t.reads = nil
	slices.Sort(t.slots)
	t.slots = slices.Compact(t.slots)
	return t.slots
}
