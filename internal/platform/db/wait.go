package db

import (
	"context"
	"slices"
	"sync/atomic"
	"time"
)

// LeastWait is how long a request may at least wait for a connection or the write lock,
// unless Options.Wait is shorter.
const LeastWait = 100 * time.Millisecond

type waitedKey struct{}

// Waited returns a context for a request that has already waited, for example for its turn.
// By as much its statements wait less for a connection or the write lock, so that a
// request is refused soon even if it must wait for both.
func Waited(ctx context.Context, waited time.Duration) context.Context {
	return context.WithValue(ctx, waitedKey{}, waited)
}

// remainingWait returns how long a statement may wait, of the time that is usual.
func remainingWait(ctx context.Context, usual time.Duration) time.Duration {
	waited, _ := ctx.Value(waitedKey{}).(time.Duration)
	return max(usual-waited, min(usual, LeastWait))
}

type urgentKey struct{}

// Urgent returns a context for sign-ins. Their transactions do not wait in the queue of the other
// writers on SQLite; on PostgreSQL, one connection is for them alone.
func Urgent(ctx context.Context) context.Context {
	return context.WithValue(ctx, urgentKey{}, true)
}

func isUrgent(ctx context.Context) bool { return ctx.Value(urgentKey{}) != nil }

// longestWait limits how long a transaction of the next group waits for a slow disk.
const longestWait = 3 * time.Second

// commitTimes measures how long the latest commits of SQLite have taken. One goroutine adds, any number reads.
type commitTimes struct {
	latest [3]time.Duration
	count  int
	median atomic.Int64
}

func (c *commitTimes) add(took time.Duration) {
	c.latest[c.count%len(c.latest)] = took
	c.count++
	sorted := slices.Sorted(slices.Values(c.latest[:]))
	c.median.Store(int64(sorted[len(sorted)/2]))
}

// wait returns how long a transaction of the next group waits: up to four times as long as a commit takes,
// because it waits for the disk and not for a crowd. At least as long as usual.
func (c *commitTimes) wait(usual time.Duration) time.Duration {
	return max(usual, min(4*time.Duration(c.median.Load()), longestWait))
}
