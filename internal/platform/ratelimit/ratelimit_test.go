package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/test/dbtest"
)

var begin = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

var (
	open   = ratelimit.Limit{Name: "open", Default: ratelimit.Quota{N: 120, Window: time.Minute}, Open: true}
	closed = ratelimit.Limit{Name: "closed", Default: ratelimit.Quota{N: 60, Window: time.Minute}}
)

// eachStore runs a test on every kind of store.
func eachStore(t *testing.T, test func(t *testing.T, s ratelimit.Store)) {
	t.Run("memory", func(t *testing.T) { test(t, ratelimit.NewMemory()) })
	t.Run("postgresql", func(t *testing.T) { test(t, ratelimit.NewTable(dbtest.Open(t, db.PostgreSQL))) })
}

// taker takes operations of one key.
type taker struct {
	t     *testing.T
	store ratelimit.Store
	key   ratelimit.Key
	quota ratelimit.Quota
}

func (k taker) take(now time.Time) bool {
	k.t.Helper()
	_, ok, err := k.store.Take(k.t.Context(), k.key, k.quota, 1, now)
	if err != nil {
		k.t.Fatal(err)
	}
	return ok
}

// want expects that n operations are let through, and the next one is refused.
func (k taker) want(n int, now time.Time) {
	k.t.Helper()
	for i := range n {
		if !k.take(now) {
			k.t.Fatalf("%s: only %d of %d at %v", k.quota, i, n, now.Sub(begin))
		}
	}
	if k.take(now) {
		k.t.Errorf("%s: more than %d at %v", k.quota, n, now.Sub(begin))
	}
}

func TestQuotaRefills(t *testing.T) {
	eachStore(t, func(t *testing.T, s ratelimit.Store) {
		for i, q := range []ratelimit.Quota{{1, time.Second}, {3, 10 * time.Minute}, {5, 10 * time.Minute}, {7, time.Minute}, {60, time.Minute}} {
			step := q.Window / time.Duration(q.N)
			k := taker{t, s, ratelimit.Key{0: 1, 1: byte(i)}, q}
			k.want(q.N, begin)
			k.want(0, begin.Add(step-time.Millisecond)) // refusals cost nothing
			k.want(1, begin.Add(step))
			k.want(1, begin.Add(2*step))
			k.want(q.N, begin.Add(3*q.Window))
			k.want(min(2, q.N), begin.Add(3*q.Window+2*step))
		}
	})
}

func TestKeysCountSeparately(t *testing.T) {
	eachStore(t, func(t *testing.T, s ratelimit.Store) {
		q := ratelimit.Quota{N: 2, Window: time.Minute}
		taker{t, s, ratelimit.Key{1}, q}.want(2, begin)
		taker{t, s, ratelimit.Key{2}, q}.want(2, begin)
	})
}

// TestClockJumps checks that a clock that jumps ahead and back never allows more than
// the shown times would have allowed.
func TestClockJumps(t *testing.T) {
	eachStore(t, func(t *testing.T, s ratelimit.Store) {
		k := taker{t, s, ratelimit.Key{3}, ratelimit.Quota{N: 3, Window: 10 * time.Minute}}
		k.want(3, begin)
		k.want(3, begin.Add(time.Hour)) // once, as if the hour had passed
		k.want(0, begin)                // back again: no new quota
		k.want(0, begin.Add(199*time.Second))
		k.want(1, begin.Add(201*time.Second)) // and not locked until the hour comes

		k.key = ratelimit.Key{4} // clocks of instances a little apart
		k.want(3, begin.Add(30*time.Second))
		for range 5 {
			k.want(0, begin)
			k.want(0, begin.Add(30*time.Second))
		}
	})
}

func TestConcurrentCallersGetExactlyN(t *testing.T) {
	eachStore(t, func(t *testing.T, s ratelimit.Store) {
		var through atomic.Int64
		var all sync.WaitGroup
		k := taker{t, s, ratelimit.Key{5}, ratelimit.Quota{N: 30, Window: time.Hour}}
		for range 8 {
			all.Go(func() {
				for range 20 {
					if k.take(begin) {
						through.Add(1)
					}
				}
			})
		}
		all.Wait()
		if through.Load() != 30 {
			t.Errorf("%d of 30 were let through", through.Load())
		}
	})
}

func TestRefundNeverExceedsQuota(t *testing.T) {
	eachStore(t, func(t *testing.T, s ratelimit.Store) {
		k := taker{t, s, ratelimit.Key{8}, ratelimit.Quota{N: 3, Window: time.Hour}}
		give := func() {
			t.Helper()
			if err := s.Refund(t.Context(), k.key, k.quota, 1); err != nil {
				t.Fatal(err)
			}
		}
		give() // nothing was taken
		k.want(3, begin)
		give()
		k.want(1, begin)
		for range 10 {
			give()
		}
		k.want(3, begin)
		k.want(3, begin.Add(time.Hour))
	})
}

func TestPurgeRemovesFreeKeys(t *testing.T) {
	eachStore(t, func(t *testing.T, s ratelimit.Store) {
		used := taker{t, s, ratelimit.Key{6}, ratelimit.Quota{N: 2, Window: time.Hour}}
		used.want(2, begin)
		for i := range 10 {
			taker{t, s, ratelimit.Key{7, byte(i)}, ratelimit.Quota{N: 60, Window: time.Minute}}.take(begin)
		}
		if n, err := s.Purge(t.Context(), begin.Add(time.Minute)); n != 10 || err != nil {
			t.Errorf("%d keys were purged, %v", n, err)
		}
		used.want(0, begin.Add(time.Minute))
	})
}

// TestStoresDecideAlike takes random operations at random times from both stores.
func TestStoresDecideAlike(t *testing.T) {
	memory, table := ratelimit.NewMemory(), ratelimit.NewTable(dbtest.Open(t, db.PostgreSQL))
	quotas := []ratelimit.Quota{{1, time.Second}, {3, 10 * time.Second}, {7, time.Minute}, {60, time.Minute}}
	now := begin
	for i := range 1500 {
		now = now.Add(time.Duration(rand.IntN(4_000_000)-1_000_000) * time.Microsecond)
		if rand.IntN(50) == 0 {
			now = now.Add(time.Duration(rand.IntN(600)-300) * time.Second)
		}
		n := rand.IntN(len(quotas))
		together := 1 + rand.IntN(quotas[n].N)
		one, oneOK, _ := memory.Take(t.Context(), ratelimit.Key{byte(n)}, quotas[n], together, now)
		two, twoOK, err := table.Take(t.Context(), ratelimit.Key{byte(n)}, quotas[n], together, now)
		if err != nil || oneOK != twoOK || !one.Equal(two) {
			t.Fatalf("%d: %s: memory %v %t, table %v %t, %v", i, quotas[n], one, oneOK, two, twoOK, err)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := ratelimit.NewMemory()
	now := begin
	for i := range 200_000 { // each key is free again after a second
		now = now.Add(time.Millisecond)
		_, _, _ = m.Take(t.Context(), ratelimit.Key{byte(i), byte(i >> 8), byte(i >> 16)}, ratelimit.Quota{N: 60, Window: time.Minute}, 1, now)
	}
	if n, _ := m.Purge(t.Context(), now.Add(time.Hour)); n > 10_000 {
		t.Errorf("%d keys were stored, a thousand are in use", n)
	}
}

// BenchmarkTake measures one decision.
func BenchmarkTake(b *testing.B) {
	for name, d := range map[string]*db.DB{"memory": nil, "postgresql": dbtest.Open(b, db.PostgreSQL)} {
		b.Run(name, func(b *testing.B) {
			l := ratelimit.New(ratelimit.Options{DB: d, Clock: domain.SystemClock(), Key: []byte("key"), Log: slog.New(slog.DiscardHandler)})
			for i := 0; b.Loop(); i++ {
				_ = l.Spend(b.Context(), open, strconv.Itoa(i%1000))
			}
		})
	}
}

// newLimits returns limits in memory with a clock that stands at begin.
func newLimits(quotas map[string]ratelimit.Quota) *ratelimit.Limits {
	return ratelimit.New(ratelimit.Options{
		Clock: func() time.Time { return begin }, Key: []byte("key"), Quotas: quotas, Log: slog.New(slog.DiscardHandler),
	})
}

func TestRefusalSaysWhenToRetry(t *testing.T) {
	l := newLimits(map[string]ratelimit.Quota{closed.Name: {N: 2, Window: time.Minute}})
	first, err := l.Take(t.Context(), closed, "a")
	if err != nil || first.RateLimit() != `"closed";r=1;t=30` || first.Policy() != `"closed";q=2;w=60` {
		t.Errorf("%q %q %v", first.RateLimit(), first.Policy(), err)
	}
	if err := l.Spend(t.Context(), closed, "a"); err != nil {
		t.Error(err)
	}
	err = l.Spend(t.Context(), closed, "a")
	var refused *ratelimit.Refused
	if !errors.Is(err, domain.RateLimited) || !errors.As(err, &refused) {
		t.Fatalf("%v", err)
	}
	if refused.Seconds() != 30 || refused.RateLimit() != `"closed";r=0;t=30` {
		t.Errorf("%d %q", refused.Seconds(), refused.RateLimit())
	}
	if err := l.Spend(t.Context(), closed, "b"); err != nil {
		t.Errorf("another key: %v", err)
	}
	if err := l.Spend(t.Context(), open, "a"); err != nil {
		t.Errorf("the same key under another rule: %v", err)
	}
	var off *ratelimit.Limits
	if err := off.Spend(t.Context(), closed, "a"); err != nil {
		t.Errorf("no limits: %v", err)
	}
	if err := ratelimit.RetryIn(1500 * time.Millisecond); !errors.As(err, &refused) || refused.Seconds() != 2 ||
		!errors.Is(err, domain.RateLimited) {
		t.Errorf("%v", err)
	}
}

// TestSpendNTakesAllOrNothing checks that a refusal says when all operations are allowed together.
func TestSpendNTakesAllOrNothing(t *testing.T) {
	l := newLimits(nil) // 60 a minute
	if err := l.SpendN(t.Context(), closed, "a", 50); err != nil {
		t.Fatal(err)
	}
	var refused *ratelimit.Refused
	if err := l.SpendN(t.Context(), closed, "a", 30); !errors.As(err, &refused) || refused.Seconds() != 20 {
		t.Errorf("30 more than 10: %v", err)
	}
	if err := l.SpendN(t.Context(), closed, "a", 10); err != nil {
		t.Errorf("the refusal was counted: %v", err)
	}
	l.RefundN(t.Context(), closed, "a", 5)
	if err := l.SpendN(t.Context(), closed, "a", 5); err != nil {
		t.Errorf("a refunded operation: %v", err)
	}
}

// TestTakeAllTakesNothingIfRefused checks that the refusal with the longest wait is returned,
// and that no other rule is charged.
func TestTakeAllTakesNothingIfRefused(t *testing.T) {
	limit := func(name string, n int) ratelimit.Limit {
		return ratelimit.Limit{Name: name, Default: ratelimit.Quota{N: n, Window: time.Hour}}
	}
	counts := []ratelimit.Count{{Limit: limit("one", 1), Key: "a"}, {Limit: limit("three", 3), Key: "a"}, {Limit: limit("two", 2), Key: "a"}}
	l := newLimits(nil)
	for _, used := range []ratelimit.Count{counts[2], counts[2]} {
		if err := l.Spend(t.Context(), used.Limit, used.Key); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		left, err := l.TakeAll(t.Context(), counts...)
		var refused *ratelimit.Refused
		if !errors.As(err, &refused) || refused.Limit != "two" || left[0].N != 0 || left[1].N != 2 || left[2].N != 0 {
			t.Fatalf("%v, %v", left, err)
		}
	}
	if err := l.Spend(t.Context(), counts[0].Limit, "a"); err != nil {
		t.Errorf("a refused TakeAll was charged: %v", err)
	}
	var refused *ratelimit.Refused
	if _, err := l.TakeAll(t.Context(), counts...); !errors.As(err, &refused) || refused.Limit != "one" || refused.Next != time.Hour {
		t.Errorf("%v", err)
	}
	if err := ratelimit.Longest(nil, refused, domain.ServiceUnavailable); !errors.Is(err, domain.ServiceUnavailable) {
		t.Errorf("%v", err)
	}
}

func TestStoreThatDoesNotAnswer(t *testing.T) {
	d := dbtest.Open(t, db.PostgreSQL)
	var log strings.Builder
	l := ratelimit.New(ratelimit.Options{DB: d, Clock: domain.SystemClock(), Key: []byte("key"),
		Log: slog.New(slog.NewTextHandler(&log, nil))})
	_ = d.Close()
	if err := l.Spend(t.Context(), open, "somebody"); err != nil {
		t.Errorf("open rule: %v", err)
	}
	if err := l.Spend(t.Context(), closed, "somebody"); !errors.Is(err, domain.ServiceUnavailable) {
		t.Errorf("closed rule: %v", err)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || strings.Contains(log.String(), "somebody") {
		t.Errorf("%s", log.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Spend(ctx, open, "a"); err == nil {
		t.Error("a canceled request was let through")
	}
}

func TestStoredKeysAreNotPersonal(t *testing.T) {
	d := dbtest.Open(t, db.PostgreSQL)
	everything := db.SQL("limit_test.rows", `SELECT CAST(key AS TEXT) FROM rate_limits`)
	keys := func(secret string) (all []string) {
		l := ratelimit.New(ratelimit.Options{DB: d, Clock: domain.SystemClock(), Key: []byte(secret), Log: slog.New(slog.DiscardHandler)})
		if err := l.Spend(t.Context(), closed, "ann@example.org"); err != nil {
			t.Fatal(err)
		}
		all, err := db.All(t.Context(), d, func(r db.Row, key *string) error { return r.Scan(key) }, everything)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if one := keys("one secret"); len(one) != 1 || strings.Contains(one[0], fmt.Sprintf("%x", "ann")) {
		t.Errorf("%q", one)
	}
	if both := keys("another secret"); len(both) != 2 {
		t.Errorf("the key does not depend on the secret: %q", both)
	}
}

func TestAddressKeys(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2::": "2001:db8:1:2::",
		"fe80::1%eth0": "fe80::", "::1": "::",
	} {
		if got := ratelimit.Address(netip.MustParseAddr(in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	if ratelimit.Address(netip.Addr{}) == "" {
		t.Error("an unknown address has no key")
	}
}

func TestNetworkKeys(t *testing.T) {
	for in, want := range map[string][2]string{
		"192.0.2.1":          {"192.0.2.0/24", "192.0.2.0/24"},
		"::ffff:192.0.2.1":   {"192.0.2.0/24", "192.0.2.0/24"},
		"2001:db8:1:2::1":    {"2001:db8:1::/48", "2001:db8::/32"},
		"fe80:1:2:3::1%eth0": {"fe80:1:2::/48", "fe80:1::/32"},
	} {
		a := netip.MustParseAddr(in)
		if got := [2]string{ratelimit.Network(a), ratelimit.WideNetwork(a)}; got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
	if ratelimit.Network(netip.Addr{}) == "" {
		t.Error("an unknown address has no key")
	}
}

func TestParseQuota(t *testing.T) {
	for in, want := range map[string]ratelimit.Quota{
		"5/10m": {5, 10 * time.Minute}, "1/1s": {1, time.Second}, "1000000/744h": {1_000_000, 744 * time.Hour}, "30/24h": {30, 24 * time.Hour},
		"3/1h30m": {3, 90 * time.Minute}, "1000000/1s": {1_000_000, time.Second},
	} {
		if got, err := ratelimit.ParseQuota(in); got != want || err != nil || got.String() != in {
			t.Errorf("%s: %v %q, %v", in, got, got.String(), err)
		}
	}
	for _, in := range []string{"", "5", "/10m", "5/", "0/10m", "-1/10m", "5/10", "5/0s", "5/999ms", "5/745h", "1000001/1h", "5/10m/1",
		"5 / 10m", "1.5/10m"} {
		if q, err := ratelimit.ParseQuota(in); err == nil {
			t.Errorf("%q was taken as %v", in, q)
		}
	}
}
