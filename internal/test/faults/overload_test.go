package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/eventtest"
	"moothall/internal/test/testutil"
)

// TestOverloadKeepsThroughput sends ten times as many requests as the service can serve: it
// does almost as much work as at its best, and those who send little notice almost nothing.
// The service has one processor and the test the other one.
func TestOverloadKeepsThroughput(t *testing.T) {
	testutil.OnlyLong(t)
	databases := map[string]string{
		"sqlite":     "sqlite:" + filepath.Join(t.TempDir(), "moothall.db"),
		"postgresql": dbtest.URL(t, db.PostgreSQL),
	}
	for engine, database := range databases {
		t.Run(engine, func(t *testing.T) {
			s := newService(t, database, map[string]string{"REQUEST_TIMEOUT": "10s", "CACHE_MB": "64"})
			s.settings["DATABASE_ACQUIRE_TIMEOUT"] = ""
			s.pin()
			s.fill(10_000, 2000)
			s.start()
			testOverload(t, s)
		})
	}
}

func testOverload(t *testing.T, s *service) {
	c := newCrowd(t, s, 1500)
	const span = 4 * time.Second
	best, done := &done{}, &done{}
	var others sample
	for range 4 { // in turn, because a machine is not always equally fast
		c.run(bestCallers, span, best, nil)
		c.run(len(c.people), span, done, &others)
	}
	testutil.Fault(t, "overload",
		"%d callers: %v, at best %v; %d refused; others: %d of %d answered within a second, %d refused, the slowest after %v; healthy %d of %d times",
		len(c.people), done, best, done.refused.Load(), others.soon, others.sent, others.failed, others.slowest.Round(time.Millisecond),
		others.healthy, others.checked)
	if done.wrong.Load() > 0 {
		t.Errorf("%d wrong responses, such as %v", done.wrong.Load(), done.example.Load())
	}
	if done.useful.Load() == 0 || others.sent == others.failed || others.healthy < others.checked {
		t.Error("the service does not work under overload")
	}
}

// cpu returns the processor time of the service so far.
func (s *service) cpu() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.run.cmd.Process.Pid))
	must(s.t, err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// pin gives the service one processor and the test the other one.
func (s *service) pin() {
	s.t.Helper()
	if out, err := exec.Command("taskset", "-a", "-c", "-p", "1", strconv.Itoa(os.Getpid())).CombinedOutput(); err != nil {
		s.t.Skipf("needs taskset and two processors: %v %s", err, out)
	}
	s.before = []string{"taskset", "-c", "0"}
	s.t.Cleanup(func() {
		all := fmt.Sprintf("0-%d", runtime.NumCPU()-1)
		_ = exec.Command("taskset", "-a", "-c", "-p", all, strconv.Itoa(os.Getpid())).Run() // other tests are only slower
	})
}

// fill stores users and events.
func (s *service) fill(events, users int) {
	s.t.Helper()
	d, err := db.Open(s.t.Context(), s.settings["DATABASE_URL"], db.Options{})
	must(s.t, err)
	must(s.t, migrate.Run(s.t.Context(), d))
	eventtest.Fill(s.t, d, time.Now(), users, events)
	must(s.t, d.Close())
}

// crowd are signed-in callers who send expensive requests without a pause.
type crowd struct {
	t       *testing.T
	s       *service
	client  *client
	people  []person
	others  []person
	event   string // its chat takes their messages
	details []string
}

const onlookers = 20 // others, who send little

func newCrowd(t *testing.T, s *service, callers int) *crowd {
	t.Helper()
	c := &crowd{t: t, s: s, client: newClient(t)}
	people := c.client.signIn(t, s.url(), callers+onlookers)
	c.people, c.others = people[:callers], people[callers:]
	host := c.people[0].token
	c.event = "/events/" + c.client.mustCall(t, http.MethodPost, s.url()+"/events", host,
		fmt.Sprintf(`{"title":"Chess","starts_at":%q}`, time.Now().Add(48*time.Hour).UTC().Format(time.RFC3339))).text("event.id")
	c.client.mustCall(t, http.MethodPost, s.url()+c.event+"/publish", host, "")
	var list struct {
		Items []struct{ Event struct{ ID string } }
	}
	must(t, json.Unmarshal(c.client.mustCall(t, http.MethodGet, s.url()+"/events?limit=100", "", "").body, &list))
	for _, item := range list.Items {
		c.details = append(c.details, "/events/"+item.Event.ID)
	}
	return c
}

// request is one of the expensive requests.
func (c *crowd) request(caller, n int) request {
	token := c.people[caller%len(c.people)].token
	switch (caller + n) % 10 {
	case 0:
		return request{http.MethodPost, c.event + "/join", token}
	case 1, 2, 3, 4:
		return request{http.MethodGet, "/feed?limit=50", token}
	}
	return request{http.MethodGet, "/events?limit=50&q=" + []string{"jazz", "chess", "run", "wine"}[n%4], token}
}

// bestCallers can be served without waiting, and are enough to occupy the service.
const bestCallers = 64

// done counts the responses to the crowd.
type done struct {
	took, cpu              time.Duration
	useful, refused, wrong atomic.Int64
	example                atomic.Pointer[error]
}

func (d *done) perSecond() float64 { return float64(d.useful.Load()) / d.took.Seconds() }

// String also has the rate by the processor time of the service: it hardly depends on what
// else the machine does.
func (d *done) String() string {
	if d.took == 0 {
		return "not measured"
	}
	return fmt.Sprintf("%.0f useful answers/s (%.0f per second of processor time)", d.perSecond(), float64(d.useful.Load())/d.cpu.Seconds())
}

// run lets callers send requests for a time, beside others if they are not nil, and adds what was
// done.
func (c *crowd) run(callers int, span time.Duration, sum *done, others *sample) {
	c.t.Helper()
	address := strings.TrimPrefix(c.s.url(), "http://")
	conns := dialAll(c.t, address, callers, span+2*time.Minute)
	defer closeAll(conns)
	var running sync.WaitGroup
	var stopped atomic.Bool
	var counted atomic.Pointer[done]
	counted.Store(&done{}) // while the callers warm up
	for i, conn := range conns {
		running.Go(func() {
			for n := 0; !stopped.Load(); n++ {
				counted.Load().ask(conn, c.request(i+n*callers, n)) // fewer callers act for as many people
			}
		})
	}
	time.Sleep(span / 4)
	counted.Store(sum)
	began, cpu := time.Now(), c.s.cpu()
	if others == nil {
		time.Sleep(span)
	} else {
		c.lookOn(others, span)
	}
	counted.Store(&done{})
	sum.took += time.Since(began)
	sum.cpu += c.s.cpu() - cpu
	stopped.Store(true)
	running.Wait()
}

func (d *done) ask(c *connection, r request) {
	status, body, err := c.ask(r)
	switch {
	case err == nil && status/100 == 2:
		d.useful.Add(1)
	case err == nil && status == http.StatusServiceUnavailable:
		d.refused.Add(1)
	default:
		d.wrong.Add(1)
		d.example.CompareAndSwap(nil, new(fmt.Errorf("%v: %d %s: %w", r, status, body, err)))
		time.Sleep(50 * time.Millisecond)
	}
}

// sample counts the responses to others.
type sample struct {
	mu                 sync.Mutex
	sent, soon, failed int
	checked, healthy   int
	slowest            time.Duration
}

// lookOn sends cheap reads of others, one a second each, and looks at the health.
func (c *crowd) lookOn(s *sample, span time.Duration) {
	var running sync.WaitGroup
	until := time.Now().Add(span)
	for i, other := range c.others {
		time.Sleep(span / onlookers / 4)
		if i%2 == 0 {
			other.token = "" // anonymous
		}
		running.Go(func() {
			for n := 0; time.Now().Before(until); n++ {
				a, err := c.client.call(http.MethodGet, c.s.url()+c.details[(i*20+n)%len(c.details)], other.token, "")
				s.add(a, err)
				time.Sleep(time.Second)
			}
		})
	}
	running.Go(func() {
		for time.Now().Before(until) {
			a, err := c.client.call(http.MethodGet, c.s.url()+"/healthz", "", "")
			s.mu.Lock()
			if s.checked++; err == nil && a.text("status") == "ok" {
				s.healthy++
			}
			s.mu.Unlock()
			time.Sleep(200 * time.Millisecond)
		}
	})
	running.Wait()
}

func (s *sample) add(a answer, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent++
	s.slowest = max(s.slowest, a.took)
	switch {
	case err != nil || a.status != http.StatusOK:
		s.failed++
	case a.took <= time.Second:
		s.soon++
	}
}
