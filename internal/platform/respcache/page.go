// Package respcache keeps computed answers for as long as they hold, and no longer:
// until something that they were read from changes, until the moment that the
// room named, and for a second at most, which bounds what a change made by
// another process and not heard of can do. What many ask for at once is computed
// once.
package respcache

import (
	"context"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// maxAge bounds for how long an answer is given again, by the machine's clock.
const maxAge = time.Second

// Options are what a Cache needs.
type Options struct {
	DB    *db.DB
	Clock domain.Clock // what Keep's moments are measured by
	Bytes int64        // of memory, about; 0: nothing is kept
	// Wait bounds how long somebody waits for what another computes before it
	// is db.ErrUnavailable, as for a connection; 2 s when zero.
	Wait    time.Duration
	Metrics prometheus.Registerer
}

// Key names an answer. Two answers that may differ for another reason than what
// Keep and the database say must have different keys.
type Key struct {
	Kind string // of a few, for the metrics
	Of   string // which one of its kind
}

// Value is what a Cache keeps. Nobody may change it: many share it.
type Value interface {
	Bytes() int // of memory, about
}

// Cache keeps answers. A nil Cache keeps nothing, and Of only computes.
type Cache struct {
	db      *db.DB
	clock   domain.Clock
	wait    time.Duration
	entries *otter.Cache[Key, *entry]
	asked   *prometheus.CounterVec

	mu      sync.Mutex
	flights map[Key]*flight
	kinds   map[string]*kind
}

// New makes a cache, nil when it may take no memory.
func New(o Options) *Cache {
	if o.Bytes <= 0 {
		return nil
	}
	if o.Wait == 0 {
		o.Wait = 2 * time.Second
	}
	c := &Cache{
		db: o.DB, clock: o.Clock, wait: o.Wait, flights: map[Key]*flight{}, kinds: map[string]*kind{},
		entries: otter.Must(&otter.Options[Key, *entry]{
			MaximumWeight: uint64(o.Bytes),
			Weigher:       func(k Key, e *entry) uint32 { return uint32(entryBytes + len(k.Of) + e.value.Bytes()) },
		}),
		asked: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_response_cache_total", Help: "Cacheable responses by kind and result: hit, coalesced with a concurrent request, or miss.",
		}, []string{"kind", "result"}),
	}
	o.Metrics.MustRegister(c.asked)
	return c
}

// entryBytes is what an entry takes beside its key and value, about.
const entryBytes = 1 << 10

// kind counts the answers of one kind.
type kind struct{ again, shared, computed prometheus.Counter }

func (c *Cache) kind(name string) *kind {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.kinds[name]
	if k == nil {
		k = &kind{
			again:    c.asked.WithLabelValues(name, "hit"),
			shared:   c.asked.WithLabelValues(name, "coalesced"),
			computed: c.asked.WithLabelValues(name, "miss"),
		}
		c.kinds[name] = k
	}
	return k
}

// entry is an answer and what it depends on.
type entry struct {
	value Value
	kind  *kind
	trace *db.Trace
	life
}

// life is when an answer holds.
type life struct {
	kept        bool      // somebody said so
	born        time.Time // by the machine's clock
	from, until time.Time // by that of the service; zero: any time
}

// limit leaves of a life what another one has, too.
func (l *life) limit(other life) {
	if other.from.After(l.from) {
		l.from = other.from
	}
	if l.until.IsZero() || !other.until.IsZero() && other.until.Before(l.until) {
		l.until = other.until
	}
	if other.born.Before(l.born) {
		l.born = other.born
	}
}

// holds reports whether the entry can be given to who asks now.
func (c *Cache) holds(e *entry) bool {
	if time.Since(e.born) >= maxAge {
		return false
	}
	now := c.clock.Now()
	return !now.Before(e.from) && (e.until.IsZero() || now.Before(e.until)) && e.trace.Fresh()
}

// find gives what is kept under a key and holds, or nil.
func (c *Cache) find(key Key) *entry {
	e, ok := c.entries.GetIfPresent(key)
	if !ok || !c.holds(e) {
		return nil
	}
	e.kind.again.Inc()
	return e
}

// Find gives what is kept under a key and holds.
func Find[T Value](c *Cache, key Key) (value T, ok bool) {
	if c == nil {
		return value, false
	}
	e := c.find(key)
	if e == nil {
		return value, false
	}
	value, ok = e.value.(T)
	return value, ok
}

type lifeKey struct{}

// Keep tells that the result of the computation that ctx belongs to (see Of)
// holds at every moment from one until before another, the zero time for any
// one, while nothing that it read from the database has changed. It must depend
// on nothing else but its key. Without this call nothing is kept; outside of a
// computation it does nothing.
func Keep(ctx context.Context, from, until time.Time) {
	if l, ok := ctx.Value(lifeKey{}).(*life); ok {
		l.kept = true
		l.limit(life{born: l.born, from: from, until: until})
	}
}

// Timeless is Keep for a result that does not depend on the time.
func Timeless(ctx context.Context) { Keep(ctx, time.Time{}, time.Time{}) }

// Of gives the answer of a key: one that is kept and holds, or that of compute,
// which is kept when it said Keep and gave no error. Whoever asks while another
// computes the same is given that answer, unless something has changed since;
// an answer that is not kept is shared with nobody. Inside another computation
// the result depends on all that this one does.
func Of[T Value](ctx context.Context, c *Cache, key Key, compute func(context.Context) (T, error)) (T, error) {
	if c == nil {
		return compute(ctx)
	}
	e, err := c.of(ctx, key, func(ctx context.Context) (Value, error) { return compute(ctx) })
	if e == nil {
		var none T
		return none, err
	}
	if outer, ok := ctx.Value(lifeKey{}).(*life); ok {
		outer.limit(e.life)
	}
	db.Include(ctx, e.trace)
	return e.value.(T), err
}
