package faulttest

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/pgtest"
)

// Settings of services whose database misbehaves.
const (
	deadline    = 3 * time.Second  // REQUEST_TIMEOUT
	connections = 4                // DATABASE_MAX_CONNS
	longest     = 10 * time.Second // a request: the deadline, 2 s more for its commit, and a slow machine
)

func newDeadlineService(t *testing.T, database string) *service {
	t.Helper()
	s := newService(t, database, map[string]string{"REQUEST_TIMEOUT": deadline.String(), "DATABASE_MAX_CONNS": strconv.Itoa(connections)})
	s.start()
	return s
}

// TestPostgresAwayAndBack takes PostgreSQL away under load: the service says
// so, stays alive, and goes on by itself once it is back.
func TestPostgresAwayAndBack(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Private(t, pgtest.Options{})
	s := newDeadlineService(t, cluster.URL("postgres"))
	l := newLoad(t, s)
	l.mayBeAway = true
	stop := l.start()
	for i, away := range []func() error{cluster.Stop, cluster.Kill} {
		l.await(busy)
		before := l.unavailable.Load()
		must(t, away())
		s.expectAway(l.client)
		if l.unavailable.Load() == before {
			t.Errorf("round %d: nobody noticed", i)
		}
		must(t, cluster.Restart())
		t.Logf("round %d: back after %v", i, s.expectBack(l.client))
	}
	l.await(busy)
	stop()
	v := l.ledger.check(cluster.URL("postgres"))
	t.Logf("%v, %d refused, the slowest answer took %v", v, l.unavailable.Load(), l.slowest)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("what was acknowledged is not what is there")
	}
	if l.slowest > longest {
		t.Errorf("a request took %v", l.slowest)
	}
}

// expectAway asks about the health of a service without its database.
func (s *service) expectAway(c *client) {
	s.t.Helper()
	for range 5 {
		for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/healthz": 503} {
			if a, err := c.call(http.MethodGet, s.url()+path, "", ""); err != nil || a.status != want || a.took > longest {
				s.t.Errorf("%s: %d after %v, %v", path, a.status, a.took, err)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// expectBack waits until the service has its database again: then twice as
// many requests at once as it has connections all succeed. It gives how long
// that took.
func (s *service) expectBack(c *client) time.Duration {
	s.t.Helper()
	began := time.Now()
	for {
		failed := answer{status: http.StatusOK}
		for _, a := range append(s.together(c, "/events", 2*connections), s.together(c, "/healthz", 1)...) {
			if a.status != http.StatusOK {
				failed = a
			}
		}
		if failed.status == http.StatusOK {
			return time.Since(began)
		}
		if time.Since(began) > patience {
			s.t.Fatalf("still away: %d %s", failed.status, failed.body)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// together reads a page n times at once.
func (s *service) together(c *client, path string, n int) []answer {
	answers := make([]answer, n)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			a, err := c.call(http.MethodGet, s.url()+path, "", "")
			if err != nil {
				s.t.Error(err)
			}
			answers[i] = a
		})
	}
	all.Wait()
	return answers
}

// TestBlackHole lets the network to PostgreSQL forget every packet: requests
// end by their deadline, and the service goes on by itself afterwards.
func TestBlackHole(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t)
	p := newProxy(t, database)
	s := newDeadlineService(t, p.url())
	l := newLoad(t, s)
	l.mayBeAway = true
	stop := l.start()
	l.await(busy)
	p.hole.Store(true)
	time.Sleep(2 * deadline) // for every request to have ended once
	s.expectAway(l.client)
	if l.unavailable.Load() == 0 {
		t.Error("nobody noticed")
	}
	p.hole.Store(false)
	began := time.Now()
	took := s.expectBack(l.client)
	l.await(busy)
	t.Logf("back after %v, writing after %v", took, time.Since(began))
	stop()
	awaitNoneAbandoned(t, database)
	v := l.ledger.check(database)
	t.Logf("%v, %d refused, the slowest answer took %v", v, l.unavailable.Load(), l.slowest)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("what was acknowledged is not what is there")
	}
	if l.slowest > longest {
		t.Errorf("a request took %v", l.slowest)
	}
}

// awaitNoneAbandoned waits until the server has ended the transactions whose
// client fell silent: they hold locks.
func awaitNoneAbandoned(t *testing.T, database string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }() // it only read
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		var abandoned int
		must(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND state = 'idle in transaction'`).Scan(&abandoned))
		if abandoned == 0 {
			return
		}
		if time.Since(began) > patience {
			t.Fatalf("%d transactions are abandoned for good", abandoned)
		}
	}
}

// TestLostAnswerToCommit hangs up on the service when it has sent COMMIT: the
// write happened, the client is not told so, and asking again does no harm.
func TestLostAnswerToCommit(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t)
	p := newProxy(t, database)
	s := newDeadlineService(t, p.url())
	c := newClient(t)
	people := c.signIn(t, s.url(), 8)
	starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	event := c.mustCall(t, http.MethodPost, s.url()+"/events", people[0].token, `{"title":"Chess","starts_at":"`+starts+`"}`).text("event.id")
	c.mustCall(t, http.MethodPost, s.url()+"/events/"+event+"/publish", people[0].token, "")
	l := newLedger(t)
	page := l.page()
	defer page.close()
	for _, guest := range people {
		join := func() answer {
			a, err := c.call(http.MethodPost, s.url()+"/events/"+event+"/join", guest.token, "")
			must(t, err)
			return a
		}
		p.cut.Store(true)
		if a := join(); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("a commit in doubt was answered %d %s", a.status, a.body)
		}
		p.cut.Store(false)
		if a := join(); a.status != http.StatusOK {
			t.Errorf("asked again: %d %s", a.status, a.body)
		}
		must(t, page.write(joined, event, guest.id))
	}
	if p.cuts.Load() < int64(len(people)) {
		t.Errorf("only %d commits were cut off", p.cuts.Load())
	}
	if v := l.check(database); len(v.missing)+len(v.wrong) > 0 {
		t.Error(v)
	}
}

// TestPoolExhaustion blocks every connection of a small pool: who finds none
// is refused soon, and afterwards all connections are there again.
func TestPoolExhaustion(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t)
	s := newDeadlineService(t, database)
	c := newClient(t)
	blocker, err := pgx.Connect(t.Context(), database)
	must(t, err)
	defer func() { _ = blocker.Close(context.Background()) }()
	tx, err := blocker.Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
	must(t, err)
	var slow atomic.Int64
	for _, a := range s.together(c, "/events", 10*connections) {
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || a.took > longest {
			t.Errorf("blocked: %d after %v %s", a.status, a.took, a.body)
		}
		if a.took >= deadline {
			slow.Add(1)
		}
	}
	if slow.Load() > connections {
		t.Errorf("%d requests waited for longer than a connection may be waited for", slow.Load())
	}
	must(t, tx.Rollback(t.Context()))
	s.expectBack(c)
}
