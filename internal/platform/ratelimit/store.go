package ratelimit

import (
	"context"
	"sync"
	"time"
)

// Store remembers for each key when its whole quota is free again (GCRA calls
// it the theoretical arrival time); a key that it does not know is free.
type Store interface {
	// Take decides on one operation, for any number of callers at once as if
	// they came one after the other.
	Take(ctx context.Context, k Key, q Quota, now time.Time) (free time.Time, ok bool, err error)
	// GiveBack undoes one operation that was taken.
	GiveBack(ctx context.Context, k Key, q Quota) error
	// Purge forgets keys whose quota is free.
	Purge(ctx context.Context, now time.Time) (int64, error)
}

// skew is how far the clocks of instances may be apart. A moment that lies
// further ahead than that was written by a clock that went wrong.
const skew = time.Minute

// take is the rule: takeStmt says the same in SQL.
func (q Quota) take(free, now time.Time) (after time.Time, ok bool) {
	switch {
	case free.After(now.Add(q.full() + skew)):
		return now.Add(q.full()), false
	case free.After(now.Add(q.full() - q.step())):
		return free, false
	case free.Before(now):
		free = now
	}
	return free.Add(q.step()), true
}

// Memory keeps the state in this process.
type Memory struct {
	mu    sync.Mutex
	free  map[Key]int64 // in microseconds, which cost the collector nothing
	most  int           // keys that are kept
	limit int           // at this size the next purge is due
}

const (
	fewKeys  = 1 << 12 // below that it is not worth looking for free ones
	mostKeys = 1 << 20 // about 50 MB
)

// NewMemory makes an empty store.
func NewMemory() *Memory { return &Memory{free: map[Key]int64{}, most: mostKeys, limit: fewKeys} }

// Take implements Store.
func (m *Memory) Take(_ context.Context, k Key, q Quota, now time.Time) (free time.Time, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	free, ok = q.take(time.UnixMicro(m.free[k]), now)
	m.free[k] = free.UnixMicro()
	if len(m.free) >= m.limit {
		m.purge(now)
	}
	return free, ok, nil
}

// GiveBack implements Store.
func (m *Memory) GiveBack(_ context.Context, k Key, q Quota) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if free, known := m.free[k]; known {
		m.free[k] = free - q.step().Microseconds()
	}
	return nil
}

// Purge implements Store.
func (m *Memory) Purge(_ context.Context, now time.Time) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.purge(now), nil
}

// purge keeps the map bounded: it runs when the number of keys has doubled. If
// too many of them are in use, keys that chance picks are forgotten; a flood of
// new ones forgets mostly itself.
func (m *Memory) purge(now time.Time) (n int64) {
	before := len(m.free)
	for k, free := range m.free {
		if free <= now.UnixMicro() {
			delete(m.free, k)
		}
	}
	for k := range m.free {
		if len(m.free) <= m.most/2 {
			break
		}
		delete(m.free, k)
	}
	m.limit = min(max(fewKeys, 2*len(m.free)), m.most)
	return int64(before - len(m.free))
}
