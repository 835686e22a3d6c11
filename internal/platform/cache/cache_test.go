package cache_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// count is a kind of entities: the numbers of two events.
const count db.Kind = "count"

var (
	countOf  = db.SQL("cachetest.count", `SELECT n FROM event_slots WHERE event_id = $1`)
	countsOf = db.SQL("cachetest.counts", `SELECT event_id, n FROM event_slots WHERE event_id IN (SELECT value FROM ids($1) AS l)`)
	add      = db.SQL("cachetest.add", `INSERT INTO event_slots (event_id, slot, n) VALUES ($1, 0, 0)
		ON CONFLICT (event_id, slot) DO UPDATE SET n = event_slots.n + 1`)
)

// number is a cached value: the number of an event.
type number struct {
	of domain.EventID
	n  int64
}

func (*number) Bytes() int              { return 8 }
func (n *number) Entities() []db.Entity { return []db.Entity{count.Of(n.of)} }

// fixture is a memory of caches on a database with the numbers of two events. The test
// sets its clock.
type fixture struct {
	*cache.Memory
	t         *testing.T
	db        *db.DB
	a, b      domain.EventID
	now       atomic.Int64 // microseconds
	metrics   *prometheus.Registry
	responses *cache.Responses[*number]
}

func newFixture(t *testing.T, d *db.DB, bytes int64) *fixture {
	f := &fixture{t: t, db: d, a: domain.NewID[domain.EventKind](time.Unix(1, 0)), b: domain.NewID[domain.EventKind](time.Unix(1, 0)),
		metrics: prometheus.NewRegistry()}
	f.now.Store(time.Unix(1000, 0).UnixMicro())
	f.Memory = cache.NewMemory(d, func() time.Time { return time.UnixMicro(f.now.Load()) }, bytes, f.metrics)
	f.responses = cache.NewResponses[*number](f.Memory, 0.5)
	for _, id := range []domain.EventID{f.a, f.b} {
		f.add(id)
	}
	for until := time.Now().Add(time.Minute); !d.Unchanged(d.Version(), nil); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal("the versions are not trusted within a minute")
		}
	}
	return f
}

// add adds one to the number of an event.
func (f *fixture) add(id domain.EventID) {
	f.t.Helper()
	err := f.db.InTx(f.t.Context(), func(tx db.Tx) error {
		tx.Changed(count.Of(id))
		tx.Queue(f.t.Context(), add, id)
		return nil
	})
	if err != nil {
		f.t.Error(err)
	}
}

// read reads the number of an event from the database.
func (f *fixture) read(ctx context.Context, id domain.EventID) (*number, error) {
	n := &number{of: id}
	return n, f.db.One(ctx, countOf, id).Scan(&n.n)
}

// times returns how often a cache had a result.
func (f *fixture) times(name, result string) int {
	f.t.Helper()
	families, err := f.metrics.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if labels := m.GetLabel(); len(labels) == 2 && labels[0].GetValue() == name && labels[1].GetValue() == result {
				return int(m.GetCounter().GetValue())
			}
		}
	}
	return 0
}

// numbers returns a cache of numbers that counts its loads.
func (f *fixture) numbers(loads *[][]domain.EventID) *cache.Entries[domain.EventID, *number] {
	return cache.NewEntries(f.Memory, "numbers", 0.5, cache.IDKey[domain.EventID],
		func(ctx context.Context, ids []domain.EventID) (map[domain.EventID]*number, error) {
			*loads = append(*loads, slices.Clone(ids))
			numbers := map[domain.EventID]*number{}
			for row, err := range f.db.Query(ctx, countsOf, ids) {
				n := &number{}
				if err == nil {
					err = row.Scan(&n.of, &n.n)
				}
				if err != nil {
					return nil, err
				}
				numbers[n.of] = n
			}
			return numbers, nil
		})
}

func TestEntriesLoadWhatChanged(t *testing.T) {
	unknown := domain.NewID[domain.EventKind](time.Unix(2, 0))
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d, 1<<20)
		var loads [][]domain.EventID
		numbers := f.numbers(&loads)
		get := func(ctx context.Context, ids ...domain.EventID) []*number {
			t.Helper()
			loads = nil
			got, err := numbers.Get(ctx, ids...)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range got {
				want, err := f.read(t.Context(), ids[i])
				if exists := err == nil; exists != (n != nil) || exists && *n != *want {
					t.Errorf("%v is %v, want %v", ids[i], n, want)
				}
			}
			return got
		}
		for _, c := range []struct {
			name   string
			ctx    context.Context
			before func()
			get    []domain.EventID
			load   []domain.EventID
		}{
			{"nothing is cached", t.Context(), func() {}, []domain.EventID{f.a, f.b}, []domain.EventID{f.a, f.b}},
			{"both are cached", t.Context(), func() {}, []domain.EventID{f.b, f.a}, nil},
			{"one has changed", t.Context(), func() { f.add(f.a) }, []domain.EventID{f.a, f.b}, []domain.EventID{f.a}},
			{"both are cached again", t.Context(), func() {}, []domain.EventID{f.a, f.b, f.a}, nil},
			{"a key without a value", t.Context(), func() {}, []domain.EventID{unknown, f.a}, []domain.EventID{unknown}},
			{"it is not cached", t.Context(), func() {}, []domain.EventID{f.a, unknown}, []domain.EventID{unknown}},
			{"bypassed", cache.Bypass(t.Context()), func() {}, []domain.EventID{f.a}, []domain.EventID{f.a}},
			{"no key", t.Context(), func() {}, nil, nil},
		} {
			c.before()
			var loaded []domain.EventID
			for range 20 { // an instance may distrust its versions for a moment
				get(c.ctx, c.get...)
				if loaded = slices.Concat(loads...); slices.Equal(loaded, c.load) || len(loaded) <= len(c.load) {
					break
				}
			}
			if !slices.Equal(loaded, c.load) || len(loads) > 1 {
				t.Errorf("%s: loaded %v, want %v at once", c.name, loads, c.load)
			}
		}
		if f.times("numbers", "hit") == 0 || f.times("numbers", "miss") == 0 {
			t.Error("hits and misses are not counted")
		}
	})
}

// TestEntriesDoNotKeepValuesOfAChange changes a number after it was read and before it
// is stored.
func TestEntriesDoNotKeepValuesOfAChange(t *testing.T) {
	f := newFixture(t, dbtest.Open(t, db.SQLite), 1<<20)
	change := true
	numbers := cache.NewEntries(f.Memory, "numbers", 0.5, cache.IDKey[domain.EventID],
		func(ctx context.Context, ids []domain.EventID) (map[domain.EventID]*number, error) {
			n, err := f.read(ctx, ids[0])
			if change {
				f.add(ids[0])
			}
			return map[domain.EventID]*number{ids[0]: n}, err
		})
	for _, want := range []int64{0, 1, 1} {
		got, err := numbers.Get(t.Context(), f.a)
		if err != nil || got[0].n != want {
			t.Errorf("%d, %v; want %d", got[0].n, err, want)
		}
		change = false
	}
}

func TestEntriesReturnErrors(t *testing.T) {
	f := newFixture(t, dbtest.Open(t, db.SQLite), 1<<20)
	wrong := errors.New("wrong")
	numbers := cache.NewEntries(f.Memory, "numbers", 0.5, cache.IDKey[domain.EventID],
		func(context.Context, []domain.EventID) (map[domain.EventID]*number, error) {
			return nil, wrong
		})
	if _, err := numbers.Get(t.Context(), f.a); !errors.Is(err, wrong) {
		t.Error(err)
	}
}

func TestWithoutMemoryNothingIsCached(t *testing.T) {
	f := newFixture(t, dbtest.Open(t, db.SQLite), 0)
	var loads [][]domain.EventID
	numbers, computed := f.numbers(&loads), 0
	if f.responses != nil {
		t.Fatal("there are responses")
	}
	for range 2 {
		if _, err := numbers.Get(t.Context(), f.a); err != nil {
			t.Error(err)
		}
		n, err := f.responses.GetOrCompute(t.Context(), cache.ResponseKey{}, nil, func(ctx context.Context) (*number, error) {
			computed++
			cache.Until(ctx, time.Time{})
			return f.read(ctx, f.a)
		})
		if _, ok := f.responses.Get(t.Context(), cache.ResponseKey{}); n == nil || err != nil || ok {
			t.Error(n, err, ok)
		}
	}
	if len(loads) != 2 || computed != 2 {
		t.Errorf("%d loads, %d computations", len(loads), computed)
	}
}
