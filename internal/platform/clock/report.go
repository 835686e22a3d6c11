package clock

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/db"
)

// report logs a change.
func (c *Clock) report(ctx context.Context, what change) {
	switch what {
	case jumped:
		j := c.timeline.jump
		c.log.WarnContext(ctx, "the clock has jumped: nothing is deleted for its age until the jump is over or trusted",
			slog.String("clock", c.referenceName()), slog.String("by", j.gap.Round(time.Millisecond).String()),
			slog.String("trusted_in", (j.trustAt-c.timeline.base.from).Round(time.Second).String()))
	case shown:
		c.log.WarnContext(ctx, "the clock stays ahead: the service uses its time", slog.String("clock", c.referenceName()))
	case trusted:
		c.log.WarnContext(ctx, "the jump of the clock is trusted", slog.String("clock", c.referenceName()))
	case returned:
		c.log.InfoContext(ctx, "the jump of the clock is over", slog.String("clock", c.referenceName()))
	case none:
	}
}

// referenceName names the reference in the log.
func (c *Clock) referenceName() string {
	if c.db.Engine() == db.SQLite {
		return "machine"
	}
	return "database"
}

// reportOffset logs when the machine's clock begins and ends to differ from the service's time.
func (c *Clock) reportOffset(ctx context.Context) {
	offset := c.offset()
	switch {
	case !c.off && offset.Abs() > maxOffset:
		c.off = true
		c.log.WarnContext(ctx, "the machine's clock differs from the service's time: synchronize it", slog.String("ahead_by", offset.String()))
	case c.off && offset.Abs() < maxOffset/2:
		c.off = false
		c.log.InfoContext(ctx, "the machine's clock agrees with the service's time again")
	}
}

// offset returns by how much the machine's clock is ahead of the service's time.
func (c *Clock) offset() time.Duration {
	return c.machine.Wall().Sub(c.Now()).Round(time.Millisecond)
}

// Metrics returns the metrics of the clock.
func (c *Clock) Metrics() []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "moothall_clock_offset_seconds", Help: "By how much the machine's clock is ahead of the service's time.",
		}, func() float64 { return c.offset().Seconds() }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "moothall_clock_trusted", Help: "1, or 0 while deletions pause because the clock has jumped.",
		}, func() float64 {
			if c.Trusted() {
				return 1
			}
			return 0
		}),
	}
}
