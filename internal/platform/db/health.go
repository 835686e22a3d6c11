package db

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"moothall/internal/domain"
)

const (
	probeInterval = 800 * time.Millisecond  // between two probes at least: a fault shows within a second
	writeInterval = 5 * time.Second         // between two probes that write at least
	probeTimeout  = 1200 * time.Millisecond // of one probe
	answerTimeout = 1300 * time.Millisecond // of a caller, also if the disk holds the probe up
)

// prober lets all callers share one probe at a time, and its result for probeInterval.
type prober struct {
	running singleflight.Group
	latest  atomic.Pointer[probeResult]

	wrote   time.Duration // when the latest probe that wrote ended, by sinceStart; 0: none
	refused error         // of its write
}

type probeResult struct {
	ended time.Duration // by sinceStart
	err   error
}

// Health returns nil if the database keeps what is written to it. Otherwise the error says
// what is wrong and what to do. To find out, Health writes to the database what a request writes, at most once in
// five seconds for all callers. It looks at the rest at most once a second, and returns within 1.5 seconds. It waits neither in
// the queue of writers nor for the pool: a database that is only busy is healthy.
func (d *DB) Health(ctx context.Context) error {
	if latest := d.prober.latest.Load(); latest != nil && sinceStart()-latest.ended < probeInterval {
		return latest.err
	}
	result := d.prober.running.DoChan("", func() (any, error) {
		limited, cancel := context.WithTimeout(context.Background(), probeTimeout)
		defer cancel()
		err := explain(context.Background(), "db: health", d.prober.probe(limited, d.store))
		d.prober.latest.Store(&probeResult{sinceStart(), err})
		return nil, err
	})
	patience := time.NewTimer(answerTimeout)
	defer patience.Stop()
	select {
	case r := <-result:
		return r.Err
	case <-patience.C:
		return fmt.Errorf("db: health: %w: no answer for %v. Look for a disk that does not respond", ErrUnavailable, answerTimeout)
	case <-ctx.Done():
		return explain(ctx, "db: health", ctx.Err())
	}
}

// probe runs one probe. Between two probes that write, the result of the former one counts.
func (p *prober) probe(ctx context.Context, s store) error {
	wrote, err := s.probe(ctx, p.wrote == 0 || sinceStart()-p.wrote >= writeInterval)
	if wrote {
		p.wrote, p.refused = sinceStart(), err
	}
	return firstError(err, p.refused)
}

// fillerSize is how many bytes a probe writes: more than a page, so that the store must find space for it.
const fillerSize = 8 << 10

// newProbe returns the id and the filler of a row of health_probes. PostgreSQL cannot compress the filler.
func newProbe() (id domain.ID[any], filler []byte) {
	filler = make([]byte, fillerSize)
	_, _ = rand.Read(filler) // never fails
	return domain.RandomID[any](), filler
}
