package db

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	probeInterval = 800 * time.Millisecond // between two probes at least: a fault shows within a second
	probeTimeout  = 3 * time.Second        // of one probe
)

// prober lets all callers share one probe at a time, and its result for probeInterval.
type prober struct {
	running singleflight.Group
	latest  atomic.Pointer[probeResult]
}

type probeResult struct {
	ended time.Duration // by sinceStart
	err   error
}

// Health returns nil if the database keeps what is written to it. Otherwise the error says
// what is wrong and what to do. Health writes to the database to find out, at most once a
// second for all callers, and returns after three seconds at the latest. It waits neither in
// the queue of writers nor for the pool: a database that is only busy is healthy.
func (d *DB) Health(ctx context.Context) error {
	if latest := d.prober.latest.Load(); latest != nil && sinceStart()-latest.ended < probeInterval {
		return latest.err
	}
	result := d.prober.running.DoChan("", func() (any, error) {
		limited, cancel := context.WithTimeout(context.Background(), probeTimeout)
		defer cancel()
		err := explain(context.Background(), "db: health", d.store.probe(limited))
		d.prober.latest.Store(&probeResult{sinceStart(), err})
		return nil, err
	})
	select {
	case r := <-result:
		return r.Err
	case <-ctx.Done():
		return explain(ctx, "db: health", ctx.Err())
	}
}
