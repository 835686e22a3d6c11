// Package cache keeps values in memory until the entities that they show change (see
// db.Entity). Values are shared: nobody may modify them.
package cache

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// entryOverhead is the approximate memory of an entry besides its value.
const entryOverhead = 200

// Memory divides the memory of an instance among its caches and counts their results.
type Memory struct {
	db      *db.DB
	clock   domain.Clock
	bytes   int64
	metrics metrics
}

// NewMemory returns the memory of the caches of a database, approximately bytes in all; 0
// disables them. clock is the clock of Until.
func NewMemory(d *db.DB, clock domain.Clock, bytes int64, registerer prometheus.Registerer) *Memory {
	d.FollowChanges()
	return &Memory{db: d, clock: clock, bytes: bytes, metrics: newMetrics(registerer)}
}

// store keeps values by key and drops those that were used least when their weight
// exceeds a limit. Every package that uses an instance of the generic otter.Cache compiles a
// copy of it. So this interface hides the instances, and newEntryStore and newResponseStore are
// not generic.
type store[K comparable] interface {
	GetIfPresent(key K) (value any, ok bool)
	Set(key K, value any) (any, bool)
	sized
}

// EntryKey is a key of Entries as the store has it.
type EntryKey [16]byte

// IDKey returns the EntryKey of a domain.ID.
func IDKey[ID ~[16]byte](id ID) EntryKey { return EntryKey(id) }

// NumberKey returns the EntryKey of a number.
func NumberKey(n int64) (key EntryKey) {
	binary.BigEndian.PutUint64(key[:], uint64(n))
	return key
}

func newEntryStore(weight float64, weigh func(value any) uint32) store[EntryKey] {
	return otter.Must(&otter.Options[EntryKey, any]{
		MaximumWeight: uint64(weight), Weigher: func(_ EntryKey, value any) uint32 { return weigh(value) },
	})
}

func newResponseStore(weight float64, weigh func(key ResponseKey, value any) uint32) store[ResponseKey] {
	return otter.Must(&otter.Options[ResponseKey, any]{MaximumWeight: uint64(weight), Weigher: weigh})
}

// Value is a cached value.
type Value interface {
	Entities() []db.Entity // that the value shows
	Bytes() int            // approximate memory
}

// Entries is a cache of values by key, such as event cards by the id of their event.
// Without memory it caches nothing.
type Entries[K comparable, V Value] struct {
	db        *db.DB
	key       func(K) EntryKey
	load      func(context.Context, []K) (map[K]V, error)
	entries   store[EntryKey] // of *entry[V]; nil: without memory
	hit, miss prometheus.Counter
}

type entry[V Value] struct {
	value        V
	version      db.Version // at which it was read
	dependencies db.Dependencies
}

// NewEntries returns a cache that uses a share of the memory, from 0 to 1; m may be nil.
// key returns different keys of the store for different keys. load reads the values of keys from the database, all
// with one statement, and not in a snapshot that began before. A key without a value is missing in its result.
func NewEntries[K comparable, V Value](m *Memory, name string, share float64, key func(K) EntryKey,
	load func(context.Context, []K) (map[K]V, error)) *Entries[K, V] {
	c := &Entries[K, V]{key: key, load: load}
	if m == nil || m.bytes == 0 {
		return c
	}
	c.db, c.hit, c.miss = m.db, m.metrics.lookups.WithLabelValues(name, "hit"), m.metrics.lookups.WithLabelValues(name, "miss")
	c.entries = newEntryStore(share*float64(m.bytes), func(e any) uint32 { return uint32(entryOverhead + e.(*entry[V]).value.Bytes()) })
	m.metrics.add(name, c.entries)
	return c
}

// Get returns the values of keys, in their order: the zero V for a key without a value.
// It loads those that are not cached, all at once.
func (c *Entries[K, V]) Get(ctx context.Context, keys ...K) ([]V, error) {
	values := make([]V, len(keys))
	missing := keys
	if c.entries != nil && !isBypassed(ctx) {
		missing = c.cached(keys, values)
	}
	if len(missing) == 0 {
		return values, nil
	}
	loaded, err := c.loadMissing(ctx, missing)
	for i, key := range keys {
		if value, ok := loaded[key]; ok {
			values[i] = value
		}
	}
	return values, err
}

// cached sets the values that are cached and returns the keys of the others.
func (c *Entries[K, V]) cached(keys []K, values []V) (missing []K) {
	for i, key := range keys {
		found, _ := c.entries.GetIfPresent(c.key(key))
		if e, ok := found.(*entry[V]); ok && c.db.Unchanged(e.version, e.dependencies) {
			values[i] = e.value
		} else {
			missing = append(missing, key)
		}
	}
	c.hit.Add(float64(len(keys) - len(missing)))
	c.miss.Add(float64(len(missing)))
	return missing
}

func (c *Entries[K, V]) loadMissing(ctx context.Context, keys []K) (map[K]V, error) {
	if c.entries == nil {
		return c.load(ctx, keys)
	}
	version := c.db.Version()
	loaded, err := c.load(ctx, keys)
	for key, value := range loaded {
		c.entries.Set(c.key(key), &entry[V]{value, version, db.DependOn(value.Entities()...)})
	}
	return loaded, err
}

type bypassKey struct{}

// Bypass returns a context for a request that must see the latest change of another
// process: caches load every value from the database.
func Bypass(ctx context.Context) context.Context { return context.WithValue(ctx, bypassKey{}, true) }

func isBypassed(ctx context.Context) bool { return ctx.Value(bypassKey{}) != nil }

type untilKey struct{}

// window is how long a computed response may be served, by the service's clock. While it is computed, its parts may be concurrent.
type window struct {
	mu          sync.Mutex
	cacheable   bool
	excluded    bool      // and so not cacheable, whatever else
	from, until time.Time // the zero time is no limit
}

// Until makes the response of the current computation cacheable (see Responses): until a time,
// or without a limit if that is zero. The earliest time of several calls counts. Outside
// of a computation it does nothing.
func Until(ctx context.Context, until time.Time) {
	w, ok := ctx.Value(untilKey{}).(*window)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cacheable = true
	if w.until.IsZero() || !until.IsZero() && until.Before(w.until) {
		w.until = until
	}
}

// UntilNext is Until the next time, in UTC, that is a multiple of a duration.
func UntilNext(ctx context.Context, d time.Duration) {
	if w, ok := ctx.Value(untilKey{}).(*window); ok {
		Until(ctx, w.from.Truncate(d).Add(d))
	}
}

// Exclude makes the response of the current computation not cacheable. Outside of a computation
// it does nothing.
func Exclude(ctx context.Context) {
	if w, ok := ctx.Value(untilKey{}).(*window); ok {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.excluded = true
	}
}

// narrow ends the response of the current computation with a response that it contains, which must
// be complete.
func narrow(ctx context.Context, part *window) {
	if part.shared() {
		Until(ctx, part.until)
	} else {
		Exclude(ctx)
	}
}

func (w *window) includes(now time.Time) bool {
	return !now.Before(w.from) && (w.until.IsZero() || now.Before(w.until))
}
