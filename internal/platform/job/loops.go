package job

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"moothall/internal/platform/db"
)

// stopGrace is how long canceled work may take to return.
const stopGrace = time.Second

// Loops run steps, such as sending what is due, again and again, until they are stopped, and other work.
type Loops struct {
	name     string
	log      *slog.Logger
	poll     time.Duration
	stopping chan struct{}
	stopOnce sync.Once
	giveUp   context.CancelFunc // cancels the work
	running  sync.WaitGroup
}

// NewLoops returns loops without work. name is that of the owner in errors. poll is the time
// between two steps that find nothing to do.
func NewLoops(name string, log *slog.Logger, poll time.Duration) *Loops {
	return &Loops{name: name, log: log, poll: poll, stopping: make(chan struct{}), giveUp: func() {}}
}

// Start returns the context of the work. It goes on until Stop, also if ctx ends, and leaves
// database connections to requests.
func (l *Loops) Start(ctx context.Context) context.Context {
	ctx, l.giveUp = context.WithCancel(db.Background(context.WithoutCancel(ctx)))
	return ctx
}

// Go runs work that Stop waits for.
func (l *Loops) Go(work func()) { l.running.Go(work) }

// Stopping is closed when Stop is called: begin nothing more.
func (l *Loops) Stopping() <-chan struct{} { return l.stopping }

// IsStopping reports whether Stop was called.
func (l *Loops) IsStopping() bool {
	select {
	case <-l.stopping:
		return true
	default:
		return false
	}
}

// Loop runs a step as long as there is more to do, then waits for a wake or the next poll.
// It logs the first of several errors: "cannot <what>". The second channel may be nil.
func (l *Loops) Loop(ctx context.Context, what string, step func(context.Context) (more bool, err error), wake, other <-chan struct{}) {
	l.running.Go(func() {
		ticker := time.NewTicker(l.poll)
		defer ticker.Stop()
		healthy := true
		for !l.IsStopping() {
			more, err := step(ctx)
			if healthy && err != nil { // log once, not every second
				l.log.ErrorContext(ctx, "cannot "+what, "error", err)
			}
			healthy = err == nil
			if more && healthy {
				continue
			}
			select {
			case <-ticker.C:
			case <-wake:
			case <-other:
			case <-l.stopping:
			}
		}
	})
}

// Stop begins no more steps and waits for running work. When ctx ends first, Stop cancels the
// work and returns an error.
func (l *Loops) Stop(ctx context.Context) error {
	l.stopOnce.Do(func() { close(l.stopping) })
	defer func() { l.giveUp() }()
	done := make(chan struct{})
	go func() {
		l.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	l.giveUp()
	select {
	case <-done:
	case <-time.After(stopGrace):
	}
	return fmt.Errorf("%s.stop: work was interrupted: %w", l.name, ctx.Err())
}
