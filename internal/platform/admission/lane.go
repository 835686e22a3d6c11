// Package admission decides which requests run, which wait for a moment, and which are
// refused, so that an overloaded service does as much work as at its best, and a heavy
// caller is refused before a light one (docs/adr/0015). It also limits what clients keep open, such as connections.
package admission

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// ErrRefused means that the service is overloaded: the caller should try again later.
var ErrRefused = errors.New("admission: overloaded")

// MaxWait is how long a request waits before it is refused. Clients who ask again at once
// are refused less often the longer they wait; each refusal takes processor time.
const MaxWait = 850 * time.Millisecond

const (
	maxWaiting = 4096             // requests, of which each holds its body
	logPause   = 10 * time.Second // between two log lines about refusals
)

// Options configure a Lane.
type Options struct {
	Name string // label of the metrics
	Max  int    // of running requests

	// Probe does what every request does first: it takes a connection to the database.
	// If it takes long, fewer requests than Max may run; see adapt. It may be nil.
	Probe func(context.Context)
	// ProcessorWait returns how long goroutines waited for a processor since its latest call; nil: as measured by the runtime.
	ProcessorWait func() time.Duration
	Log           *slog.Logger
}

// Lane lets a limited number of requests run at once. Further ones wait, in the order of
// their callers' use of the lane.
type Lane struct {
	name          string
	max           float64
	probe         func(context.Context)
	processorWait func() time.Duration
	log           *slog.Logger
	refuse        refusals

	mu       sync.Mutex
	limit    float64 // of running requests
	running  int
	adapting bool
	full     bool          // the limit was reached since the latest probe
	delay    time.Duration // of the latest probe
	queue    queue
	nextLog  time.Time
}

// NewLane returns an empty lane.
func NewLane(o Options) *Lane {
	l := &Lane{
		name: o.Name, max: float64(o.Max), limit: float64(o.Max), probe: o.Probe, processorWait: o.ProcessorWait, log: o.Log,
		refuse: newRefusals(o.Name), queue: newQueue(),
	}
	if l.probe != nil {
		l.limit = min(l.max, usualLimit)
	}
	if l.processorWait == nil {
		l.processorWait = newProcessor().wait
	}
	return l
}

// TryEnter reports whether a request may run at once. If so, Leave must be called later.
func (l *Lane) TryEnter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running >= int(l.limit) || l.queue.Len() > 0 {
		return false
	}
	l.running++
	return true
}

// Enter waits until a request may run, and returns how long it waited, or ErrRefused. Without
// an error, Leave must be called later.
func (l *Lane) Enter(ctx context.Context, caller Caller) (waited time.Duration, err error) {
	w := &waiter{caller: caller, called: make(chan struct{})}
	l.await(w)
	err = l.wait(ctx, w)
	return time.Since(w.since), err
}

// Leave lets another request run.
func (l *Lane) Leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running--
	l.call()
}

// await adds a request to the queue. If the queue is full, the request of the caller who
// has used the lane the most is refused.
func (l *Lane) await(w *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.full = true
	l.queue.add(w, time.Now())
	if l.queue.Len() > maxWaiting {
		l.queue.removeLast().end(false)
	}
	l.call()
	if !l.adapting && l.probe != nil {
		l.adapting = true
		go l.adapt()
	}
}

// call lets waiting requests run. The caller has the lock.
func (l *Lane) call() {
	for l.running < int(l.limit) && l.queue.Len() > 0 {
		l.running++
		l.queue.next(time.Now()).end(true)
	}
}

func (l *Lane) wait(ctx context.Context, w *waiter) error {
	timer := time.NewTimer(MaxWait)
	defer timer.Stop()
	reason := l.refuse.full
	select {
	case <-w.called:
	case <-timer.C:
		reason = l.refuse.waited
	case <-ctx.Done():
		reason = l.refuse.gone
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !w.ended {
		l.queue.remove(w, time.Now())
		w.end(false)
	}
	if w.admitted {
		return nil
	}
	reason.Inc()
	if reason != l.refuse.gone {
		l.logRefusal(ctx)
	}
	return ErrRefused
}

// logRefusal logs one line for many refusals: a line for each would cost as much as the
// refusal.
func (l *Lane) logRefusal(ctx context.Context) {
	now := time.Now()
	if l.log == nil || now.Before(l.nextLog) {
		return
	}
	l.nextLog = now.Add(logPause)
	l.log.WarnContext(ctx, "overloaded: requests are refused", slog.String("lane", l.name), slog.Int("running", l.running),
		slog.Int("limit", int(l.limit)), slog.Int("waiting", l.queue.Len()), slog.String("queue_delay", l.delay.String()))
}
