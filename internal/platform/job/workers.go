package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Options tune Workers; DB, Clock and Logger are needed, the rest has defaults.
type Options struct {
	DB       *db.DB
	Clock    domain.Clock
	Logger   *slog.Logger
	Parallel int           // jobs at a time, 2 when zero
	Poll     time.Duration // how often to look for due jobs, 1 s when zero
	Lease    time.Duration // after which a silent worker's job is anyone's, 30 s when zero
	Attempts int           // after which a failing job is set aside, 12 when zero: after about an hour
}

// Workers take due jobs and run their handlers. Any number of instances may
// work on one database; each takes only the kinds that it has handlers for.
type Workers struct {
	db       *db.DB
	clock    domain.Clock
	log      *slog.Logger
	options  Options
	metrics  metrics
	handlers map[string]handler
	kinds    []string                 // of the handlers
	periodic map[string]time.Duration // kind to interval

	put      <-chan struct{} // hints of this process; the poll finds what others put
	more     chan struct{}   // a worker has found work and there may be more
	stopping chan struct{}
	giveUp   context.CancelFunc // ends the handlers' context
	running  sync.WaitGroup
	down     sync.Once
}

// handler does the work of a job up to its finishing.
type handler func(ctx context.Context, h *held) error

// New makes workers without handlers; register those before Start or RunDue.
func New(o Options) *Workers {
	o.Parallel = cmp.Or(o.Parallel, 2)
	o.Poll = cmp.Or(o.Poll, time.Second)
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	o.Attempts = cmp.Or(o.Attempts, 12)
	return &Workers{
		db: o.DB, clock: o.Clock, log: o.Logger, options: o, metrics: newMetrics(),
		handlers: map[string]handler{},
		periodic: map[string]time.Duration{},
		put:      o.DB.Hints(topic),
		more:     make(chan struct{}, 1),
		stopping: make(chan struct{}),
		giveUp:   func() {},
	}
}

// register panics when a kind has two handlers: that is a fault of the program.
func (w *Workers) register(kind string, h handler) {
	if w.handlers[kind] != nil {
		panic(fmt.Sprintf("job: two handlers for %q", kind))
	}
	w.handlers[kind] = h
	w.kinds = append(w.kinds, kind)
	slices.Sort(w.kinds)
}

// Start makes the workers work until Stop.
func (w *Workers) Start(ctx context.Context) error {
	if err := w.schedule(ctx); err != nil {
		return err
	}
	handlers, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	w.giveUp = giveUp
	for range w.options.Parallel {
		w.running.Go(func() { w.loop(handlers) })
	}
	return nil
}

// graceToRelease is how long handlers that were given up may take to return.
const graceToRelease = time.Second

// Stop takes no more jobs and waits for those that run; work in steps goes to
// the end of its step and is left to others. When ctx ends first, the
// handlers' context ends too and ctx's error is given: what does not
// return then is anyone's when its lease runs out.
func (w *Workers) Stop(ctx context.Context) error {
	w.down.Do(func() { close(w.stopping) })
	done := make(chan struct{})
	go func() {
		w.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		w.giveUp()
		return nil
	case <-ctx.Done():
	}
	w.giveUp()
	select {
	case <-done:
	case <-time.After(graceToRelease):
	}
	return fmt.Errorf("job.stop: jobs were interrupted: %w", ctx.Err())
}

func (w *Workers) isStopping() bool {
	select {
	case <-w.stopping:
		return true
	default:
		return false
	}
}

// loop is one worker: it runs what is due, then waits for a hint or the poll.
func (w *Workers) loop(ctx context.Context) {
	poll := time.NewTicker(w.options.Poll)
	defer poll.Stop()
	reachable := true
	for !w.isStopping() {
		ran, err := w.runNext(ctx)
		if reachable && err != nil { // said once, not every second
			w.log.ErrorContext(ctx, "cannot look for due jobs", "error", err)
		}
		reachable = err == nil
		if ran {
			continue
		}
		select {
		case <-poll.C:
		case <-w.put:
		case <-w.more:
		case <-w.stopping:
		}
	}
}

// runNext runs one due job, if there is one, and reports whether there was.
func (w *Workers) runNext(ctx context.Context) (ran bool, err error) {
	h, found, err := w.take(ctx)
	if err != nil || !found {
		return false, err
	}
	select {
	case w.more <- struct{}{}:
	default: // somebody is about to look anyway
	}
	_ = w.run(ctx, &h) // logged, counted and kept in the job's row
	return true, nil
}

func (w *Workers) take(ctx context.Context) (h held, found bool, err error) {
	now := w.clock.Now()
	err = w.db.InTx(ctx, func(tx db.Tx) (err error) {
		h, found, err = take(ctx, tx, w.kinds, now, now.Add(w.options.Lease))
		return err
	})
	if err != nil {
		return held{}, false, fmt.Errorf("job.take: %w", err)
	}
	return h, found, nil
}

// RunDue runs all jobs that are due now, one after the other, also those that
// they put for now, and gives what failed. It is for tests and for tools; it
// may be used beside Start and without it.
func (w *Workers) RunDue(ctx context.Context) error {
	if err := w.schedule(ctx); err != nil {
		return err
	}
	var failed []error
	for {
		h, found, err := w.take(ctx)
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
