package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
)

// Options configure Workers. DB, Clock and Logger are required.
type Options struct {
	DB       *db.DB
	Clock    domain.Clock
	Logger   *slog.Logger
	Trusted  func() bool   // whether the clock may be trusted; nil: always
	Parallel int           // concurrent jobs, besides those of Separate; 2 when zero
	Poll     time.Duration // interval of polling for due jobs; 1 s when zero
	Lease    time.Duration // after which other workers take the job of a crashed worker; 30 s when zero
	Tracer   *observe.Tracer
	Attempts int // after which a failing job is discarded; 12 when zero: about an hour
}

// Workers take due jobs and run their handlers. Several instances may share one
// database; each takes only jobs of the kinds that it has handlers for.
type Workers struct {
	db       *db.DB
	clock    domain.Clock
	log      *slog.Logger
	options  Options
	metrics  metrics
	handlers map[string]handler
	kinds    []string                 // of the handlers
	periodic map[string]time.Duration // kind to interval
	common   *group                   // runs all kinds except those of separate
	separate []*group
	loops    *Loops
}

// group is some workers that run jobs of the same kinds.
type group struct {
	kinds    []string
	parallel int
	put      <-chan struct{} // a job of this process; polling finds those of other processes
	more     chan struct{}   // a worker has found a job: there may be more
}

func (w *Workers) newGroup(parallel int, kinds ...string) *group {
	return &group{kinds: kinds, parallel: parallel, put: w.db.Subscribe(topic), more: make(chan struct{}, 1)}
}

// handler runs a job until it is done.
type handler func(ctx context.Context, h *leasedJob) error

// New returns workers without handlers. Register handlers before Start or RunDue.
func New(o Options) *Workers {
	o.Parallel = cmp.Or(o.Parallel, 2)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	o.Attempts = cmp.Or(o.Attempts, 12)
	if o.Trusted == nil {
		o.Trusted = func() bool { return true }
	}
	w := &Workers{
		db: o.DB, clock: o.Clock, log: o.Logger, options: o, metrics: newMetrics(o.DB, o.Clock),
		handlers: map[string]handler{},
		periodic: map[string]time.Duration{},
		loops:    NewLoops("job", o.Logger, o.Poll),
	}
	w.common = w.newGroup(o.Parallel)
	return w
}

// register panics when a kind has two handlers: that is a bug.
func (w *Workers) register(kind string, h handler) {
	if w.handlers[kind] != nil {
		panic(fmt.Sprintf("job: two handlers for %q", kind))
	}
	w.handlers[kind] = h
	w.kinds = append(w.kinds, kind)
	slices.Sort(w.kinds)
	w.common.kinds = append(w.common.kinds, kind)
}

// Separate gives the jobs of a registered kind workers of their own, so that slow ones delay
// no other jobs.
func (w *Workers) Separate(kind string, parallel int) {
	w.common.kinds = slices.DeleteFunc(w.common.kinds, func(k string) bool { return k == kind })
	w.separate = append(w.separate, w.newGroup(parallel, kind))
}

// Start starts the workers. They run until Stop, also if ctx ends.
func (w *Workers) Start(ctx context.Context) {
	ctx = w.loops.Start(ctx)
	for _, g := range append(w.separate, w.common) {
		next := func(ctx context.Context) (bool, error) { return w.runNext(ctx, g) }
		for range g.parallel {
			w.loops.Loop(ctx, "look for due jobs", next, g.put, g.more)
		}
	}
	w.loops.Go(func() { w.reschedule(ctx) })
}

const (
	rescheduleEvery = time.Minute
	scheduleTimeout = 10 * time.Second
)

// reschedule schedules the periodic jobs now and every minute: a wrong clock may have put
// jobs far ahead.
func (w *Workers) reschedule(ctx context.Context) {
	ticker := time.NewTicker(rescheduleEvery)
	defer ticker.Stop()
	for {
		limited, cancel := context.WithTimeout(ctx, scheduleTimeout)
		if err := w.schedule(limited); err != nil {
			w.log.WarnContext(ctx, "cannot schedule the periodic jobs: trying again in a minute", "error", err)
		}
		cancel()
		select {
		case <-ticker.C:
		case <-w.loops.Stopping():
			return
		}
	}
}

// Stop takes no more jobs and waits for running ones. When ctx ends first, Stop cancels the
// handlers and returns an error. Other workers take the jobs that do not end when the
// leases expire.
func (w *Workers) Stop(ctx context.Context) error { return w.loops.Stop(ctx) }

// runNext runs one due job, if there is one, and reports whether there was.
func (w *Workers) runNext(ctx context.Context, g *group) (ran bool, err error) {
	h, found, err := w.take(ctx, g.kinds)
	if err != nil || !found {
		return false, err
	}
	select {
	case g.more <- struct{}{}:
	default: // another worker will look anyway
	}
	_ = w.run(ctx, &h) // logged, counted and stored in the job's row
	return true, nil
}

func (w *Workers) take(ctx context.Context, kinds []string) (h leasedJob, found bool, err error) {
	now := w.clock.Now()
	err = w.db.InTx(ctx, func(tx db.Tx) (err error) {
		h, found, err = take(ctx, tx, kinds, now, now.Add(w.options.Lease))
		return err
	})
	if err != nil {
		return leasedJob{}, false, fmt.Errorf("job.take: %w", err)
	}
	return h, found, nil
}

// RunDue runs all jobs that are due now one after the other, including jobs that they
// put, and returns their errors. It is for tests and tools, with or without Start.
func (w *Workers) RunDue(ctx context.Context) error {
	if err := w.schedule(ctx); err != nil {
		return err
	}
	var failed []error
	for {
		h, found, err := w.take(ctx, w.kinds)
		if err != nil {
			return err
		}
		if !found {
			return errors.Join(failed...)
		}
		if err := w.run(ctx, &h); err != nil {
			failed = append(failed, err)
		}
	}
}
