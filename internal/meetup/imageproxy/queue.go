package imageproxy

import (
	"context"
	"errors"
	"net/url"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"moothall/internal/domain"
)

// source is who causes work: the site of the image, and the client that requests it.
// Limits apply to each of them, so that nobody can block the proxy for others.
type source struct{ site, caller string }

// sourceOf counts all hosts of one registered domain as one site.
func sourceOf(u *url.URL, caller string) source {
	site, err := publicsuffix.EffectiveTLDPlusOne(u.Host)
	if err != nil { // an address
		site = u.Host
	}
	return source{site: "site " + site, caller: "caller " + caller}
}

// shares counts what each site and each caller uses.
type shares map[string]int64

// take adds n to both shares, unless one of them would exceed most.
func (s shares) take(who source, n, most int64) bool {
	if s[who.site]+n > most || s[who.caller]+n > most {
		return false
	}
	s[who.site] += n
	s[who.caller] += n
	return true
}

func (s shares) give(who source, n int64) {
	for _, key := range []string{who.site, who.caller} {
		if s[key] -= n; s[key] <= 0 {
			delete(s, key)
		}
	}
}

// task is work that waits in a queue. Its memory and work are 0 if it is a fetch.
type task struct {
	source
	memory   int64 // bytes
	work     int64 // about 15 ns of one processor each
	admitted chan struct{}
}

// resource is what tasks take. A queue calls its methods one at a time.
type resource interface {
	take(*task) bool // false if the task has to wait
	give(*task)
}

// queue gives a resource to waiting tasks, to small ones first.
type queue struct {
	mu      sync.Mutex
	waiting []*task // by work
	of      resource
}

// acquire waits until the resource is free, at most permitWait. The other host did not
// cause the wait, so its error is not ImageUnavailable.
func (q *queue) acquire(ctx context.Context, t *task) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, permitWait)
	defer cancel()
	t.admitted = make(chan struct{})
	q.mu.Lock()
	at, _ := slices.BinarySearchFunc(q.waiting, t.work+1, func(w *task, work int64) int { return int(w.work - work) }) // after equal ones
	q.waiting = slices.Insert(q.waiting, at, t)
	q.admit()
	q.mu.Unlock()
	release = func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.of.give(t)
		q.admit()
	}
	select {
	case <-t.admitted:
		return release, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if at = slices.Index(q.waiting, t); at < 0 { // admitted at the same moment
		return release, nil
	}
	q.waiting = slices.Delete(q.waiting, at, at+1)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, domain.ServiceUnavailable
	}
	return nil, ctx.Err()
}

// admit starts the waiting tasks for which the resource is free.
func (q *queue) admit() {
	q.waiting = slices.DeleteFunc(q.waiting, func(t *task) bool {
		free := q.of.take(t)
		if free {
			close(t.admitted)
		}
		return free
	})
}

// fetchPermits limit concurrent fetches. A site or caller uses at most half of them.
type fetchPermits struct {
	used int
	by   shares
}

func (f *fetchPermits) take(t *task) bool {
	if f.used >= maxFetches || !f.by.take(t.source, 1, maxFetches/2) {
		return false
	}
	f.used++
	return true
}

func (f *fetchPermits) give(t *task) {
	f.used--
	f.by.give(t.source, 1)
}

// Limits of decoding.
const (
	maxMemory   = 28 << 20    // bytes of all images being decoded
	smallMemory = 4 << 20     // bytes; of two concurrent decoders, one decodes only images within this size
	maxWork     = 200_000_000 // of one site or caller in workWindow
	workWindow  = time.Minute
)

// decoders limit the memory of decoding. Decoders cannot reuse memory, so the garbage of
// earlier images counts until it is collected.
type decoders struct {
	live, garbage  int64 // bytes
	running, large int   // decoders

	mu     sync.Mutex
	spent  shares
	window time.Time // start of the present workWindow
}

func (d *decoders) take(t *task) bool {
	large := 0
	if t.memory > smallMemory {
		large = 1
	}
	if d.running == 2 || d.large+large > 1 || d.live+t.memory > maxMemory {
		return false
	}
	if d.live+d.garbage+t.memory > maxMemory {
		runtime.GC()
		d.garbage = 0
	}
	d.running, d.large, d.live = d.running+1, d.large+large, d.live+t.memory
	return true
}

func (d *decoders) give(t *task) {
	if t.memory > smallMemory {
		d.large--
	}
	d.running, d.live, d.garbage = d.running-1, d.live-t.memory, d.garbage+t.memory
}

// charge reports whether the site and the caller may cause the work of a task now.
func (d *decoders) charge(t *task, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Sub(d.window) >= workWindow {
		d.window, d.spent = now, shares{}
	}
	return d.spent.take(t.source, t.work, maxWork)
}

// decoder waits for a decoder. It returns ServiceUnavailable if the wait is too long, or
// if the site or the caller has caused too much work.
func (s *Service) decoder(ctx context.Context, t *task, now time.Time) (release func(), err error) {
	if !s.decoders.charge(t, now) {
		return nil, domain.ServiceUnavailable
	}
	return s.decoding.acquire(ctx, t)
}
