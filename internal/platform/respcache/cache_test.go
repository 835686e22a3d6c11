package respcache_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

var (
	countOf   = db.SQL("respcachetest.count", `SELECT COALESCE(SUM(n), 0) FROM event_slots WHERE event_id = $1`, db.Key{Table: "event_slots", Param: 1})
	addToOne  = db.SQL("respcachetest.add", `UPDATE event_slots SET n = n + 1 WHERE event_id = $1`, db.Key{Table: "event_slots", Param: 1})
	makeSlots = db.SQL("respcachetest.make", `INSERT INTO event_slots (event_id, slot, n) VALUES ($1, 0, 0)`, db.Key{Table: "event_slots", Param: 1})
)

// number is a cacheable value.
type number int64

func (number) Bytes() int { return 8 }

// fixture is a cache on a database with two rows. The test sets its clock.
type fixture struct {
	*respcache.Cache
	t       *testing.T
	db      *db.DB
	a, b    domain.EventID
	now     atomic.Int64 // microseconds
	metrics *prometheus.Registry
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	w := &fixture{t: t, db: d, a: domain.NewID[domain.EventKind](time.Unix(1, 0)), b: domain.NewID[domain.EventKind](time.Unix(1, 0)), metrics: prometheus.NewRegistry()}
	w.now.Store(time.Unix(1000, 0).UnixMicro())
	w.Cache = respcache.New(respcache.Options{DB: d, Clock: func() time.Time { return time.UnixMicro(w.now.Load()) }, Bytes: 1 << 20, Metrics: w.metrics})
	for _, id := range []domain.EventID{w.a, w.b} {
		w.exec(makeSlots, id)
	}
	return w
}

func (w *fixture) exec(s *db.Stmt, args ...any) {
	w.t.Helper()
	if _, err := w.db.Exec(w.t.Context(), s, args...); err != nil {
		w.t.Error(err)
	}
}

// read reads a number.
func (w *fixture) read(ctx context.Context, s *db.Stmt, args ...any) (n number, err error) {
	err = w.db.One(ctx, s, args...).Scan(&n)
	return n, err
}

// times returns how often a kind had a result.
func (w *fixture) times(kind, result string) int {
	w.t.Helper()
	families, err := w.metrics.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if labels := m.GetLabel(); labels[0].GetValue() == kind && labels[1].GetValue() == result {
				return int(m.GetCounter().GetValue())
			}
		}
	}
	return 0
}

func (w *fixture) of(ctx context.Context, key respcache.Key, compute func(context.Context) (number, error)) number {
	w.t.Helper()
	n, err := respcache.GetOrCompute(ctx, w.Cache, key, compute)
	if err != nil {
		w.t.Error(err)
	}
	return n
}

func TestServesEntryWhileValid(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newFixture(t, d)
		now := func() time.Time { return time.UnixMicro(w.now.Load()) }
		cacheable := func(ctx context.Context) (number, error) {
			respcache.ValidBetween(ctx, now(), time.Time{})
			return w.read(ctx, countOf, w.a)
		}
		for _, c := range []struct {
			name    string
			compute func(context.Context) (number, error)
			then    func()
			hit     bool
		}{
			{"nothing changes", cacheable, func() {}, true},
			{"another row changes", cacheable, func() { w.exec(addToOne, w.b) }, true},
			{"its row changes", cacheable, func() { w.exec(addToOne, w.a) }, false},
			{"the clock advances", cacheable, func() { w.now.Add(1e6) }, true},
			{"the clock goes back", cacheable, func() { w.now.Add(-1) }, false},
			{"not cacheable", func(ctx context.Context) (number, error) { return w.read(ctx, countOf, w.a) }, func() {}, false},
			{"its window ends", func(ctx context.Context) (number, error) {
				respcache.ValidBetween(ctx, now(), now().Add(time.Second))
				return w.read(ctx, countOf, w.a)
			}, func() { w.now.Add(1e6) }, false},
			{"just before its window ends", func(ctx context.Context) (number, error) {
				respcache.ValidBetween(ctx, now(), now().Add(time.Second))
				return w.read(ctx, countOf, w.a)
			}, func() { w.now.Add(1e6 - 1) }, true},
			{"a change while it is computed", func(ctx context.Context) (number, error) {
				n, err := cacheable(ctx)
				w.exec(addToOne, w.a)
				return n, err
			}, func() {}, false},
			{"nested value changes", func(ctx context.Context) (number, error) {
				respcache.ValidAnyTime(ctx)
				return respcache.GetOrCompute(ctx, w.Cache, respcache.Key{Kind: "inside"}, cacheable)
			}, func() { w.exec(addToOne, w.a) }, false},
			{"window of nested value ends", func(ctx context.Context) (number, error) {
				respcache.ValidAnyTime(ctx)
				return respcache.GetOrCompute(ctx, w.Cache, respcache.Key{Kind: "inside for a second"}, func(ctx context.Context) (number, error) {
					respcache.ValidBetween(ctx, now(), now().Add(time.Second))
					return w.read(ctx, countOf, w.a)
				})
			}, func() { w.now.Add(1e6) }, false},
			{"nested value was cached before", func(ctx context.Context) (number, error) {
				respcache.ValidAnyTime(ctx)
				return respcache.GetOrCompute(ctx, w.Cache, respcache.Key{Kind: "nothing changes"}, cacheable)
			}, func() { w.exec(addToOne, w.a) }, false},
		} {
			key := respcache.Key{Kind: c.name}
			var got number
			hit := false
			for tries := 0; tries == 0 || c.hit && !hit && tries < 5; tries++ { // a second may have passed, or a connection may have begun to listen
				w.of(t.Context(), key, c.compute)
				c.then()
				before := w.times(c.name, "miss")
				got = w.of(t.Context(), key, c.compute)
				hit = w.times(c.name, "miss") == before
			}
			if hit != c.hit {
				t.Errorf("%s: hit: %t, want %t", c.name, hit, c.hit)
			}
			if want, _ := w.read(t.Context(), countOf, w.a); c.name != "a change while it is computed" && got != want {
				t.Errorf("%s: %d, want %d", c.name, got, want)
			}
		}
	})
}

func TestErrorsAreNotCached(t *testing.T) {
	w := newFixture(t, dbtest.Open(t, db.SQLite))
	wrong := errors.New("wrong")
	for range 2 {
		n, err := respcache.GetOrCompute(t.Context(), w.Cache, respcache.Key{Kind: "error"}, func(ctx context.Context) (number, error) {
			respcache.ValidAnyTime(ctx)
			return 7, wrong
		})
		if n != 7 || !errors.Is(err, wrong) {
			t.Errorf("%d, %v", n, err)
		}
	}
	if n := w.times("error", "miss"); n != 2 {
		t.Errorf("computed %d times, want 2", n)
	}
}

func TestNilCacheComputes(t *testing.T) {
	c := respcache.New(respcache.Options{})
	n, err := respcache.GetOrCompute(t.Context(), c, respcache.Key{}, func(ctx context.Context) (number, error) {
		respcache.ValidAnyTime(ctx)
		return 1, nil
	})
	if _, ok := respcache.Get[number](c, respcache.Key{}); n != 1 || err != nil || ok {
		t.Error(n, err, ok)
	}
}

// The machine's clock of synctest advances only while every goroutine waits.
func TestEntryExpiresAfterOneSecond(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	synctest.Test(t, func(t *testing.T) {
		c := respcache.New(respcache.Options{DB: d, Clock: domain.SystemClock(), Bytes: 1 << 20, Metrics: prometheus.NewRegistry()})
		constant := func(ctx context.Context) (number, error) {
			respcache.ValidAnyTime(ctx)
			return 1, nil
		}
		if _, err := respcache.GetOrCompute(t.Context(), c, respcache.Key{}, constant); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second - 1)
		if _, ok := respcache.Get[number](c, respcache.Key{}); !ok {
			t.Error("expired too soon")
		}
		time.Sleep(time.Nanosecond)
		if _, ok := respcache.Get[number](c, respcache.Key{}); ok {
			t.Error("served after a second")
		}
	})
}

func TestConcurrentRequestsAreCoalesced(t *testing.T) {
	const many = 50
	for _, c := range []struct {
		name     string
		first    func(w *fixture, ctx context.Context) (number, error) // after all wait
		computed int
	}{
		{"computed once", func(_ *fixture, ctx context.Context) (number, error) { respcache.ValidAnyTime(ctx); return 0, nil }, 1},
		{"not cacheable", func(*fixture, context.Context) (number, error) { return 1, nil }, many},
		{"an error", func(*fixture, context.Context) (number, error) { return 0, errors.New("wrong") }, many},
		{"a change while it is computed", func(w *fixture, ctx context.Context) (number, error) {
			respcache.ValidAnyTime(ctx)
			n, err := w.read(ctx, countOf, w.a)
			w.exec(addToOne, w.a)
			return n, err
		}, 2},
		{"the first caller hangs up", func(_ *fixture, ctx context.Context) (number, error) { <-ctx.Done(); return 0, ctx.Err() }, 2},
		{"a panic", func(*fixture, context.Context) (number, error) { panic("oh") }, many},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newFixture(t, dbtest.Open(t, db.SQLite))
			key := respcache.Key{Kind: c.name}
			let := make(chan struct{})
			ctx, hangUp := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() {
				defer func() { _ = recover() }()
				_, _ = respcache.GetOrCompute(ctx, w.Cache, key, func(ctx context.Context) (number, error) {
					<-let
					return c.first(w, ctx)
				})
			})
			synctest.Wait()
			for range many - 1 {
				all.Go(func() {
					got, err := respcache.GetOrCompute(t.Context(), w.Cache, key, func(ctx context.Context) (number, error) {
						if c.computed < many {
							respcache.ValidAnyTime(ctx)
						}
						return w.read(ctx, countOf, w.a)
					})
					if want, _ := w.read(t.Context(), countOf, w.a); err != nil || got != want {
						t.Errorf("%s: %d, %v, want %d", c.name, got, err, want)
					}
				})
			}
			synctest.Wait() // all wait for the first one
			close(let)
			hangUp()
			all.Wait()
			// A waiter that wakes before the entry is stored computes, too.
			if n := w.times(c.name, "miss"); n < c.computed || n > c.computed+c.computed/2 {
				t.Errorf("%s: computed %d times, want %d", c.name, n, c.computed)
			}
		})
	}
}

func TestWaitForConcurrentComputationIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFixture(t, dbtest.Open(t, db.SQLite))
		ctx, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			_, _ = respcache.GetOrCompute(ctx, w.Cache, respcache.Key{}, func(ctx context.Context) (number, error) { <-ctx.Done(); return 0, ctx.Err() })
		})
		synctest.Wait()
		began := time.Now()
		_, err := respcache.GetOrCompute(t.Context(), w.Cache, respcache.Key{}, func(context.Context) (number, error) { return 1, nil })
		if waited := time.Since(began); !errors.Is(err, db.ErrUnavailable) || waited != 2*time.Second {
			t.Errorf("%v after %v", err, waited)
		}
		end()
		all.Wait()
	})
}

// TestResponseIsNotOlderThanRequest checks that a request that begins after a commit
// never sees older data.
func TestResponseIsNotOlderThanRequest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newFixture(t, d)
		var written atomic.Int64
		var all sync.WaitGroup
		const changes, readers = 200, 50
		all.Go(func() {
			for i := range int64(changes) {
				w.exec(addToOne, w.a)
				written.Store(i + 1)
			}
		})
		for range readers {
			all.Go(func() {
				for atLeast := int64(0); atLeast < changes && !t.Failed(); {
					atLeast = written.Load()
					got := w.of(t.Context(), respcache.Key{Kind: "count"}, func(ctx context.Context) (number, error) {
						respcache.ValidAnyTime(ctx)
						return w.read(ctx, countOf, w.a)
					})
					if int64(got) < atLeast {
						t.Errorf("%d, but %d changes had committed before", got, atLeast)
					}
				}
			})
		}
		all.Wait()
	})
}
