package faults

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/test/testutil"
)

const (
	workers = 16
	readers = 4 // of the workers
	guests  = 16
)

// load is a group of clients that create events, join them, and record what was
// acknowledged. A write without an answer is in doubt and is never repeated: a
// row that exists twice is a fault of the service.
type load struct {
	t      *testing.T
	client *client
	ledger *ledger
	people []person
	target func() (base string, ok bool) // the instance for the next request

	pause       time.Duration // of a worker after each request; a load that lasts leaves the processors to other tests
	allowBroken bool          // connections may break during a request, or a proxy may answer 502
	allow503    bool          // 503 with Retry-After is allowed
	prefix      string        // of titles

	mu      sync.Mutex
	seats   []seat        // of published events, not yet requested
	made    int           // numbers the events
	slowest time.Duration // answer

	acknowledged, read, inDoubt, unavailable, wrong counter
}

// counter counts what happened and lets a test wait for a number of it.
type counter struct {
	mu      sync.Mutex
	count   int
	goal    int
	reached chan struct{} // closed at the goal
}

func (c *counter) increase() (count int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	if c.count == c.goal {
		close(c.reached)
	}
	return c.count
}

func (c *counter) value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

// more returns a channel that is closed after n more.
func (c *counter) more(n int) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.goal, c.reached = c.count+n, make(chan struct{})
	return c.reached
}

// seat is a join that was not yet sent.
type seat struct {
	event string
	guest person
}

// newLoad prepares a load on one running service.
func newLoad(t *testing.T, s *service) *load {
	t.Helper()
	l := &load{t: t, client: newClient(t), ledger: newLedger(t), pause: time.Duration(testutil.Rounds(400, 0)) * time.Millisecond}
	l.target = func() (string, bool) { return s.url(), true }
	l.people = l.client.signIn(t, s.url(), guests)
	return l
}

// start sends requests until stop is called. stop waits for every answer.
func (l *load) start() (stop func()) {
	var stopped atomic.Bool
	var running sync.WaitGroup
	for i := range workers {
		sheet := l.ledger.sheet()
		running.Go(func() {
			defer sheet.close()
			for !stopped.Load() {
				if i < readers {
					l.list()
				} else {
					l.write(l.people[i%guests], sheet)
				}
				time.Sleep(l.pause)
			}
		})
	}
	stop = func() {
		stopped.Store(true)
		running.Wait()
	}
	l.t.Cleanup(stop) // if the test fails first
	return stop
}

// awaitWrites waits until n more writes are acknowledged.
func (l *load) awaitWrites(n int) {
	l.t.Helper()
	l.await(&l.acknowledged, n)
}

// await waits until a counter has increased by n.
func (l *load) await(c *counter, n int) {
	l.t.Helper()
	select {
	case <-c.more(n):
	case <-time.After(patience):
		l.t.Fatalf("still waiting: %d writes acknowledged, %d unavailable, %d in doubt",
			l.acknowledged.value(), l.unavailable.value(), l.inDoubt.value())
	}
}

func (l *load) list() {
	if _, ok := l.send(http.MethodGet, "/events?limit=5", "", ""); ok {
		l.read.increase()
	}
}

// write sends a pending join, or creates and publishes an event for all to join.
func (l *load) write(host person, sheet *sheet) {
	if s, ok := l.next(); ok {
		if _, ok := l.send(http.MethodPost, "/events/"+s.event+"/join", s.guest.token, ""); ok {
			l.acknowledge(sheet, joined, s.event, s.guest.id)
		}
		return
	}
	title := l.title()
	created, ok := l.send(http.MethodPost, "/events", host.token,
		fmt.Sprintf(`{"title":%q,"starts_at":%q,"city":"Berlin"}`, title, time.Now().Add(48*time.Hour).UTC().Format(time.RFC3339)))
	if !ok {
		return
	}
	event := created.text("event.id")
	l.acknowledge(sheet, made, event, title)
	if _, ok := l.send(http.MethodPost, "/events/"+event+"/publish", host.token, ""); ok {
		l.acknowledge(sheet, published, event, "")
		l.open(event)
	}
}

func (l *load) acknowledge(sheet *sheet, what, event, detail string) {
	if err := sheet.write(what, event, detail); err != nil {
		l.fail("ledger: %v", err)
	}
	l.acknowledged.increase()
}

// next returns a join that was not yet sent.
func (l *load) next() (s seat, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.seats) == 0 {
		return s, false
	}
	s, l.seats = l.seats[0], l.seats[1:]
	return s, true
}

func (l *load) open(event string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, guest := range l.people {
		l.seats = append(l.seats, seat{event, guest})
	}
}

func (l *load) title() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made++
	return fmt.Sprintf("%sMeeting %d", l.prefix, l.made)
}

func (l *load) time(a answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, a.took)
}

// send reports whether the request succeeded.
func (l *load) send(method, path, token, body string) (answer, bool) {
	base, ok := l.target()
	if !ok {
		time.Sleep(5 * time.Millisecond)
		return answer{}, false
	}
	a, err := l.client.call(method, base+path, token, body)
	l.time(a)
	switch {
	case err == nil && a.status < 300:
		return a, true
	case refused(err): // not sent
	case l.allowBroken && (err != nil || a.status == http.StatusBadGateway):
		l.inDoubt.increase()
	case err == nil && a.status == http.StatusServiceUnavailable && l.allow503:
		l.unavailable.increase()
		if a.header.Get("Retry-After") == "" {
			l.fail("%s %s: 503 without Retry-After", method, path)
		}
	default:
		l.fail("%s %s: %d %s %v", method, path, a.status, a.body, err)
	}
	time.Sleep(20 * time.Millisecond) // back off
	return a, false
}

// fail fails the test and reports the first five reasons.
func (l *load) fail(format string, arguments ...any) {
	if l.wrong.increase() <= 5 {
		l.t.Errorf(format, arguments...)
	}
}
