package db

import (
	"hash/crc32"
	"sync/atomic"
)

// Versions tell caches whether data has changed since they read it.
//
// Every row belongs to one slot of a fixed table of version counters: the hash of
// its table and its key, the first column of the primary key. A write announces
// its slots before it commits and bumps their versions afterwards, before its
// caller gets an answer. A Trace (trace.go) records the slots that were read.
// Rows that share a slot only cause more cache misses. A statement without a Key
// affects every row of the table.
//
// Other processes report their writes by notices (notice.go), which may be late or
// lost: a cache must limit the age of its entries.

// Key declares that a statement reads or changes only some rows of a table: those
// whose key is the id, or one of the ids, in a parameter.
type Key struct {
	Table string
	Param int // from 1
}

// slot is a version counter for the rows that hash to it.
type slot uint16

const slotCount = 1 << 14

// anySlot is bumped by a write that may change any row of any table.
const anySlot slot = 0

// slotOf returns the slot of the rows with a key. The keys "" and "*" stand for
// allRows and anyRow.
func slotOf(table, key string) slot {
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(table)), crc32.IEEETable, []byte(key))
	return slot(1 + sum%(slotCount-1))
}

// allRows is bumped by a write that may change every row of the table.
func allRows(table string) slot { return slotOf(table, "") }

// anyRow is bumped by every write to the table.
func anyRow(table string) slot { return slotOf(table, "*") }

// versions holds the version of the last change of every slot.
type versions struct {
	now   atomic.Uint64 // increases before and after each change, from 1
	slots [slotCount]struct {
		changed    atomic.Uint64
		committing atomic.Int64 // writes that may be committing
	}
	publish func([]slot) // to other processes; may be nil
}

func newVersions() *versions {
	v := &versions{}
	v.now.Store(1) // 0 means that a trace was never checked
	return v
}

// unchanged reports whether no slot has changed since a version or may be changed by a
// running commit.
func (v *versions) unchanged(slots []slot, since uint64) bool {
	for _, s := range slots {
		if v.slots[s].committing.Load() != 0 || v.slots[s].changed.Load() > since {
			return false
		}
	}
	return true
}

// bump records a change of the slots.
func (v *versions) bump(slots ...slot) {
	now := v.now.Add(1)
	for _, s := range slots {
		for {
			before := v.slots[s].changed.Load()
			if before >= now || v.slots[s].changed.CompareAndSwap(before, now) {
				break
			}
		}
	}
}

// write is one transaction and the slots that it may change.
type write struct {
	versions  *versions
	slots     []slot
	announced int // the length of the announced part of slots
}

// add records a statement of the transaction.
func (w *write) add(s *Stmt, args []any) {
	for _, table := range s.sql.Writes {
		w.slots = append(w.slots, anyRow(table))
		w.slots = appendSlots(w.slots, s, table, args)
	}
}

// begin announces, right before the commit, that the slots may change.
func (w *write) begin() {
	if w.announced == len(w.slots) {
		return
	}
	for _, s := range w.slots[w.announced:] {
		w.versions.slots[s].committing.Add(1)
	}
	w.announced = len(w.slots)
	w.versions.now.Add(1)
}

// end bumps the announced slots, whatever the outcome of the commit. A commit in doubt
// that succeeds later is like a write of another process whose notice is lost.
func (w *write) end() {
	announced := w.slots[:w.announced]
	if len(announced) == 0 {
		return
	}
	w.versions.bump(announced...)
	for _, s := range announced {
		w.versions.slots[s].committing.Add(-1)
	}
	if w.versions.publish != nil {
		w.versions.publish(announced)
	}
	w.announced = 0
}

// appendSlots appends the slots of the rows of a table that a statement concerns:
// those of its declared key, or the slot of all rows.
func appendSlots(slots []slot, s *Stmt, table string, args []any) []slot {
	for _, key := range s.keys {
		if key.Table != table {
			continue
		}
		value, err := normalize(args[key.Param-1])
		if err != nil {
			break
		}
		switch v := value.(type) {
		case uuid:
			return append(slots, slotOf(table, string(v[:])))
		case []uuid:
			for _, id := range v {
				slots = append(slots, slotOf(table, string(id[:])))
			}
			return slots
		}
	}
	return append(slots, allRows(table))
}

// beginAlone is begin for a statement that is a transaction of its own.
func (q querier) beginAlone(s *Stmt, args []any) (end func()) {
	if len(s.sql.Writes) == 0 || q.write != nil {
		return func() {}
	}
	w := &write{versions: q.versions}
	w.add(s, args)
	w.begin()
	return w.end
}
