// Package clock keeps the time of the service, which everything else uses. It owns the table
// clock.
//
// The time runs with the monotonic clock of the machine, so a jump of the machine's clock does
// not change it. It follows a reference: on PostgreSQL the clock of the database, so that all
// instances agree; on SQLite the clock of the machine. Small differences are corrected smoothly.
// If the reference jumps, deletions pause until the jump is over or trusted. The rules are in
// timeline.go and in docs/operations.md.
package clock

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/platform/db"
)

const (
	checkEvery   = time.Second
	checkTimeout = 2 * time.Second
	openTimeout  = 10 * time.Second
	storeEvery   = time.Minute
	maxOffset    = 2 * time.Second // of the machine's clock; a larger one is logged
)

// Machine reads the clocks of the machine. Tests replace it.
type Machine struct {
	Wall      func() time.Time     // may jump
	Monotonic func() time.Duration // never jumps; since any start
}

var started = time.Now()

// ThisMachine returns the clocks of this machine.
func ThisMachine() Machine {
	return Machine{Wall: time.Now, Monotonic: func() time.Duration { return time.Since(started) }}
}

// Clock is the service's clock. All methods may be called concurrently.
type Clock struct {
	db      *db.DB
	machine Machine
	log     *slog.Logger
	state   atomic.Pointer[state]

	mu       sync.Mutex // guards the fields below
	timeline timeline
	off      bool // the machine's clock differed by more than maxOffset at the latest check
}

// state is the result of the latest check.
type state struct {
	course  course
	trusted bool
}

// Open returns the clock of the service on a migrated database. Run keeps it right.
func Open(ctx context.Context, d *db.DB, m Machine, log *slog.Logger) (*Clock, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	c := &Clock{db: d, machine: m, log: log}
	s, stored, err := c.sample(ctx)
	if err != nil {
		return nil, fmt.Errorf("clock: %w", err)
	}
	c.timeline = startTimeline(s, stored)
	if c.timeline.jump != nil {
		c.report(ctx, jumped)
	}
	c.publish()
	return c, nil
}

// Now returns the time of the service. It costs one read of the monotonic clock.
func (c *Clock) Now() time.Time {
	return time.Unix(0, c.state.Load().course.read(c.machine.Monotonic()))
}

// Trusted reports whether the reference agrees with the time, or its latest jump is trusted. While
// it returns false, nothing may be deleted for its age.
func (c *Clock) Trusted() bool { return c.state.Load().trusted }

// Run checks the time every second until ctx ends, then stores it.
func (c *Clock) Run(ctx context.Context) {
	ticker := time.NewTicker(checkEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		_ = c.Check(ctx) // without the reference, the monotonic clock stays right for long
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkTimeout)
	defer cancel()
	_ = c.store(ctx) // otherwise the lower bound of the next start is up to a minute older
}

// Check compares the time with the reference and with the stored time.
func (c *Clock) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	s, stored, err := c.sample(ctx)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	change := c.timeline.check(s, stored)
	c.publish()
	c.report(ctx, change)
	c.reportOffset(ctx)
	if change == trusted || c.timeline.base.at-stored >= int64(storeEvery) {
		return replaceStored(ctx, c.db, stored, c.timeline.base.at)
	}
	return nil
}

// store stores the time, unless a later one is stored.
func (c *Clock) store(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	stored, err := readStored(ctx, c.db)
	now := c.timeline.base.read(c.machine.Monotonic())
	if err != nil || now <= stored {
		return err
	}
	return replaceStored(ctx, c.db, stored, now)
}

// sample reads the reference and the stored time.
func (c *Clock) sample(ctx context.Context) (s sample, stored int64, err error) {
	if stored, err = readStored(ctx, c.db); err != nil {
		return s, 0, err
	}
	now, uncertainty, err := reference(ctx, c.db, c.machine)
	return sample{c.machine.Monotonic(), now.UnixNano(), uncertainty}, stored, err
}

// reference returns the time of the reference, and by how much it may be wrong.
func reference(ctx context.Context, d *db.DB, m Machine) (time.Time, time.Duration, error) {
	if d.Engine() == db.SQLite {
		return m.Wall(), 0, nil
	}
	return d.ServerTime(ctx)
}

func (c *Clock) publish() {
	c.state.Store(&state{c.timeline.shown(), c.timeline.jump == nil})
}
