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

	committed atomic.Int64 // when the latest transaction committed, by observe.Uptime

	wrote   time.Duration // when the latest probe that wrote ended, by observe.Uptime; 0: none
	refused error         // of its write
}

type probeResult struct {
	ended time.Duration // by observe.Uptime
	err   error
}

// noteCommit notes that a transaction has just committed.
func (p *prober) noteCommit() { p.committed.Store(int64(observe.Uptime())) }

func (p *prober) commitsSince(began time.Duration) bool { return p.committed.Load() > int64(began) }

// health is DB.Health. A database that commits while a probe waits is only busy, or the processors are.
func (p *prober) health(ctx context.Context, s driver.Health) error {
	began := observe.Uptime()
	if latest := p.latest.Load(); latest != nil && began-latest.ended < probeInterval {
		return latest.err
	}
	result := p.running.DoChan("", func() (any, error) {
		limited, cancel := context.WithTimeout(context.Background(), driver.ProbeTimeout)
		defer cancel()
		err := classify.Explain(context.Background(), "db: health", p.probe(limited, s))
		if limited.Err() != nil && p.commitsSince(began) {
			err = nil
		}
		p.latest.Store(&probeResult{observe.Uptime(), err})
		return nil, err
	})
	patience := time.NewTimer(answerTimeout)
	defer patience.Stop()
	select {
	case r := <-result:
		return r.Err
	case <-patience.C:
		if p.commitsSince(began) {
			return nil
		}
		return fmt.Errorf("db: health: %w: no answer for %v. Look for a disk that does not respond", ErrUnavailable, answerTimeout)
	case <-ctx.Done():
		return classify.Explain(ctx, "db: health", ctx.Err())
	}
}

// probe runs one probe. Between two probes that write, the result of the former one counts, unless its time was up.
func (p *prober) probe(ctx context.Context, s driver.Health) error {
	wrote, err := s.Probe(ctx, p.wrote == 0 || observe.Uptime()-p.wrote >= writeInterval)
	if wrote && ctx.Err() == nil {
		p.wrote, p.refused = observe.Uptime(), err
	}
	return cmp.Or(err, p.refused)
}
