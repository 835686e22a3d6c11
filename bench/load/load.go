package load

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Load describes callers that send requests to one server. Each caller sends its next
// request as soon as it has received the previous response.
type Load struct {
	Address   string
	Callers   int
	Next      func(caller int) (r Request, more bool)
	Received  func(caller int, body []byte) error // called with each response; may be nil
	Time      time.Duration                       // 0: until Next has no more requests
	Most      int                                 // requests of all callers; 0: no limit
	PerSecond int                                 // requests of all callers a second; 0: no limit
	Beside    *Load                               // runs at the same time; may be nil
}

// maxSamples limits the memory of a load: a caller stops after that many requests.
const maxSamples = 4 << 20

// Run returns how long each request took and how long all of them took together.
// It stops at the first response that is not 2xx and returns an error.
func (l Load) Run(ctx context.Context) (took []time.Duration, total time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if l.Most > 0 {
		l.Next = limited(l.Most, l.Next)
	}
	if l.PerSecond > 0 {
		l.Next = paced(l.PerSecond, l.Next)
	}
	conns, err := DialAll(ctx, l.Address, l.Callers, l.Time+Grace)
	defer CloseAll(conns)
	if err != nil {
		return nil, 0, err
	}
	each := make([][]time.Duration, l.Callers)
	watch := Start()
	var callers sync.WaitGroup
	if l.Beside != nil {
		beside := *l.Beside
		beside.Time = l.Time
		callers.Go(func() {
			if _, _, err := beside.Run(ctx); err != nil {
				cancel(err)
			}
		})
	}
	for i, c := range conns {
		callers.Go(func() {
			var err error
			if each[i], err = l.call(ctx, watch, i, c); err != nil {
				cancel(err)
			}
		})
	}
	callers.Wait()
	total = watch.Elapsed()
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	return slices.Concat(each...), total, nil
}

// paced delays next so that it returns at most that many requests a second.
func paced(perSecond int, next func(int) (Request, bool)) func(int) (Request, bool) {
	var begun atomic.Int64
	watch := Start()
	return func(caller int) (Request, bool) {
		due := time.Duration(begun.Add(1)) * time.Second / time.Duration(perSecond)
		time.Sleep(due - watch.Elapsed())
		return next(caller)
	}
}

// limited returns at most n requests of next.
func limited(n int, next func(int) (Request, bool)) func(int) (Request, bool) {
	var begun atomic.Int64
	return func(caller int) (Request, bool) {
		if begun.Add(1) > int64(n) {
			return Request{}, false
		}
		return next(caller)
	}
}

// call runs one caller.
func (l Load) call(ctx context.Context, watch Stopwatch, caller int, c *Conn) (took []time.Duration, err error) {
	now := watch.Elapsed()
	for (l.Time == 0 || now < l.Time) && len(took) < maxSamples && ctx.Err() == nil {
		r, more := l.Next(caller)
		if !more {
			break
		}
		body, err := c.Ask(r)
		if err != nil {
			return nil, err
		}
		if l.Received != nil {
			if err := l.Received(caller, body); err != nil {
				return nil, fmt.Errorf("%s %s: %w", r.Method, r.Target, err)
			}
		}
		before := now
		now = watch.Elapsed()
		took = append(took, now-before)
	}
	return took, nil
}
