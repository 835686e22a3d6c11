package admission

import (
	"sync/atomic"
	"time"
)

// Cost estimates the time of an operation: a mean of its latest calls. Under overload all
// operations take longer, but expensive ones still longer than cheap ones.
type Cost struct{ nanoseconds atomic.Int64 }

const (
	firstCost = 100 * time.Microsecond // of an operation that nobody has called yet, so that it gets its chance under overload
	latest    = 64                     // calls that make most of the mean
)

// Estimate returns the estimated time.
func (c *Cost) Estimate() time.Duration {
	if known := c.nanoseconds.Load(); known > 0 {
		return time.Duration(known)
	}
	return firstCost
}

// Observe takes the time of a call into account. Concurrent ones may be lost.
func (c *Cost) Observe(took time.Duration) {
	known := c.Estimate()
	c.nanoseconds.Store(int64(known + (took-known)/latest))
}
