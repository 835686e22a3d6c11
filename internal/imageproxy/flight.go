package imageproxy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"

	"moothall/internal/domain"
)

// flights let everybody who wants the same image at the same time wait for one
// fetch. It ends early when nobody waits for it any more.
type flights struct {
	mu      sync.Mutex
	byKey   map[string]*flight
	waiting int
}

// flight is one fetch and those who wait for it.
type flight struct {
	waiters int
	cancel  context.CancelFunc
	done    chan struct{} // closed when path and err stand
	path    string        // of a file that is removed when everybody has opened it
	err     error
}

// open waits for the fetch of a key and opens what it brought.
func (f *flights) open(ctx context.Context, key string, fetch func(context.Context) (path string, err error)) (*Picture, error) {
	one, err := f.board(ctx, key, fetch)
	if err != nil {
		return nil, err
	}
	defer f.leave(key, one)
	select {
	case <-ctx.Done():
		return nil, unanswered(ctx)
	case <-one.done:
	}
	if one.err != nil {
		return nil, one.err
	}
	return openPicture(one.path)
}

func (f *flights) board(ctx context.Context, key string, fetch func(context.Context) (path string, err error)) (*flight, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.waiting >= maxWaiting {
		return nil, domain.ServiceUnavailable
	}
	f.waiting++
	one := f.byKey[key]
	if one == nil {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), deadline)
		one = &flight{cancel: cancel, done: make(chan struct{})}
		if f.byKey == nil {
			f.byKey = map[string]*flight{}
		}
		f.byKey[key] = one
		go one.fly(own, fetch)
	}
	one.waiters++
	return one, nil
}

// fly fetches. Foreign bytes may surprise a decoder; that is not to end the
// service.
func (one *flight) fly(ctx context.Context, fetch func(context.Context) (path string, err error)) {
	defer close(one.done)
	defer func() {
		if p := recover(); p != nil {
			one.err = fmt.Errorf("imageproxy: panic: %v\n%s", p, debug.Stack())
		}
	}()
	one.path, one.err = fetch(ctx)
}

// leave ends the flight with its last waiter. Who comes later begins another.
func (f *flights) leave(key string, one *flight) {
	f.mu.Lock()
	f.waiting--
	one.waiters--
	last := one.waiters == 0
	if last {
		delete(f.byKey, key)
	}
	f.mu.Unlock()
	if !last {
		return
	}
	one.cancel()
	go func() {
		<-one.done
		if one.err == nil {
			_ = os.Remove(one.path) // the cache has it under another name, or does not
		}
	}()
}

// unanswered is what becomes of a wait that ended first: the other host took
// too long, or the client is gone.
func unanswered(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return upstream(ctx.Err())
	}
	return ctx.Err()
}
