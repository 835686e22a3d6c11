package admission

import (
	"context"
	"time"
)

// While requests wait, a probe measures the queue delay: how long a running request waits
// for a processor and for a connection to the database. The limit of running requests
// follows it: with fewer, the machine would idle; with more, running requests would wait
// for each other, and those that give up would have worked for nothing.
const (
	targetDelay = 4 * time.Millisecond
	probePause  = 20 * time.Millisecond
	probeLimit  = time.Second

	usualLimit = 64 // at the start, and at least after an overload
	leastLimit = 4

	// The factors by which one probe changes the limit.
	fastestGrowth = 1.05
	fastestShrink = 0.7
)

// adapt probes until no request waits and few run.
func (l *Lane) adapt() {
	l.processorWait() // from now on
	for busy := true; busy; {
		time.Sleep(probePause)
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
		l.probe(ctx)
		cancel()
		busy = l.adjust(time.Since(began) + l.processorWait())
	}
}

// adjust changes the limit after a probe, and reports whether to probe again.
func (l *Lane) adjust(delay time.Duration) (busy bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.delay = delay
	factor := min(max(float64(targetDelay)/float64(max(delay, 1)), fastestShrink), fastestGrowth)
	switch {
	case factor < 1:
		l.limit *= factor
	case l.full:
		l.limit = max(l.limit*factor, l.limit+1)
	}
	l.limit = max(min(l.limit, l.max), min(l.max, leastLimit))
	l.call()
	busy = l.queue.Len() > 0 || float64(l.running) > l.limit/2
	l.full = l.queue.Len() > 0
	if !busy {
		l.limit, l.delay, l.adapting = max(l.limit, min(l.max, usualLimit)), 0, false
	}
	return busy
}
