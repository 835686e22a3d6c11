package meetup_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

func TestConcurrentRequestsShareOneFetch(t *testing.T) {
	t.Parallel()
	go1 := make(chan struct{})
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		<-go1
		imageproxyHostile["image"](rw, r)
	})
	a := newApp(t, w)
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { a.Anonymous().Get(proxied("https://example.com/one")).Want(200) })
	}
	await(t, func() bool { return len(w.Requests()) == 1 })
	close(go1)
	all.Wait()
	a.Anonymous().Get(proxied("https://example.com/one")).Want(200)
	if len(w.Requests()) != 1 {
		t.Errorf("%d fetches", len(w.Requests()))
	}
}

// TestServiceDoesNotFetchItself requests images of the service itself, directly and by a
// redirect.
func TestServiceDoesNotFetchItself(t *testing.T) {
	t.Parallel()
	w := outboundtest.New(t, redirect("https://own.example.com/images/proxy?url=https%3A%2F%2Fexample.com%2F1"))
	w.Names["own.example.com"] = outboundtest.Always(outboundtest.Public)
	client := newApp(t, w, apptest.Setting("PUBLIC_BASE_URL", "https://own.example.com")).Anonymous().Allow5xx()
	client.Get(proxied("https://own.example.com/a")).WantError(400, "invalid_request")
	client.Get(proxied("https://example.com/a")).WantError(502, "image_unavailable")
	if n := w.Connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

func TestFetchIsCanceledWithoutWaiters(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		rw.WriteHeader(http.StatusOK)
		rw.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	a := newApp(t, w)
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		await(t, func() bool { return len(w.Requests()) == 1 })
		leave()
	}()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL()+proxied("https://example.com/slow"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if response, err := http.DefaultTransport.RoundTrip(request); err == nil {
		_ = response.Body.Close()
		t.Errorf("%d", response.StatusCode)
	}
	select {
	case <-gone:
	case <-time.After(9 * time.Second): // well before its deadline
		t.Error("the fetch continues without a waiter")
	}
}

// TestSlowHostsDoNotBlockService takes all permits of the proxy and calls other operations.
func TestSlowHostsDoNotBlockService(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		select {
		case <-end:
		case <-r.Context().Done():
		}
		imageproxyHostile["image"](rw, r)
	})
	a := newApp(t, w)
	var all sync.WaitGroup
	var busy atomic.Int64
	for i := range 100 {
		all.Go(func() {
			if a.Anonymous().Allow5xx().Get(proxied(fmt.Sprintf("https://example.com/%d", i))).Status == 503 {
				busy.Add(1)
			}
		})
	}
	await(t, func() bool { return busy.Load() >= 36 })
	a.Anonymous().Get("/events").Want(200)
	if n := w.Connections(); n > 16 {
		t.Errorf("%d fetches at a time", n)
	}
	close(end)
	all.Wait()
}

// TestCacheObeysCacheControl counts the requests to the host.
func TestCacheObeysCacheControl(t *testing.T) {
	t.Parallel()
	var failing atomic.Bool
	w := outboundtest.New(t, func(rw http.ResponseWriter, r *http.Request) {
		if failing.Load() {
			rw.WriteHeader(http.StatusBadGateway)
			return
		}
		rw.Header().Set("Cache-Control", strings.TrimPrefix(r.URL.Path, "/"))
		_, _ = rw.Write(pixel)
	})
	a := newApp(t, w, apptest.StartAt(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)))
	client := a.Anonymous().Allow5xx()
	ask := func(address string, status, fetches int) {
		t.Helper()
		before := len(w.Requests())
		if got := client.Get(proxied(address)).Status; got != status || len(w.Requests())-before != fetches {
			t.Errorf("%s: %d after %d fetches, want %d after %d", address, got, len(w.Requests())-before, status, fetches)
		}
	}
	ask("https://example.com/private", 200, 1)
	ask("https://example.com/private", 200, 1)
	for path, want := range map[string]string{"private": "no-store", "no-store": "no-store", "max-age=9": "public, max-age=60"} {
		if got := client.Get(proxied("https://example.com/" + path)).Header.Get("Cache-Control"); got != want {
			t.Errorf("%s: others are told %q", path, got)
		}
	}
	ask("https://example.com/no-store", 200, 1)
	ask("https://example.com/no-store", 200, 1)
	ask("https://example.com/max-age=120", 200, 1)
	ask("https://example.com/max-age=120", 200, 0)
	ask("HTTPS://EXAMPLE.com:443/max-age=120#top", 200, 0)
	ask("https://example.com/MAX-AGE=120", 200, 1)
	a.Clock.Advance(3 * time.Minute)
	failing.Store(true)
	ask("https://example.com/max-age=120", 502, 1)
	failing.Store(false)
	ask("https://example.com/max-age=120", 200, 1)
}

func TestIfNoneMatch(t *testing.T) {
	t.Parallel()
	w := outboundtest.New(t, imageproxyHostile["image"])
	client := newApp(t, w).Anonymous()
	tag := client.Get(proxied("https://example.com/a")).Want(200).Header.Get("ETag")
	again := client.With("If-None-Match", `"other", W/`+tag).Get(proxied("https://example.com/a")).Want(304)
	if len(again.Body) != 0 || again.Header.Get("ETag") != tag {
		t.Errorf("%v %s", again.Header, again.Body)
	}
	client.With("If-None-Match", `"other"`).Get(proxied("https://example.com/a")).Want(200)
	client.With("If-None-Match", "*").Get(proxied("http://example.com/a")).WantError(400, "invalid_request")
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	w := outboundtest.New(t, func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = rw.Write(append(pixel, make([]byte, 300<<10)...))
	})
	dir := t.TempDir()
	client := newApp(t, w, apptest.Setting("IMAGE_CACHE_DIR", dir), apptest.Setting("IMAGE_CACHE_MB", "1")).Anonymous()
	for i := range 8 {
		client.Get(proxied(fmt.Sprintf("https://example.com/%d", i))).Want(200)
	}
	if before := len(w.Requests()); before != 8 {
		t.Errorf("%d fetches", before)
	}
	client.Get(proxied("https://example.com/7")).Want(200)
	client.Get(proxied("https://example.com/0")).Want(200)
	if len(w.Requests()) != 9 {
		t.Errorf("%d fetches: the latest should be there, the first not", len(w.Requests()))
	}
	await(t, func() bool { return bytesIn(t, dir) <= 1<<20 })

	next := newApp(t, w, apptest.Setting("IMAGE_CACHE_DIR", dir), apptest.Setting("IMAGE_CACHE_MB", "1")).Anonymous()
	next.Get(proxied("https://example.com/0")).Want(200)
	if len(w.Requests()) != 9 {
		t.Error("a restart lost the cache")
	}
}

func await(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Error("the condition did not become true in time")
			return
		}
	}
}
