package db

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"sync"
	"sync/atomic"
	"time"
)

// An Entity is a thing that responses show and that changes as a whole: an event, a
// profile. A transaction names the entities that it changes (Tx.Changed). A cache keeps
// a value as long as the versions of its entities stay the same.
//
// The versions are counters in the memory of each process. Entities share a fixed number
// of counters by hash: entities with the same counter only cause more cache misses.
// follow.go keeps the counters of several processes together.
type Entity struct {
	kind Kind
	id   [16]byte // zero: all entities of the kind
}

// Kind is a kind of entities, such as "event".
type Kind string

// Of returns the entity with an id.
func (k Kind) Of(id [16]byte) Entity { return Entity{k, id} }

// All returns all entities of the kind.
func (k Kind) All() Entity { return Entity{kind: k} }

// Version is a point in the order of all changes.
type Version uint64

// Dependencies are the entities that a cached value shows.
type Dependencies []versionCell

// DependOn returns the dependencies of a value that shows these entities.
func DependOn(entities ...Entity) Dependencies {
	all := make(Dependencies, 0, 1+2*len(entities))
	all = append(all, everything)
	for _, e := range entities {
		if e.id == [16]byte{} {
			all = append(all, e.kind.anyCell())
		} else {
			all = append(all, e.cell(), e.kind.allCell())
		}
	}
	return all
}

// versionCell is the index of a counter.
type versionCell uint16

// everything is advanced when any entity may have changed.
const everything versionCell = 0

// cell returns the counter of one entity. The last bytes of an id are random.
func (e Entity) cell() versionCell {
	return nonZero(crc32.ChecksumIEEE([]byte(e.kind)) ^ binary.LittleEndian.Uint32(e.id[12:]))
}

// anyCell is advanced with every change of the kind.
func (k Kind) anyCell() versionCell { return nonZero(crc32.ChecksumIEEE([]byte(k + "*"))) }

// allCell is advanced when all entities of the kind may have changed.
func (k Kind) allCell() versionCell { return nonZero(crc32.ChecksumIEEE([]byte(k + "="))) }

func nonZero(hash uint32) versionCell { return versionCell(1 + hash%(1<<16-1)) }

// changedCells appends the counters that a change of the entity advances.
func (e Entity) changedCells(cells []versionCell) []versionCell {
	if e.id == [16]byte{} {
		return append(cells, e.kind.anyCell(), e.kind.allCell())
	}
	return append(cells, e.kind.anyCell(), e.cell())
}

// versions are the counters of one process.
type versions struct {
	now      atomic.Uint64 // the latest version, from 1
	counters [1 << 16]counter

	// trustedUntil is how long the process may trust the counters, by sinceStart.
	trustedUntil atomic.Int64

	mu         sync.Mutex
	committing map[*changes][]versionCell // announced changes of running transactions
}

type counter struct {
	changed    atomic.Uint64 // the version of the last change
	committing atomic.Int32  // transactions that may be committing a change
}

func newVersions() *versions {
	v := &versions{committing: map[*changes][]versionCell{}}
	v.now.Store(1)
	return v
}

var start = time.Now()

// sinceStart is the monotonic time since the start of the process.
func sinceStart() time.Duration { return time.Since(start) }

// trusted reports whether the process knows the changes of other processes.
func (v *versions) trusted() bool { return int64(sinceStart()) < v.trustedUntil.Load() }

// advance records a change. The new version becomes visible last: who reads it also
// finds every counter advanced.
func (v *versions) advance(cells ...versionCell) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now.Load() + 1
	for _, cell := range cells {
		v.counters[cell].changed.Store(now)
	}
	v.now.Store(now)
}

// Version returns the current version: the one to remember before a value is read.
func (d *DB) Version() Version { return Version(d.versions.now.Load()) }

// Unchanged reports whether a value that was read at a version is still right: no
// entity has changed since, and none may be changed by a running commit. It returns
// false while the changes of other processes are unknown.
func (d *DB) Unchanged(since Version, of Dependencies) bool {
	if !d.versions.trusted() {
		return false
	}
	for _, cell := range of {
		c := &d.versions.counters[cell]
		if c.committing.Load() != 0 || c.changed.Load() > uint64(since) {
			return false
		}
	}
	return true
}

// Trusted reports whether the process knows the changes of other processes. If it does not,
// Unchanged returns false for everything.
func (d *DB) Trusted() bool { return d.versions.trusted() }

// OnChanged sets a function that is called at the end of each transaction that changes
// entities. It may queue statements.
func (d *DB) OnChanged(fn func(ctx context.Context, tx Tx)) { d.onChanged.set(fn) }

// changes are the counters that one transaction advances.
type changes struct {
	versions  *versions
	cells     []versionCell
	announced int // the length of the announced part of cells
}

// announce says, right before the commit, that the entities may change.
func (c *changes) announce() {
	for _, cell := range c.cells[c.announced:] {
		c.versions.counters[cell].committing.Add(1)
	}
	c.announced = len(c.cells)
	c.versions.mu.Lock()
	defer c.versions.mu.Unlock()
	c.versions.committing[c] = c.cells
}

// end advances the announced counters, whatever the outcome of the commit.
func (c *changes) end() {
	announced := c.cells[:c.announced]
	c.versions.advance(announced...)
	for _, cell := range announced {
		c.versions.counters[cell].committing.Add(-1)
	}
	c.versions.mu.Lock()
	defer c.versions.mu.Unlock()
	delete(c.versions.committing, c)
}

func (v *versions) isCommitting() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.committing) > 0
}

// addCommitting adds the cells of running commits to a set.
func (v *versions) addCommitting(set map[versionCell]bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, cells := range v.committing {
		for _, cell := range cells {
			set[cell] = true
		}
	}
}
