package change

import (
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/platform/observe"
)

// Version is a point in the order of all changes.
type Version uint64

const (
	// TrustTime is how long a process trusts its versions after it last knew all changes.
	TrustTime = 400 * time.Millisecond

	// DoubtTime is how long after a commit in doubt, or after the end of a process, its
	// changes may appear.
	DoubtTime = 10 * time.Second
)

// Versions are the counters of one process.
type Versions struct {
	now      atomic.Uint64 // the latest version, from 1
	counters [1 << 16]counter

	// trustedUntil is how long the process may trust the counters, by observe.Uptime.
	trustedUntil atomic.Int64

	mu         sync.Mutex
	committing map[*Changes][]Cell // announced changes of running transactions
}

type counter struct {
	changed    atomic.Uint64 // the version of the last change
	committing atomic.Int32  // transactions that may be committing a change
}

// NewVersions returns counters that are not trusted yet.
func NewVersions() *Versions {
	v := &Versions{committing: map[*Changes][]Cell{}}
	v.now.Store(1)
	return v
}

// Now returns the current version: the one to remember before a value is read.
func (v *Versions) Now() Version { return Version(v.now.Load()) }

// Unchanged reports whether a value that was read at a version is still right: no
// entity has changed since, and none may be changed by a running commit. It returns
// false while the changes of other processes are unknown.
func (v *Versions) Unchanged(since Version, of Dependencies) bool {
	if !v.Trusted() {
		return false
	}
	for _, cell := range of {
		if v.counters[cell].committing.Load() != 0 || v.ChangedSince(since, cell) {
			return false
		}
	}
	return true
}

// ChangedSince reports whether a counter has advanced since a version.
func (v *Versions) ChangedSince(since Version, cell Cell) bool {
	return v.counters[cell].changed.Load() > uint64(since)
}

// Trusted reports whether the process knows the changes of other processes.
func (v *Versions) Trusted() bool { return observe.Uptime() < v.TrustedUntil() }

// TrustedUntil returns how long the counters may be trusted, by observe.Uptime.
func (v *Versions) TrustedUntil() time.Duration { return time.Duration(v.trustedUntil.Load()) }

// Trust lets the counters be trusted until a time of observe.Uptime. 0 ends the trust.
func (v *Versions) Trust(until time.Duration) { v.trustedUntil.Store(int64(until)) }

// Advance records a change. The new version becomes visible last: who reads it also
// finds every counter advanced.
func (v *Versions) Advance(cells ...Cell) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.now.Load() + 1
	for _, cell := range cells {
		v.counters[cell].changed.Store(now)
	}
	v.now.Store(now)
}

// IsCommitting reports whether a transaction with announced changes is running.
func (v *Versions) IsCommitting() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.committing) > 0
}

// AddCommitting adds the cells of running commits to a set.
func (v *Versions) AddCommitting(set map[Cell]bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, cells := range v.committing {
		for _, cell := range cells {
			set[cell] = true
		}
	}
}

// Changes are the counters that one transaction advances.
type Changes struct {
	versions  *Versions
	cells     []Cell
	announced int // the length of the announced part of cells
}

// NewChanges returns the changes of a transaction that has not named any.
func (v *Versions) NewChanges() *Changes { return &Changes{versions: v} }

// Add names entities that the transaction changes.
func (c *Changes) Add(entities ...Entity) {
	for _, e := range entities {
		c.cells = e.AppendCells(c.cells)
	}
}

// Cells returns the counters of the named entities.
func (c *Changes) Cells() []Cell { return c.cells }

// Announced returns the counters of the entities that Announce has announced.
func (c *Changes) Announced() []Cell { return c.cells[:c.announced] }

// Announce says, right before the commit, that the entities may change.
func (c *Changes) Announce() {
	for _, cell := range c.cells[c.announced:] {
		c.versions.counters[cell].committing.Add(1)
	}
	c.announced = len(c.cells)
	c.versions.mu.Lock()
	defer c.versions.mu.Unlock()
	c.versions.committing[c] = c.cells
}

// End advances the announced counters, whatever the outcome of the commit.
func (c *Changes) End() {
	announced := c.Announced()
	c.versions.Advance(announced...)
	for _, cell := range announced {
		c.versions.counters[cell].committing.Add(-1)
	}
	c.versions.mu.Lock()
	defer c.versions.mu.Unlock()
	delete(c.versions.committing, c)
}
