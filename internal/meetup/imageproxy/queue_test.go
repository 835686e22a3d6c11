package imageproxy

import (
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestDecodersPreferSmallImages queues images while one is decoded.
func TestDecodersPreferSmallImages(t *testing.T) {
	t.Parallel()
	var d decoders
	q := queue{of: &d}
	first, err := q.acquire(t.Context(), &task{memory: smallMemory + 1, work: 99})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var order []int64
	var all sync.WaitGroup
	for i, work := range []int64{50, 10, 40, 30, 20} {
		all.Go(func() {
			release, err := q.acquire(t.Context(), &task{memory: smallMemory + 1, work: work})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, work)
			mu.Unlock()
			release()
		})
		waitFor(t, &q, i+1)
	}
	first()
	all.Wait()
	if want := []int64{10, 20, 30, 40, 50}; !slices.Equal(order, want) {
		t.Errorf("decoded in the order %v, want %v", order, want)
	}
}

func waitFor(t *testing.T, q *queue, n int) {
	t.Helper()
	for range 10_000 {
		q.mu.Lock()
		waiting := len(q.waiting)
		q.mu.Unlock()
		if waiting == n {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("no %d tasks wait", n)
}

// TestDecodersKeepPermitForSmallImages checks that large images occupy one decoder only.
func TestDecodersKeepPermitForSmallImages(t *testing.T) {
	t.Parallel()
	var d decoders
	large, small := &task{memory: 10 << 20}, &task{memory: 1 << 20}
	for i, c := range []struct {
		task *task
		want bool
	}{{large, true}, {large, false}, {small, true}, {small, false}} {
		if got := d.take(c.task); got != c.want {
			t.Errorf("%d: admitted %t, want %t", i, got, c.want)
		}
	}
	d.give(small)
	if !d.take(small) {
		t.Error("no decoder for a small image")
	}
}

// TestSitesAndCallersHaveBudgets checks both limits of one source, and that others are not
// affected.
func TestSitesAndCallersHaveBudgets(t *testing.T) {
	t.Parallel()
	at := func(host, caller string) source { return sourceOf(&url.URL{Host: host}, caller) }
	var d decoders
	now := time.Now()
	for i, c := range []struct {
		who   source
		after time.Duration
		want  bool
	}{
		{at("a.example.com", "1"), 0, true},
		{at("b.example.com", "2"), 0, false}, // the same site
		{at("example.org", "1"), 0, false},   // the same caller
		{at("93.184.215.14", "2"), 0, true},
		{at("a.example.com", "1"), workWindow, true},
	} {
		if got := d.charge(&task{source: c.who, work: maxWork}, now.Add(c.after)); got != c.want {
			t.Errorf("%d: %v: %t, want %t", i, c.who, got, c.want)
		}
	}
	permits := &fetchPermits{by: shares{}}
	for i := range maxFetches {
		if got := permits.take(&task{source: at("example.com", "1")}); got != (i < maxFetches/2) {
			t.Errorf("fetch %d: %t", i, got)
		}
	}
	if !permits.take(&task{source: at("example.org", "2")}) {
		t.Error("one site blocks the fetches of others")
	}
}
