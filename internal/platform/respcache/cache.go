// Package respcache caches responses and drops one as soon as data that it was
// computed from changes. An entry expires after one second at the latest: that
// bounds how stale it can be when another process changed the data and its
// notification was lost. Concurrent requests for the same response are coalesced.
package respcache

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// maxAge is the maximum age of an entry, by the machine's clock.
const maxAge = time.Second

// entryOverhead is the approximate memory of an entry besides its key and value.
const entryOverhead = 1 << 10

// Options configure a Cache. DB, Clock and Metrics are required.
type Options struct {
	DB    *db.DB
	Clock domain.Clock // the clock of ValidBetween
	Bytes int64        // approximate maximum memory; 0 disables the cache

	// Wait limits how long a request waits for a concurrent computation before it
	// fails with db.ErrUnavailable; 2 s when zero.
	Wait    time.Duration
	Metrics prometheus.Registerer
}

// Key identifies a response. Responses that can differ for any other reason than
// their validity and the database must have different keys.
type Key struct {
	Kind string // label of the metric: one of a few
	ID   string // unique within the kind
}

// Value is a cached value. It is shared, so it must not be changed.
type Value interface {
	Bytes() int // approximate memory
}

// Cache caches responses. A nil Cache caches nothing.
type Cache struct {
	db      *db.DB
	clock   domain.Clock
	wait    time.Duration
	entries *otter.Cache[Key, *entry]
	results *prometheus.CounterVec

	mu       sync.Mutex
	inFlight map[Key]*computation
	counters map[string]*counters // by kind
}

// New returns a cache, or nil when it may use no memory.
func New(o Options) *Cache {
	if o.Bytes <= 0 {
		return nil
	}
	if o.Wait == 0 {
		o.Wait = 2 * time.Second
	}
	c := &Cache{
		db: o.DB, clock: o.Clock, wait: o.Wait, inFlight: map[Key]*computation{}, counters: map[string]*counters{},
		entries: otter.Must(&otter.Options[Key, *entry]{
			MaximumWeight: uint64(o.Bytes),
			Weigher:       func(k Key, e *entry) uint32 { return uint32(entryOverhead + len(k.ID) + e.value.Bytes()) },
		}),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_response_cache_total", Help: "Cacheable responses by kind and result: hit, coalesced with a concurrent request, or miss.",
		}, []string{"kind", "result"}),
	}
	o.Metrics.MustRegister(c.results)
	return c
}

// counters count the results of one kind.
type counters struct{ hit, coalesced, miss prometheus.Counter }

func (c *Cache) countersOf(kind string) *counters {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counters[kind]
	if n == nil {
		n = &counters{
			hit:       c.results.WithLabelValues(kind, "hit"),
			coalesced: c.results.WithLabelValues(kind, "coalesced"),
			miss:      c.results.WithLabelValues(kind, "miss"),
		}
		c.counters[kind] = n
	}
	return n
}

// entry is a cached response with its validity.
type entry struct {
	value    Value
	counters *counters
	trace    *db.Trace // the data that it was computed from
	validity
}

// validity is the window in which an entry may be served.
type validity struct {
	cacheable   bool      // ValidBetween or ValidAnyTime was called
	computedAt  time.Time // by the machine's clock
	from, until time.Time // by the service's clock; the zero time is no limit
}

// intersect narrows the window to its overlap with the other one.
func (v *validity) intersect(other validity) {
	if other.from.After(v.from) {
		v.from = other.from
	}
	if v.until.IsZero() || !other.until.IsZero() && other.until.Before(v.until) {
		v.until = other.until
	}
	if other.computedAt.Before(v.computedAt) {
		v.computedAt = other.computedAt
	}
}

// isValid reports whether the entry may be served now.
func (c *Cache) isValid(e *entry) bool {
	if time.Since(e.computedAt) >= maxAge {
		return false
	}
	now := c.clock.Now()
	return !now.Before(e.from) && (e.until.IsZero() || now.Before(e.until)) && e.trace.Fresh()
}

type validityKey struct{}

// ValidBetween makes the result of the current computation cacheable (see
// GetOrCompute): it is valid from one time until before the other, while the data
// that it was read from does not change. A zero time is no limit. The result must
// depend on nothing else but its key. Several calls intersect their windows.
// Outside of a computation it does nothing.
func ValidBetween(ctx context.Context, from, until time.Time) {
	if v, ok := ctx.Value(validityKey{}).(*validity); ok {
		v.cacheable = true
		v.intersect(validity{computedAt: v.computedAt, from: from, until: until})
	}
}

// ValidAnyTime is ValidBetween for a result that does not depend on the time.
func ValidAnyTime(ctx context.Context) { ValidBetween(ctx, time.Time{}, time.Time{}) }

// Get returns the cached value of a key while it is valid.
func Get[T Value](c *Cache, key Key) (value T, ok bool) {
	if c == nil {
		return value, false
	}
	e := c.get(key)
	if e == nil {
		return value, false
	}
	value, ok = e.value.(T)
	return value, ok
}

// GetOrCompute returns the cached value of a key, or computes it. The value is
// cached when compute returned no error and called ValidBetween or ValidAnyTime.
// Concurrent callers share one computation when its value is cacheable and still
// valid. An outer computation that calls GetOrCompute is valid only while this value is.
func GetOrCompute[T Value](ctx context.Context, c *Cache, key Key, compute func(context.Context) (T, error)) (T, error) {
	if c == nil {
		return compute(ctx)
	}
	e, err := c.getOrCompute(ctx, key, func(ctx context.Context) (Value, error) { return compute(ctx) })
	if e == nil {
		var none T
		return none, err
	}
	if outer, ok := ctx.Value(validityKey{}).(*validity); ok {
		outer.intersect(e.validity)
	}
	db.Include(ctx, e.trace)
	return e.value.(T), err
}

// get returns the valid entry of a key, or nil.
func (c *Cache) get(key Key) *entry {
	e, ok := c.entries.GetIfPresent(key)
	if !ok || !c.isValid(e) {
		return nil
	}
	e.counters.hit.Inc()
	return e
}

// computation is a running computation. Concurrent callers wait for it.
type computation struct {
	done     chan struct{}
	entry    *entry // nil when it is not cacheable
	canceled bool   // its caller hung up
}

// getOrCompute returns a valid entry, waits for a concurrent computation, or
// computes. The entry is nil only with an error.
//
// A computation that began before this call may have read older data, so its entry is
// used only if it is still valid. A computation that is found on the second try began
// after this call, so its entry is new enough in any case.
func (c *Cache) getOrCompute(ctx context.Context, key Key, compute func(context.Context) (Value, error)) (*entry, error) {
	for retry := false; ; retry = true {
		if e := c.get(key); e != nil {
			return e, nil
		}
		f, leads := c.join(key)
		if leads {
			return c.lead(ctx, key, f, compute)
		}
		if err := c.await(ctx, f); err != nil {
			return nil, err
		}
		switch {
		case f.entry != nil && (retry || c.isValid(f.entry)):
			f.entry.counters.coalesced.Inc()
			return f.entry, nil
		case f.entry == nil && !f.canceled:
			return c.compute(ctx, key, compute)
		}
	}
}

// join returns the running computation of a key, or begins a new one. leads reports
// that the caller must compute it.
func (c *Cache) join(key Key) (f *computation, leads bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if running := c.inFlight[key]; running != nil {
		return running, false
	}
	f = &computation{done: make(chan struct{})}
	c.inFlight[key] = f
	return f, true
}

func (c *Cache) await(ctx context.Context, f *computation) error {
	timer := time.NewTimer(c.wait)
	defer timer.Stop()
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("%w: a concurrent request computed the same response for %v", db.ErrUnavailable, c.wait)
	}
}

// lead computes for all waiting callers. It wakes them even after a panic.
func (c *Cache) lead(ctx context.Context, key Key, f *computation, compute func(context.Context) (Value, error)) (*entry, error) {
	defer func() {
		c.mu.Lock()
		delete(c.inFlight, key)
		c.mu.Unlock()
		close(f.done)
	}()
	e, err := c.compute(ctx, key, compute)
	if err == nil && e.cacheable {
		f.entry = e
	}
	f.canceled = f.entry == nil && ctx.Err() != nil
	return e, err
}

// compute computes an entry and stores it when it is cacheable.
func (c *Cache) compute(ctx context.Context, key Key, compute func(context.Context) (Value, error)) (*entry, error) {
	e := &entry{counters: c.countersOf(key.Kind), validity: validity{computedAt: time.Now()}}
	e.counters.miss.Inc()
	ctx, e.trace = c.db.Trace(context.WithValue(ctx, validityKey{}, &e.validity))
	var err error
	if e.value, err = compute(ctx); err == nil && e.cacheable && e.trace.Fresh() {
		c.entries.Set(key, e)
	}
	return e, err
}
