package faults

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"moothall/internal/test/testutil"
)

// TestSocketsThatNeverRead opens sockets that read nothing, in a chat with many messages:
// they cost little memory, others get their messages as fast as before, and the service
// closes them.
func TestSocketsThatNeverRead(t *testing.T) {
	t.Parallel()
	const perUser, perAddress = 10, 100
	const perSocket, garbage = 160 << 10, 32 << 20 // resident bytes; garbage is what the heap grows by without sockets
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), map[string]string{"METRICS_ADDR": "127.0.0.1:0"})
	s.start()
	metrics := s.metricsURL()
	silent := testutil.Rounds(50, 1000)
	c := newChatroom(t, s.url(), 1, 10+silent/perUser)
	others := &chatroom{t: t, readers: c.readers[:10]}
	others.startReaders(func(r *reader, _ int, ctx context.Context) { r.connect(ctx, s.url()) })
	for _, r := range others.readers {
		testutil.Until(t, "a socket", func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.opens) > 0 })
	}
	messages := testutil.Rounds(40, 300)
	before := c.measure(others.readers, messages)

	idle := residentMemory(t, s.run.cmd.Process.Pid)
	var opening sync.WaitGroup
	permits := make(chan struct{}, 16)
	for i := range silent {
		permits <- struct{}{}
		opening.Go(func() {
			defer func() { <-permits }()
			from := net.IPv4(127, 0, 0, byte(2+i/perAddress))
			conn, _, err := openSocket(context.Background(), s.url(), "/events/"+c.event+"/ws?after=0", c.readers[10+i/perUser].token,
				dialFrom(from))
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		})
	}
	opening.Wait()
	watch, resident := s.watchMemory()
	after := c.measure(others.readers, messages)
	testutil.Until(t, "the end of all sockets that never read", func() bool {
		time.Sleep(200 * time.Millisecond) // metrics are costly
		return c.metric(metrics, `moothall_realtime_closed_total{code="4408"}`) == silent
	})
	watch()
	grown := *resident - idle
	testutil.Fault(t, "sockets that never read", "%d sockets closed with 4408; %d KiB each; others get messages after %v, and before after %v",
		silent, max(0, grown)/silent>>10, after, before)
	if grown > garbage+silent*perSocket && !underRaceDetector() {
		t.Errorf("%d KiB for %d sockets that never read", grown>>10, silent)
	}
}

// latencies are how long after its acknowledgement requests a message took to arrive.
type latencies []time.Duration

func (l latencies) String() string {
	slices.Sort(l)
	quantile := func(q float64) time.Duration {
		return l[int(q*float64(len(l)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("p50 %v, p99 %v", quantile(0.5), quantile(0.99))
}

// measure sends messages one after the other. It returns the times from each request until
// all readers have its message.
func (c *chatroom) measure(readers []*reader, messages int) latencies {
	var all latencies
	for n := range messages {
		began := time.Now()
		var arrivals []<-chan struct{}
		for _, r := range readers {
			arrivals = append(arrivals, r.taken.more(1))
		}
		c.say(c.writers[0], fmt.Sprint(n))
		for i, arrival := range arrivals {
			select {
			case <-arrival:
			case <-time.After(patience):
				c.t.Fatalf("reader %d does not get message %d", i, n)
			}
		}
		all = append(all, time.Since(began))
	}
	return all
}

// watchMemory records the largest resident memory until stop is called.
func (s *service) watchMemory() (stop func(), resident *int) {
	s.t.Helper()
	done := make(chan struct{})
	var watching sync.WaitGroup
	resident = new(int)
	watching.Go(func() {
		for {
			*resident = max(*resident, residentMemory(s.t, s.run.cmd.Process.Pid))
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	return func() { close(done); watching.Wait() }, resident
}

var metricsLine = regexp.MustCompile(`"msg":"metrics","address":"([^"]+)"`)

// metricsURL returns the address of the metrics. The service must have started just now.
func (s *service) metricsURL() string {
	s.t.Helper()
	address := metricsLine.FindStringSubmatch(s.run.output())
	if address == nil {
		s.t.Fatal("the service has not logged the address of its metrics")
	}
	return "http://" + address[1] + "/metrics"
}

// metric returns the value of a metric, 0 if there is none.
func (c *chatroom) metric(url, name string) int {
	c.t.Helper()
	text := c.client.mustCall(c.t, http.MethodGet, url, "", "").body
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\d+)$`).FindSubmatch(text)
	if found == nil {
		return 0
	}
	value, _ := strconv.Atoi(string(found[1]))
	return value
}
