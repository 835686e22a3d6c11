package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"moothall/internal/platform/db"
)

// waitForResponse limits how long a request waits for a concurrent computation of its response.
const waitForResponse = time.Second

// Responses caches computed responses. A response depends on all entities of some kinds, so that
// none can be missed. Concurrent requests for the same response share one computation. A nil
// Responses caches nothing.
type Responses[V interface{ Bytes() int }] struct {
	*Memory
	entries store[ResponseKey] // of *response[V]

	mu       sync.Mutex
	inFlight map[ResponseKey]*computation[V]
}

// ResponseKey identifies a response.
type ResponseKey struct {
	Kind string // label of the metric: one of a few
	ID   string // unique within the kind
}

type response[V any] struct {
	value        V
	version      db.Version
	dependencies db.Dependencies
	window
}

// NewResponses returns a cache that uses a share of the memory, from 0 to 1, or nil without
// memory.
func NewResponses[V interface{ Bytes() int }](m *Memory, share float64) *Responses[V] {
	if m == nil || m.bytes == 0 {
		return nil
	}
	c := &Responses[V]{
		Memory: m, inFlight: map[ResponseKey]*computation[V]{},
		entries: newResponseStore(share*float64(m.bytes), func(k ResponseKey, p any) uint32 {
			return uint32(entryOverhead + len(k.ID) + p.(*response[V]).value.Bytes())
		}),
	}
	m.metrics.add("responses", c.entries)
	return c
}

// Get returns the cached response of a key. The response of the current computation, if any, contains
// it and ends with it.
func (c *Responses[V]) Get(ctx context.Context, key ResponseKey) (value V, ok bool) {
	if c == nil {
		return value, false
	}
	found, _ := c.entries.GetIfPresent(key)
	p, ok := found.(*response[V])
	if !ok || !c.isValid(p) {
		return value, false
	}
	c.count(key, "hit")
	narrow(ctx, &p.window)
	return p.value, true
}

func (c *Responses[V]) count(key ResponseKey, result string) {
	c.metrics.lookups.WithLabelValues(key.Kind, result).Inc()
}

func (c *Responses[V]) isValid(p *response[V]) bool {
	return p.includes(c.clock.Now()) && c.db.Unchanged(p.version, p.dependencies)
}

// shared reports whether other callers may get the response.
func (w *window) shared() bool { return w.cacheable && !w.excluded }

// computation is a running computation. Concurrent callers wait for it.
type computation[V any] struct {
	done chan struct{}
	response[V]
	computed bool  // without an error
	failed   error // why the database did not answer
	canceled bool  // its caller hung up
}

// GetOrCompute returns the cached response of a key, or computes it. The response is cached when
// compute returns no error and has called Until. It must depend on nothing but the key,
// the time and the entities of the kinds.
//
// A computation that began before this call may have read older data, so its response is used
// only if it is still valid. A computation that is found on the second try began after
// this call, so its response is new enough in any case. A computation that fails with
// db.ErrUnavailable fails for all that wait for it.
func (c *Responses[V]) GetOrCompute(ctx context.Context, key ResponseKey, kinds []db.Kind,
	compute func(context.Context) (V, error)) (value V, err error) {
	if c == nil {
		Exclude(ctx)
		return compute(ctx)
	}
	for retry := false; ; retry = true {
		if value, ok := c.Get(ctx, key); ok {
			return value, nil
		}
		f, leads := c.join(key)
		if leads {
			return c.lead(ctx, key, kinds, f, compute)
		}
		if err := await(ctx, f.done); err != nil {
			return value, err
		}
		switch {
		case f.failed != nil:
			return value, f.failed // it would not answer this request either
		case f.computed && f.shared() && (retry || c.isValid(&f.response)):
			c.count(key, "coalesced")
			narrow(ctx, &f.window)
			return f.value, nil
		case !f.canceled && !(f.computed && f.shared()):
			Exclude(ctx)
			return compute(ctx)
		}
	}
}

// join returns the running computation of a key, or begins one. leads reports that the
// caller must compute it.
func (c *Responses[V]) join(key ResponseKey) (f *computation[V], leads bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if running := c.inFlight[key]; running != nil {
		return running, false
	}
	f = &computation[V]{done: make(chan struct{})}
	c.inFlight[key] = f
	return f, true
}

func await(ctx context.Context, done <-chan struct{}) error {
	timer := time.NewTimer(waitForResponse)
	defer timer.Stop()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("%w: a concurrent request computed the same response for %v", db.ErrUnavailable, waitForResponse)
	}
}

// lead computes for all waiting callers. It wakes them even after a panic.
func (c *Responses[V]) lead(ctx context.Context, key ResponseKey, kinds []db.Kind, f *computation[V],
	compute func(context.Context) (V, error)) (value V, err error) {
	defer func() {
		f.canceled = ctx.Err() != nil
		c.mu.Lock()
		delete(c.inFlight, key)
		c.mu.Unlock()
		close(f.done)
	}()
	c.count(key, "miss")
	all := make([]db.Entity, len(kinds))
	for i, kind := range kinds {
		all[i] = kind.All()
	}
	f.version, f.dependencies, f.from = c.db.Version(), db.DependOn(all...), c.clock.Now()
	f.value, err = compute(context.WithValue(ctx, untilKey{}, &f.window))
	f.computed = err == nil
	if errors.Is(err, db.ErrUnavailable) && ctx.Err() == nil {
		f.failed = err
	}
	if !f.computed {
		Exclude(ctx)
		return f.value, err
	}
	narrow(ctx, &f.window)
	if f.shared() && c.isValid(&f.response) {
		c.entries.Set(key, &f.response)
	}
	return f.value, err
}
