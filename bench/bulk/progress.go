package bulk

import (
	"fmt"
	"io"
	"time"
)

// progress reports the progress for one kind of item.
type progress struct {
	to       io.Writer
	what     string
	total    int // 0: unknown
	done     int
	started  time.Time
	reported time.Time
}

func newProgress(to io.Writer, what string, total int) *progress {
	if to == nil {
		to = io.Discard
	}
	now := time.Now()
	return &progress{to: to, what: what, total: total, started: now, reported: now}
}

func (p *progress) add(n int) {
	p.done += n
	now := time.Now()
	if now.Sub(p.reported) < 2*time.Second {
		return
	}
	p.reported = now
	rate := p.rate(now)
	if p.total == 0 {
		fmt.Fprintf(p.to, "%s: %d, %.0f/s\n", p.what, p.done, rate)
		return
	}
	left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
	fmt.Fprintf(p.to, "%s: %d of %d, %.0f/s, %v left\n", p.what, p.done, p.total, rate, left.Round(time.Second))
}

func (p *progress) end() {
	now := time.Now()
	fmt.Fprintf(p.to, "%s: %d in %v (%.0f/s)\n", p.what, p.done, now.Sub(p.started).Round(10*time.Millisecond), p.rate(now))
}

func (p *progress) rate(now time.Time) float64 {
	return float64(p.done) / max(now.Sub(p.started).Seconds(), 1e-6)
}

// stopped adds to an error how many items were written before.
func (p *progress) stopped(err error) error {
	return fmt.Errorf("stopped after %d %s, which stay in the database: %w", p.done, p.what, err)
}
