package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// load is callers that ask one server, each as fast as it is answered.
type load struct {
	address string
	callers int
	next    func(caller int) (r request, more bool)
	answer  func(caller int, body []byte) error // may be nil
	time    time.Duration                       // 0: as long as next gives requests
	most    int                                 // requests of all callers; 0: any number
}

// upTo gives at most n requests.
func upTo(n int, next func(int) (request, bool)) func(int) (request, bool) {
	var begun atomic.Int64
	return func(caller int) (request, bool) {
		if begun.Add(1) > int64(n) {
			return request{}, false
		}
		return next(caller)
	}
}

// patience bounds how much longer than its time a load may take.
const patience = 30 * time.Second

// mostSamples bounds the memory of a load: it ends when a caller has so many.
const mostSamples = 4 << 20

// run gives how long each request took, and how long all took together. An answer other than 2xx is an error.
func (l load) run(ctx context.Context) (took []time.Duration, all time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if l.most > 0 {
		l.next = upTo(l.most, l.next)
	}
	var conns []*conn
	defer func() {
		for _, c := range conns {
			_ = c.net.Close() // everything was read
		}
	}()
	for range l.callers {
		c, err := dial(ctx, l.address, l.time+patience)
		if err != nil {
			return nil, 0, err
		}
		conns = append(conns, c)
	}
	each := make([][]time.Duration, l.callers)
	watch := start()
	var callers sync.WaitGroup
	for i, c := range conns {
		callers.Go(func() {
			var err error
			if each[i], err = l.call(ctx, watch, i, c); err != nil {
				cancel(err)
			}
		})
	}
	callers.Wait()
	all = watch.elapsed()
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	return slices.Concat(each...), all, nil
}

// call is one caller.
func (l load) call(ctx context.Context, watch stopwatch, caller int, c *conn) (took []time.Duration, err error) {
	now := watch.elapsed()
	for (l.time == 0 || now < l.time) && len(took) < mostSamples && ctx.Err() == nil {
		r, more := l.next(caller)
		if !more {
			break
		}
		body, err := c.ask(r)
		if err != nil {
			return nil, err
		}
		if l.answer != nil {
			if err := l.answer(caller, body); err != nil {
				return nil, fmt.Errorf("%s %s: %w", r.method, r.target, err)
			}
		}
		before := now
		now = watch.elapsed()
		took = append(took, now-before)
	}
	return took, nil
}
