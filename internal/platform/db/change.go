package db

import (
	"hash/crc32"
	"sync/atomic"
)

// What is known of changes, so that an answer can be kept exactly as long as
// nothing it was read from has changed.
//
// Every row belongs to one of a fixed number of places: that of its table and
// its key, which is the first column of the table's primary key. A write marks
// its places before it commits and dates them afterwards, before its caller is
// answered; a Trace (trace.go) notes the places of what was read. Places
// that two tables or rows share cost speed only, and so does everything that a
// statement does not declare: it then counts for the whole table.
//
// Other processes tell of their changes by notices (notice.go), which may be late
// or lost: who keeps an answer must bound its age.

// Key declares that a statement reads or changes, of a table, only the rows
// whose key is the id, or one of the ids, that a parameter gives.
type Key struct {
	Table string
	Param int // from 1
}

// place is where changes of some rows are noted.
type place uint16

const places = 1 << 14

// anything is the place of changes that could be anywhere.
const anything place = 0

// placeOf gives the place of the rows of a table with a key; the key "" stands
// for all of them, "*" for any of them.
func placeOf(table, key string) place {
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(table)), crc32.IEEETable, []byte(key))
	return place(1 + sum%(places-1))
}

// every is marked by a write that may change any row of the table.
func every(table string) place { return placeOf(table, "") }

// some is marked by every write of the table.
func some(table string) place { return placeOf(table, "*") }

// changes are the dates of the last changes of every place.
type changes struct {
	now atomic.Uint64 // moves before and after each change, from 1
	at  [places]struct {
		changed  atomic.Uint64
		underWay atomic.Int64 // writes that may be committing
	}
	tell func([]place) // other processes; may be nil
}

func newChanges() *changes {
	c := &changes{}
	c.now.Store(1) // a trace that was never checked says 0
	return c
}

// unchanged reports whether nothing at the places has changed since a moment
// nor may be changing.
func (c *changes) unchanged(at []place, since uint64) bool {
	for _, p := range at {
		if c.at[p].underWay.Load() != 0 || c.at[p].changed.Load() > since {
			return false
		}
	}
	return true
}

// date notes a change that has happened.
func (c *changes) date(at ...place) {
	now := c.now.Add(1)
	for _, p := range at {
		for {
			before := c.at[p].changed.Load()
			if before >= now || c.at[p].changed.CompareAndSwap(before, now) {
				break
			}
		}
	}
}

// write is one transaction and what it may change.
type write struct {
	changes *changes
	at      []place
	marked  int // of at, from the beginning
}

// add notes that a statement of the transaction runs.
func (w *write) add(s *Stmt, args []any) {
	for _, table := range s.sql.Writes {
		w.at = append(w.at, some(table))
		w.at = appendPlaces(w.at, s, table, args)
	}
}

// mark tells, right before the commit, that what was noted may change from now on.
func (w *write) mark() {
	if w.marked == len(w.at) {
		return
	}
	for _, p := range w.at[w.marked:] {
		w.changes.at[p].underWay.Add(1)
	}
	w.marked = len(w.at)
	w.changes.now.Add(1)
}

// end dates what may have changed, however the commit went. When it is in
// doubt and done only later, it is as if another process had done it.
func (w *write) end() {
	marked := w.at[:w.marked]
	if len(marked) == 0 {
		return
	}
	w.changes.date(marked...)
	for _, p := range marked {
		w.changes.at[p].underWay.Add(-1)
	}
	if w.changes.tell != nil {
		w.changes.tell(marked)
	}
	w.marked = 0
}

// appendPlaces adds the places of the rows of a table that a statement is
// about: those of its declared key, else of every row.
func appendPlaces(at []place, s *Stmt, table string, args []any) []place {
	for _, key := range s.keys {
		if key.Table != table {
			continue
		}
		value, err := plain(args[key.Param-1])
		if err != nil {
			break
		}
		switch v := value.(type) {
		case uuid:
			return append(at, placeOf(table, string(v[:])))
		case []uuid:
			for _, id := range v {
				at = append(at, placeOf(table, string(id[:])))
			}
			return at
		}
	}
	return append(at, every(table))
}

// alone marks what a statement changes that is a transaction of its own, until
// the function that it gives is called.
func (q querier) alone(s *Stmt, args []any) (end func()) {
	if len(s.sql.Writes) == 0 || q.write != nil {
		return func() {}
	}
	w := &write{changes: q.changes}
	w.add(s, args)
	w.mark()
	return w.end
}
