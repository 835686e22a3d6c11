package ratelimit

import (
	"context"
	"sync"
	"time"

	"moothall/internal/platform/db"
)

// Store stores for each key the time at which its whole quota is available again
// (the theoretical arrival time of GCRA). An unknown key has its whole quota.
type Store interface {
	// Take decides on n operations together. Concurrent decisions are serialized.
	Take(ctx context.Context, k Key, q Quota, n int, now time.Time) (free time.Time, ok bool, err error)
	// Refund undoes n operations that were taken.
	Refund(ctx context.Context, k Key, q Quota, n int) error
	// Purge removes keys whose whole quota is available.
	Purge(ctx context.Context, now time.Time) (int64, error)
}

// skew is how far the clocks of instances may differ. A wrong clock has written any
// stored time that is further in the future.
const skew = time.Minute

// take decides on n operations together; takeStmt is the same rule in SQL.
func (q Quota) take(free time.Time, n int, now time.Time) (after time.Time, ok bool) {
	cost := q.cost(n)
	switch {
	case free.After(now.Add(q.full() + skew)):
		return now.Add(q.full()), false
	case free.After(now.Add(q.full() - cost)):
		return free, false
	case free.Before(now):
		free = now
	}
	return free.Add(cost), true
}

// Memory is a store in this process.
type Memory struct {
	mu      sync.Mutex
	free    map[Key]int64 // in microseconds: the garbage collector skips a map without pointers
	maxKeys int
	purgeAt int // number of keys at which the next purge is due
}

const (
	minPurge = 1 << 12 // below this number of keys a purge is not worthwhile
	maxKeys  = 1 << 20 // about 50 MB
)

// NewMemory returns an empty store.
func NewMemory() *Memory { return &Memory{free: map[Key]int64{}, maxKeys: maxKeys, purgeAt: minPurge} }

// Take implements Store.
func (m *Memory) Take(_ context.Context, k Key, q Quota, n int, now time.Time) (free time.Time, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	free, ok = q.take(time.UnixMicro(m.free[k]), n, now)
	m.free[k] = free.UnixMicro()
	if len(m.free) >= m.purgeAt {
		m.purge(now)
	}
	return free, ok, nil
}

// Refund implements Store.
func (m *Memory) Refund(_ context.Context, k Key, q Quota, n int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if free, known := m.free[k]; known {
		m.free[k] = free - q.cost(n).Microseconds()
	}
	return nil
}

// Purge implements Store.
func (m *Memory) Purge(_ context.Context, now time.Time) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.purge(now), nil
}

// purge runs when the number of keys has doubled. When more than half of maxKeys
// are in use, it removes random keys: a flood of new keys removes mostly itself.
func (m *Memory) purge(now time.Time) (n int64) {
	before := len(m.free)
	for k, free := range m.free {
		if free <= now.UnixMicro() {
			delete(m.free, k)
		}
	}
	for k := range m.free {
		if len(m.free) <= m.maxKeys/2 {
			break
		}
		delete(m.free, k)
	}
	m.purgeAt = min(max(minPurge, 2*len(m.free)), m.maxKeys)
	return int64(before - len(m.free))
}

// Table is a store in PostgreSQL, where all instances count together.
type Table struct{ db *db.DB }

// NewTable returns a store on PostgreSQL.
func NewTable(d *db.DB) *Table { return &Table{d} }

// takeStmt decides like Quota.take in one statement. The lock of the row serializes
// decisions on one key.
var takeStmt = db.SQL("ratelimit.take", `
	INSERT INTO rate_limits (key, free_at, allowed) VALUES ($1, $2, TRUE)
	ON CONFLICT (key) DO UPDATE SET
		allowed = rate_limits.free_at <= $4,
		free_at = CASE
			WHEN rate_limits.free_at > $5 THEN $6
			WHEN rate_limits.free_at > $4 THEN rate_limits.free_at
			WHEN rate_limits.free_at < $3 THEN excluded.free_at
			ELSE rate_limits.free_at + $7 END
	RETURNING free_at, allowed`)

// Take implements Store.
func (t *Table) Take(ctx context.Context, k Key, q Quota, n int, now time.Time) (free time.Time, ok bool, err error) {
	full, cost := now.Add(q.full()), q.cost(n)
	err = t.db.One(ctx, takeStmt, k[:], now.Add(cost), now, full.Add(-cost), full.Add(skew), full, cost.Microseconds()).
		Scan(&free, &ok)
	return free, ok, err
}

var refundStmt = db.SQL("ratelimit.give_back", `UPDATE rate_limits SET free_at = free_at - $2 WHERE key = $1`)

// Refund implements Store.
func (t *Table) Refund(ctx context.Context, k Key, q Quota, n int) error {
	_, err := t.db.Exec(ctx, refundStmt, k[:], q.cost(n).Microseconds())
	return err
}

var purgeStmt = db.SQL("ratelimit.purge", `DELETE FROM rate_limits WHERE free_at <= $1`)

// Purge implements Store. It scans the whole table: an index on times that change
// with every decision would cost more.
func (t *Table) Purge(ctx context.Context, now time.Time) (int64, error) {
	return t.db.Exec(ctx, purgeStmt, now)
}
