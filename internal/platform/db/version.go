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
// watch.go keeps the counters of several processes together.
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
type Dependencies []slot

// DependOn returns the dependencies of a value that shows these entities.
func DependOn(entities ...Entity) Dependencies {
	all := make(Dependencies, 0, 1+2*len(entities))
	all = append(all, everything)
	for _, e := range entities {
		if e.id == [16]byte{} {
			all = append(all, e.kind.anySlot())
		} else {
			all = append(all, e.slot(), e.kind.allSlot())
		}
	}
	return all
}

// slot is the index of a counter.
type slot uint16

// everything is advanced when any entity may have changed.
const everything slot = 0

// slot returns the counter of one entity. The last bytes of an id are random.
func (e Entity) slot() slot {
	return nonZero(crc32.ChecksumIEEE([]byte(e.kind)) ^ binary.LittleEndian.Uint32(e.id[12:]))
}

// anySlot is advanced with every change of the kind.
func (k Kind) anySlot() slot { return nonZero(crc32.ChecksumIEEE([]byte(k + "*"))) }

// allSlot is advanced when all entities of the kind may have changed.
func (k Kind) allSlot() slot { return nonZero(crc32.ChecksumIEEE([]byte(k + "="))) }

func nonZero(hash uint32) slot { return slot(1 + hash%(1<<16-1)) }

// changedSlots appends the counters that a change of the entity advances.
func (e Entity) changedSlots(slots []slot) []slot {
	if e.id == [16]byte{} {
		return append(slots, e.kind.anySlot(), e.kind.allSlot())
	}
	return append(slots, e.kind.anySlot(), e.slot())
}

// versions are the counters of one process.
type versions struct {
	now      atomic.Uint64 // the latest version, from 1
	counters [1 << 16]counter

	// trustedUntil is how long the process may trust the counters, by sinceStart.
	trustedUntil atomic.Int64

	mu         sync.Mutex
	committing map[*changes][]slot // announced changes of running transactions
}

type counter struct {
	changed    atomic.Uint64 // the version of the last change
	committing atomic.Int32  // transactions that may be committing a change
}

func newVersions() *versions {
	v := &versions{committing: map[*changes][]slot{}}
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
func (v *versions) advance(slots ...slot) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now.Load() + 1
	for _, s := range slots {
		v.counters[s].changed.Store(now)
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
	for _, s := range of {
		c := &d.versions.counters[s]
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
	slots     []slot
	announced int // the length of the announced part of slots
}

// announce says, right before the commit, that the entities may change.
func (c *changes) announce() {
	for _, s := range c.slots[c.announced:] {
		c.versions.counters[s].committing.Add(1)
	}
	c.announced = len(c.slots)
	c.versions.mu.Lock()
	defer c.versions.mu.Unlock()
	c.versions.committing[c] = c.slots
}

// end advances the announced counters, whatever the outcome of the commit.
func (c *changes) end() {
	announced := c.slots[:c.announced]
	c.versions.advance(announced...)
	for _, s := range announced {
		c.versions.counters[s].committing.Add(-1)
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

// addCommitting adds the slots of running commits to a set.
func (v *versions) addCommitting(set map[slot]bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, slots := range v.committing {
		for _, s := range slots {
			set[s] = true
		}
	}
}
