package respcache

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
)

// flight is a computation that others may wait for.
type flight struct {
	done   chan struct{}
	entry  *entry // nil when it gave nothing to keep
	gaveUp bool   // because its caller did
}

// of finds the answer, waits for it or computes it; the entry is nil only with
// an error.
//
// Somebody who waited for a computation that began before they asked takes its
// answer only when it still holds. The next one began after they asked, so its
// answer is good for them whatever has changed in between.
func (c *Cache) of(ctx context.Context, key Key, compute func(context.Context) (Value, error)) (*entry, error) {
	for late := false; ; late = true {
		if e := c.find(key); e != nil {
			return e, nil
		}
		f, leads := c.board(key)
		if leads {
			return c.lead(ctx, key, f, compute)
		}
		if err := c.await(ctx, f); err != nil {
			return nil, err
		}
		switch {
		case f.entry != nil && (late || c.holds(f.entry)):
			f.entry.kind.shared.Inc()
			return f.entry, nil
		case f.entry == nil && !f.gaveUp:
			return c.compute(ctx, key, compute)
		}
	}
}

// board gives the flight of a key, a new one when there is none.
func (c *Cache) board(key Key) (f *flight, leads bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if under := c.flights[key]; under != nil {
		return under, false
	}
	f = &flight{done: make(chan struct{})}
	c.flights[key] = f
	return f, true
}

func (c *Cache) await(ctx context.Context, f *flight) error {
	timer := time.NewTimer(c.wait)
	defer timer.Stop()
	select {
	case <-f.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return fmt.Errorf("%w: another request has computed the same for %v", db.ErrUnavailable, c.wait)
	}
}

// lead computes for all who wait, who hear of the end also after a panic.
func (c *Cache) lead(ctx context.Context, key Key, f *flight, compute func(context.Context) (Value, error)) (*entry, error) {
	defer func() {
		c.mu.Lock()
		delete(c.flights, key)
		c.mu.Unlock()
		close(f.done)
	}()
	e, err := c.compute(ctx, key, compute)
	if err == nil && e.kept {
		f.entry = e
	}
	f.gaveUp = f.entry == nil && ctx.Err() != nil
	return e, err
}

// compute makes an answer and keeps it if it may be.
func (c *Cache) compute(ctx context.Context, key Key, compute func(context.Context) (Value, error)) (*entry, error) {
	e := &entry{kind: c.kind(key.Kind), life: life{born: time.Now()}}
	e.kind.computed.Inc()
	ctx, e.trace = c.db.Trace(context.WithValue(ctx, lifeKey{}, &e.life))
	var err error
	if e.value, err = compute(ctx); err == nil && e.kept && e.trace.Fresh() {
		c.entries.Set(key, e)
	}
	return e, err
}
