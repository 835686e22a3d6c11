package push

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Users choose the push services. Slow services must not delay the others. So the client limits the
// messages in progress to hosts whose latest answer was not quick, and pauses a host that fails
// repeatedly.
const (
	// MaxParallel is how many messages callers should send at the same time.
	MaxParallel = 256
	maxUnproven = 64 // of MaxParallel

	quickAnswer = 2 * time.Second
	maxFailures = 3                // in a row
	pause       = time.Minute      // after maxFailures
	busyPause   = 10 * time.Second // if maxUnproven is reached
	firstPause  = time.Second      // the same, for a host without a result yet
	maxHosts    = 1000
)

// hosts stores the latest results of push services. It forgets all when there are maxHosts.
type hosts struct {
	mu       sync.Mutex
	all      map[string]*host
	unproven int // messages in progress to unproven hosts
}

type host struct {
	known    bool // there is a result
	proven   bool // the latest answer was quick
	failures int  // since the latest answer
	paused   time.Time
}

// attempt is a message in progress.
type attempt struct {
	*host
	began    time.Time
	unproven bool
}

// begin returns a *LaterError if a message to a host must wait.
func (h *hosts) begin(name string, now time.Time) (attempt, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	one, known := h.all[name]
	if !known {
		if h.all == nil || len(h.all) >= maxHosts {
			h.all = map[string]*host{}
		}
		one = &host{}
		h.all[name] = one
	}
	x := attempt{one, now, !one.proven}
	switch {
	case now.Before(one.paused):
		return x, &LaterError{After: one.paused.Sub(now), Reason: "the push service does not answer", NotSent: true}
	case x.unproven && h.unproven >= maxUnproven:
		after := firstPause
		if one.known {
			after = busyPause
		}
		return x, &LaterError{After: after, Reason: "too many messages to slow push services", NotSent: true}
	case x.unproven:
		h.unproven++
	}
	return x, nil
}

// end records the result of a message.
func (h *hosts) end(x attempt, err error, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if x.unproven {
		h.unproven--
	}
	if errors.Is(err, context.Canceled) {
		return // the service stops
	}
	x.known = true
	if _, failed := errors.AsType[*LaterError](err); failed {
		x.proven = false
		if x.failures++; x.failures >= maxFailures {
			x.paused = now.Add(pause)
		}
		return
	}
	x.failures, x.proven = 0, now.Sub(x.began) < quickAnswer
}
