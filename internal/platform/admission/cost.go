package admission

import (
	"sync/atomic"
	"time"
)

// Cost estimates the time of an operation that waits for no other. Short times lower the
// estimate at once. Long ones raise it slowly: under overload, all operations take long.
type Cost struct{ nanoseconds atomic.Int64 }

const (
	leastCost = 100 * time.Microsecond // also of an operation that nobody has called yet, so that it gets its chance under overload
	firstCost = time.Millisecond       // at most after the first call
	slowness  = 256                    // calls until a raise is complete
)

// Estimate returns the estimated time.
func (c *Cost) Estimate() time.Duration {
	return max(time.Duration(c.nanoseconds.Load()), leastCost)
}

// Observe takes the time of a call into account. Concurrent ones may be lost.
func (c *Cost) Observe(took time.Duration) {
	known := time.Duration(c.nanoseconds.Load())
	switch {
	case known == 0:
		known = min(took, firstCost)
	case took < known:
		known -= (known - took) / 2
	default:
		known += min(known/slowness, took-known)
	}
	c.nanoseconds.Store(int64(max(known, leastCost)))
}
