package db

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const (
	probeInterval = 800 * time.Millisecond  // between two probes at least: a fault shows within a second
	writeInterval = 5 * time.Second         // between two probes that write at least
	answerTimeout = 1300 * time.Millisecond // of a caller, also if the disk holds the probe up
)

// prober lets all callers share one probe at a time, and its result for probeInterval.
type prober struct {
	running singleflight.Group
	latest  atomic.Pointer[probeResult]

	wrote   time.Duration // when the latest probe that wrote ended, by observe.Uptime; 0: none
	refused error         // of its write
}

type probeResult struct {
	ended time.Duration // by observe.Uptime
	err   error
}

// health is DB.Health.
func (p *prober) health(ctx context.Context, s driver.Health) error {
	if latest := p.latest.Load(); latest != nil && observe.Uptime()-latest.ended < probeInterval {
		return latest.err
	}
	result := p.running.DoChan("", func() (any, error) {
		limited, cancel := context.WithTimeout(context.Background(), driver.ProbeTimeout)
		defer cancel()
		err := classify.Explain(context.Background(), "db: health", p.probe(limited, s))
		p.latest.Store(&probeResult{observe.Uptime(), err})
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
		return classify.Explain(ctx, "db: health", ctx.Err())
	}
}

// probe runs one probe. Between two probes that write, the result of the former one counts.
func (p *prober) probe(ctx context.Context, s driver.Health) error {
	wrote, err := s.Probe(ctx, p.wrote == 0 || observe.Uptime()-p.wrote >= writeInterval)
	if wrote {
		p.wrote, p.refused = observe.Uptime(), err
	}
	return cmp.Or(err, p.refused)
}
