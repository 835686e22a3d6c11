package cache_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

const otherKind db.Kind = "other"

// response returns the response of a key from the cache or from compute.
func (f *fixture) response(key cache.ResponseKey, compute func(context.Context) (*number, error)) *number {
	f.t.Helper()
	n, err := f.responses.GetOrCompute(f.t.Context(), key, []db.Kind{count}, compute)
	if err != nil {
		f.t.Error(err)
	}
	return n
}

func TestResponsesAreServedWhileValid(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, 1<<20)
		until := func(times ...time.Duration) func(context.Context) (*number, error) {
			return func(ctx context.Context) (*number, error) {
				for _, end := range times {
					if end == 0 {
						cache.Until(ctx, time.Time{})
					} else {
						cache.Until(ctx, time.UnixMicro(f.now.Load()).Add(end))
					}
				}
				return f.read(ctx, f.a)
			}
		}
		changeOther := func() {
			_ = f.db.InTx(t.Context(), func(tx db.Tx) error { tx.Changed(otherKind.All()); return nil })
		}
		for _, c := range []struct {
			name    string
			compute func(context.Context) (*number, error)
			then    func()
			hit     bool
		}{
			{"nothing changes", until(0), func() {}, true},
			{"another kind changes", until(0), changeOther, true},
			{"an entity of its kind changes", until(0), func() { f.add(f.b) }, false},
			{"the clock advances", until(0), func() { f.now.Add(1e6) }, true},
			{"the clock goes back", until(0), func() { f.now.Add(-1) }, false},
			{"not cacheable", until(), func() {}, false},
			{"its window ends", until(time.Second), func() { f.now.Add(1e6) }, false},
			{"just before its window ends", until(time.Second), func() { f.now.Add(1e6 - 1) }, true},
			{"the first of its windows ends", until(time.Minute, time.Second, 0, time.Hour), func() { f.now.Add(1e6) }, false},
			{"a change while it is computed", func(ctx context.Context) (*number, error) {
				n, err := until(0)(ctx)
				f.add(f.a)
				return n, err
			}, func() {}, false},
		} {
			key := cache.ResponseKey{Kind: c.name}
			hit := false
			for tries := 0; tries == 0 || c.hit && !hit && tries < 20; tries++ { // an instance may distrust its versions for a moment
				f.response(key, c.compute)
				c.then()
				before := f.times(c.name, "miss")
				got := f.response(key, c.compute)
				hit = f.times(c.name, "miss") == before
				if want, _ := f.read(t.Context(), f.a); c.name != "a change while it is computed" && *got != *want {
					t.Errorf("%s: %v, want %v", c.name, got, want)
				}
			}
			if hit != c.hit {
				t.Errorf("%s: hit: %t, want %t", c.name, hit, c.hit)
			}
		}
	})
}

func TestFailedResponsesAreNotCached(t *testing.T) {
	f := newFixture(t, dbtest.Open(t, db.SQLite), 1<<20)
	wrong := errors.New("wrong")
	for range 2 {
		n, err := f.responses.GetOrCompute(t.Context(), cache.ResponseKey{Kind: "error"}, nil, func(ctx context.Context) (*number, error) {
			cache.Until(ctx, time.Time{})
			return &number{n: 7}, wrong
		})
		if n.n != 7 || !errors.Is(err, wrong) {
			t.Errorf("%v, %v", n, err)
		}
	}
	if n := f.times("error", "miss"); n != 2 {
		t.Errorf("computed %d times, want 2", n)
	}
}

// The machine's clock of synctest advances only while every goroutine waits. It is
// earlier than the real one, so that versions stay trusted.
func TestConcurrentRequestsAreCoalesced(t *testing.T) {
	const many = 50
	constant := func(ctx context.Context) (*number, error) {
		cache.Until(ctx, time.Time{})
		return &number{}, nil
	}
	for _, c := range []struct {
		name     string
		first    func(f *fixture, ctx context.Context) (*number, error) // after all wait
		computed int
	}{
		{"computed once", func(_ *fixture, ctx context.Context) (*number, error) { return constant(ctx) }, 1},
		{"not cacheable", func(*fixture, context.Context) (*number, error) { return &number{n: 1}, nil }, many},
		{"an error", func(*fixture, context.Context) (*number, error) { return nil, errors.New("wrong") }, many},
		{"a change while it is computed", func(f *fixture, ctx context.Context) (*number, error) {
			n, err := constant(ctx)
			f.add(f.a)
			return n, err
		}, 2},
		{"the first caller hangs up", func(_ *fixture, ctx context.Context) (*number, error) { <-ctx.Done(); return nil, ctx.Err() }, 2},
		{"a panic", func(*fixture, context.Context) (*number, error) { panic("oh") }, many},
	} {
		attempt := func(t *testing.T) (computations int) {
			f := newFixture(t, dbtest.Open(t, db.SQLite), 1<<20)
			key := cache.ResponseKey{Kind: c.name}
			let := make(chan struct{})
			ctx, hangUp := context.WithCancel(t.Context())
			var computed atomic.Int64
			var all sync.WaitGroup
			all.Go(func() {
				defer func() { _ = recover() }()
				_, _ = f.responses.GetOrCompute(ctx, key, []db.Kind{count}, func(ctx context.Context) (*number, error) {
					computed.Add(1)
					<-let
					return c.first(f, ctx)
				})
			})
			synctest.Wait()
			for range many - 1 {
				all.Go(func() {
					got, err := f.responses.GetOrCompute(t.Context(), key, []db.Kind{count}, func(ctx context.Context) (*number, error) {
						computed.Add(1)
						if c.computed < many {
							cache.Until(ctx, time.Time{})
						}
						return &number{n: 0}, nil
					})
					if err != nil || got.n != 0 {
						t.Errorf("%s: %v, %v", c.name, got, err)
					}
				})
			}
			synctest.Wait() // all wait for the first one
			close(let)
			hangUp()
			all.Wait()
			return int(computed.Load())
		}
		// A waiter that wakes before the response is stored computes, too. So do all callers if the database
		// looks at its file meanwhile.
		n, most := 0, c.computed+c.computed/2
		for attempts := 0; attempts < 5 && (n < c.computed || n > most); attempts++ {
			synctest.Test(t, func(t *testing.T) { n = attempt(t) })
		}
		if n < c.computed || n > most {
			t.Errorf("%s: computed %d times, want %d", c.name, n, c.computed)
		}
	}
}

// TestOutageFailsAllWaitingRequests lets the first of many requests wait in vain for the
// database: the others must not wait again.
func TestOutageFailsAllWaitingRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, dbtest.Open(t, db.SQLite), 1<<20)
		began := time.Now()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				_, err := f.responses.GetOrCompute(t.Context(), cache.ResponseKey{}, nil, func(context.Context) (*number, error) {
					time.Sleep(400 * time.Millisecond)
					return nil, db.ErrUnavailable
				})
				if waited := time.Since(began); !errors.Is(err, db.ErrUnavailable) || waited > 400*time.Millisecond {
					t.Errorf("%v after %v", err, waited)
				}
			})
		}
		all.Wait()
	})
}

func TestWaitForConcurrentComputationIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, dbtest.Open(t, db.SQLite), 1<<20)
		ctx, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			_, _ = f.responses.GetOrCompute(ctx, cache.ResponseKey{}, nil, func(ctx context.Context) (*number, error) {
				<-ctx.Done()
				return nil,
					ctx.Err()
			})
		})
		synctest.Wait()
		began := time.Now()
		_, err := f.responses.GetOrCompute(t.Context(), cache.ResponseKey{}, nil, func(context.Context) (*number, error) {
			return &number{},
				nil
		})
		if waited := time.Since(began); !errors.Is(err, db.ErrUnavailable) || waited != time.Second {
			t.Errorf("%v after %v", err, waited)
		}
		end()
		all.Wait()
	})
}

// TestResponsesAreNotOlderThanRequests checks that a request that begins after a commit
// never gets older data.
func TestResponsesAreNotOlderThanRequests(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, 1<<20)
		var written atomic.Int64
		var all sync.WaitGroup
		const changes, readers = 200, 20
		all.Go(func() {
			for i := range int64(changes) {
				f.add(f.a)
				written.Store(i + 1)
			}
		})
		for range readers {
			all.Go(func() {
				for atLeast := int64(0); atLeast < changes && !t.Failed(); {
					atLeast = written.Load()
					got := f.response(cache.ResponseKey{Kind: "count"}, func(ctx context.Context) (*number, error) {
						cache.Until(ctx, time.Time{})
						return f.read(ctx, f.a)
					})
					if got.n < atLeast {
						t.Errorf("%d, but %d changes had committed before", got.n, atLeast)
					}
				}
			})
		}
		all.Wait()
	})
}
