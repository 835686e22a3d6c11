package faulttest

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	workers = 16
	readers = 4 // of the workers
	guests  = 16
)

// load is people who create events and join them, and write down what was
// acknowledged. (Posts do not exist yet: an event created stands for one.) A
// write without an answer is in doubt and never sent again, so whatever is
// there twice is the service's doing.
type load struct {
	t      *testing.T
	client *client
	ledger *ledger
	people []person
	target func() (base string, ok bool) // where to send the next request

	mayBreak  bool // connections may break under a request
	mayBeAway bool // 503 with Retry-After is a fair answer

	mu      sync.Mutex
	seats   []seat        // of published events, nobody has asked for them yet
	made    int           // numbers the events
	slowest time.Duration // answer

	acknowledged, read, inDoubt, unavailable, wrong atomic.Int64
}

// seat is a join that is still to be sent.
type seat struct {
	event string
	guest person
}

// newLoad prepares a load on one service that runs.
func newLoad(t *testing.T, s *service) *load {
	t.Helper()
	l := &load{t: t, client: newClient(t), ledger: newLedger(t)}
	l.target = func() (string, bool) { return s.url(), true }
	l.people = l.client.signIn(t, s.url(), guests)
	return l
}

// start sends requests until stop is called, which waits for every answer.
func (l *load) start() (stop func()) {
	var stopped atomic.Bool
	var running sync.WaitGroup
	for i := range workers {
		page := l.ledger.page()
		running.Go(func() {
			defer page.close()
			for !stopped.Load() {
				if i < readers {
					l.look()
				} else {
					l.write(l.people[i%guests], page)
				}
			}
		})
	}
	stop = func() {
		stopped.Store(true)
		running.Wait()
	}
	l.t.Cleanup(stop) // when the test fails before
	return stop
}

// await waits until n more writes are acknowledged.
func (l *load) await(n int64) {
	l.t.Helper()
	goal, deadline := l.acknowledged.Load()+n, time.Now().Add(patience)
	for l.acknowledged.Load() < goal {
		if time.Now().After(deadline) {
			l.t.Fatalf("%d of %d writes acknowledged, %d unavailable, %d in doubt",
				l.acknowledged.Load(), goal, l.unavailable.Load(), l.inDoubt.Load())
		}
		time.Sleep(time.Millisecond)
	}
}

func (l *load) look() {
	if _, ok := l.send(http.MethodGet, "/events?limit=5", "", ""); ok {
		l.read.Add(1)
	}
}

// write joins somebody to an event, or makes an event for all to join.
func (l *load) write(host person, page *page) {
	if s, ok := l.next(); ok {
		if _, ok := l.send(http.MethodPost, "/events/"+s.event+"/join", s.guest.token, ""); ok {
			l.acknowledge(page, joined, s.event, s.guest.id)
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
	l.acknowledge(page, made, event, title)
	if _, ok := l.send(http.MethodPost, "/events/"+event+"/publish", host.token, ""); ok {
		l.acknowledge(page, published, event, "")
		l.open(event)
	}
}

func (l *load) acknowledge(page *page, what, event, detail string) {
	if err := page.write(what, event, detail); err != nil {
		l.complain("ledger: %v", err)
	}
	l.acknowledged.Add(1)
}

// next takes a seat that nobody has asked for.
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
	return fmt.Sprintf("Meeting %d", l.made)
}

func (l *load) time(a answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slowest = max(l.slowest, a.took)
}

// send reports whether the request was answered with a success.
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
	case err != nil && l.mayBreak:
		l.inDoubt.Add(1)
	case err == nil && a.status == http.StatusServiceUnavailable && l.mayBeAway:
		l.unavailable.Add(1)
		if a.header.Get("Retry-After") == "" {
			l.complain("%s %s: 503 without Retry-After", method, path)
		}
	default:
		l.complain("%s %s: %d %s %v", method, path, a.status, a.body, err)
	}
	time.Sleep(20 * time.Millisecond) // a client that is refused asks less
	return a, false
}

// complain fails the test, and says why the first few times.
func (l *load) complain(format string, arguments ...any) {
	if l.wrong.Add(1) <= 5 {
		l.t.Errorf(format, arguments...)
	}
}
