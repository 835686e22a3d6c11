package db

import (
	"context"
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
