package driver

import (
	"context"
	"time"
)

// LeastWait is how long a request may at least wait for a connection or the write lock,
// unless Options.Wait of package db is shorter.
const LeastWait = 100 * time.Millisecond

type waitedKey struct{}

// Waited returns a context for a request that has already waited, for example for its turn.
// By as much its statements wait less for a connection or the write lock, so that a
// request is refused soon even if it must wait for both.
func Waited(ctx context.Context, waited time.Duration) context.Context {
	return context.WithValue(ctx, waitedKey{}, waited)
}

type mostKey struct{}

// WaitAtMost returns a context for optional work: its statements wait no longer than a time for a connection or the write
// lock, which may be shorter than LeastWait.
func WaitAtMost(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, mostKey{}, most)
}

// RemainingWait returns how long a statement may wait, of the time that is usual.
func RemainingWait(ctx context.Context, usual time.Duration) time.Duration {
	waited, _ := ctx.Value(waitedKey{}).(time.Duration)
	remaining := max(usual-waited, min(usual, LeastWait))
	if most, is := ctx.Value(mostKey{}).(time.Duration); is {
		return min(remaining, most)
	}
	return remaining
}

type urgentKey struct{}

// Urgent returns a context for sign-ins. Their transactions do not wait in the queue of the other
// writers on SQLite; on PostgreSQL, one connection is for them alone.
func Urgent(ctx context.Context) context.Context {
	return context.WithValue(ctx, urgentKey{}, true)
}

// IsUrgent reports whether the context is Urgent.
func IsUrgent(ctx context.Context) bool { return ctx.Value(urgentKey{}) != nil }

type backgroundKey struct{}

// Background returns a context for work that no client waits for. On PostgreSQL, it never
// takes the last connection of the requests.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// IsBackground reports whether the context is in the Background.
func IsBackground(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }
