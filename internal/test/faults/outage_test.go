package faults

import (
	"context"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// Settings of services whose database fails.
const (
	deadline    = 3 * time.Second        // REQUEST_TIMEOUT
	acquire     = 400 * time.Millisecond // DATABASE_ACQUIRE_TIMEOUT, as by default
	connections = 4                      // DATABASE_MAX_CONNS
	longest     = time.Minute            // a request: the deadline, 2 s for its commit, and the rest for a busy machine
)

func newDeadlineService(t *testing.T, database string) *service {
	t.Helper()
	s := newService(t, database, map[string]string{"REQUEST_TIMEOUT": deadline.String(),
		"DATABASE_ACQUIRE_TIMEOUT": acquire.String(), "DATABASE_MAX_CONNS": strconv.Itoa(connections)})
	s.start()
	return s
}

// TestServiceRecoversFromPostgresOutage stops and kills PostgreSQL under load: the
// service answers 503, stays alive, and recovers when PostgreSQL is back.
func TestServiceRecoversFromPostgresOutage(t *testing.T) {
	t.Parallel()
	cluster := pgtest.Private(t, pgtest.Options{})
	s := newDeadlineService(t, cluster.URL("postgres"))
	l := newLoad(t, s)
	l.allow503 = true
	stop := l.start()
	var slowest time.Duration
	for i, end := range []func() error{cluster.Stop, cluster.Kill} {
		l.awaitWrites(busy)
		before := l.unavailable.value()
		must(t, end())
		s.expectUnavailable(l.client)
		if l.unavailable.value() == before {
			t.Errorf("round %d: no request got 503", i)
		}
		must(t, cluster.Restart())
		slowest = max(slowest, s.expectRecovery(l.client))
	}
	l.awaitWrites(busy)
	stop()
	v := l.ledger.check(cluster.URL("postgres"))
	testutil.Fault(t, "PostgreSQL stops", "recovered within %v; %v, %d times 503, the slowest answer took %v", slowest, v,
		l.unavailable.value(), l.slowest)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
	if l.slowest > longest {
		t.Errorf("a request took %v", l.slowest)
	}
}

// expectUnavailable checks the health of a service that has lost its database.
func (s *service) expectUnavailable(c *client) {
	s.t.Helper()
	testutil.Until(s.t, "/healthz to notice", func() bool { // it shares results for a second
		a, err := c.call(http.MethodGet, s.url()+"/healthz", "", "")
		return err == nil && a.status == http.StatusServiceUnavailable
	})
	for range 5 {
		for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/healthz": 503} {
			if a, err := c.call(http.MethodGet, s.url()+path, "", ""); err != nil || a.status != want || a.took > longest {
				s.t.Errorf("%s: %d after %v, %v", path, a.status, a.took, err)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// expectRecovery waits until twice as many concurrent requests as the service has
// connections all succeed, and returns how long that took.
func (s *service) expectRecovery(c *client) time.Duration {
	s.t.Helper()
	began := time.Now()
	for {
		failed := answer{status: http.StatusOK}
		for _, a := range append(s.getConcurrently(c, "/events", 2*connections), s.getConcurrently(c, "/healthz", 1)...) {
			if a.status != http.StatusOK {
				failed = a
			}
		}
		if failed.status == http.StatusOK {
			return time.Since(began)
		}
		if time.Since(began) > patience {
			s.t.Fatalf("still unavailable: %d %s", failed.status, failed.body)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// getConcurrently reads a path n times at once.
func (s *service) getConcurrently(c *client, path string, n int) []answer {
	answers := make([]answer, n)
	apptest.Concurrently(n, func(i int) {
		a, err := c.call(http.MethodGet, s.url()+path, "", "")
		if err != nil {
			s.t.Error(err)
		}
		answers[i] = a
	})
	return answers
}

// TestRequestsEndWhenNetworkDropsPackets drops every packet to PostgreSQL:
// requests end by their deadline, and afterwards the service recovers.
func TestRequestsEndWhenNetworkDropsPackets(t *testing.T) {
	t.Parallel()
	database := dbtest.URL(t, db.PostgreSQL)
	p := pgtest.NewProxy(t, database)
	s := newDeadlineService(t, p.URL)
	l := newLoad(t, s)
	l.allow503 = true
	stop := l.start()
	l.awaitWrites(busy)
	p.Dropping.Store(true)
	l.await(&l.unavailable, 2*workers) // every worker has got 503
	s.expectUnavailable(l.client)
	p.Dropping.Store(false)
	began := time.Now()
	took := s.expectRecovery(l.client)
	l.awaitWrites(busy)
	wrote := time.Since(began)
	stop()
	awaitNoneAbandoned(t, database)
	v := l.ledger.check(database)
	testutil.Fault(t, "the network to PostgreSQL drops packets",
		"recovered after %v, writing after %v; %v, %d times 503, the slowest answer took %v",
		took, wrote, v, l.unavailable.value(), l.slowest)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
	if l.slowest > longest {
		t.Errorf("a request took %v", l.slowest)
	}
}

// TestSmallPoolRecoversFromBlackHole drops every packet to PostgreSQL until the requests and
// the jobs of a service with two connections have used both.
func TestSmallPoolRecoversFromBlackHole(t *testing.T) {
	t.Parallel()
	p := pgtest.NewProxy(t, dbtest.URL(t, db.PostgreSQL))
	s := newService(t, p.URL, map[string]string{
		"REQUEST_TIMEOUT": deadline.String(), "DATABASE_ACQUIRE_TIMEOUT": acquire.String(), "DATABASE_MAX_CONNS": "2"})
	s.start()
	c := newClient(t)
	p.Dropping.Store(true)
	hole := time.Duration(testutil.Rounds(3, 40)) * time.Second // the workers of jobs look once a second
	var slowest time.Duration
	for began := time.Now(); time.Since(began) < hole; time.Sleep(50 * time.Millisecond) {
		for _, a := range s.getConcurrently(c, "/events", 2) {
			slowest = max(slowest, a.took)
		}
	}
	p.Dropping.Store(false)
	testutil.Fault(t, "the network drops packets, and an instance has two connections",
		"recovered after %v from %v without the database; the slowest answer took %v", s.expectRecovery(c), hole, slowest)
	if slowest > longest {
		t.Errorf("a request took %v", slowest)
	}
}

// awaitNoneAbandoned waits until the server has ended the transactions whose
// connection is lost, because they hold locks.
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
			t.Fatalf("%d abandoned transactions stay open", abandoned)
		}
	}
}

// TestRetryAfterLostCommitResponseIsSafe closes the connection when the service
// has sent COMMIT: the write is durable, the client gets outcome_unknown, and a retry succeeds.
func TestRetryAfterLostCommitResponseIsSafe(t *testing.T) {
	t.Parallel()
	database := dbtest.URL(t, db.PostgreSQL)
	p := pgtest.NewProxy(t, database)
	s := newService(t, p.URL, map[string]string{"DATABASE_ACQUIRE_TIMEOUT": "10s", "REQUEST_TIMEOUT": "30s"}) // a retry needs a new connection
	s.start()
	c := newClient(t)
	people := c.signIn(t, s.url(), 8)
	starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	event := c.mustCall(t, http.MethodPost, s.url()+"/events", people[0].token, `{"title":"Chess","starts_at":"`+starts+`"}`).text("event.id")
	c.mustCall(t, http.MethodPost, s.url()+"/events/"+event+"/publish", people[0].token, "")
	l := newLedger(t)
	sheet := l.sheet()
	defer sheet.close()
	for _, guest := range people {
		join := func() answer {
			a, err := c.call(http.MethodPost, s.url()+"/events/"+event+"/join", guest.token, "")
			must(t, err)
			return a
		}
		p.CutCommits.Store(true)
		if a := join(); a.text("error") != "outcome_unknown" || a.header.Get("Retry-After") == "" {
			t.Errorf("a commit in doubt got %d %s", a.status, a.body)
		}
		p.CutCommits.Store(false)
		if a := join(); a.status != http.StatusOK {
			t.Errorf("retry: %d %s", a.status, a.body)
		}
		must(t, sheet.write(joined, event, guest.id))
	}
	if p.Cuts.Load() < int64(len(people)) {
		t.Errorf("only %d commits lost their response", p.Cuts.Load())
	}
	v := l.check(database)
	testutil.Fault(t, "the response to COMMIT is lost", "%d times 503, each retry succeeds: %v", p.Cuts.Load(), v)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
}

// TestExhaustedPoolRefusesSoon blocks every connection of a small pool: requests
// without a connection get 503 soon, and afterwards all connections work again.
func TestExhaustedPoolRefusesSoon(t *testing.T) {
	t.Parallel()
	database := dbtest.URL(t, db.PostgreSQL)
	const deadline = 10 * time.Second // far more than acquire, also on a busy machine
	s := newService(t, database, map[string]string{"REQUEST_TIMEOUT": deadline.String(),
		"DATABASE_ACQUIRE_TIMEOUT": acquire.String(), "DATABASE_MAX_CONNS": strconv.Itoa(connections)})
	s.start()
	c := newClient(t)
	blocker, err := pgx.Connect(t.Context(), database)
	must(t, err)
	defer func() { _ = blocker.Close(context.Background()) }()
	tx, err := blocker.Begin(t.Context())
	must(t, err)
	_, err = tx.Exec(t.Context(), "LOCK TABLE events IN ACCESS EXCLUSIVE MODE")
	must(t, err)
	if a := s.getConcurrently(c, "/healthz", 1)[0]; a.status != http.StatusOK {
		t.Errorf("a busy database is unavailable: %s", a.body)
	}
	var slow atomic.Int64
	var soon time.Duration // the slowest of the answers that had no connection
	for _, a := range s.getConcurrently(c, "/events", 10*connections) {
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || a.took > longest {
			t.Errorf("blocked: %d after %v %s", a.status, a.took, a.body)
		}
		if a.took >= deadline {
			slow.Add(1)
		} else {
			soon = max(soon, a.took)
		}
	}
	if slow.Load() > connections {
		t.Errorf("%d requests waited longer for a connection than DATABASE_ACQUIRE_TIMEOUT", slow.Load())
	}
	must(t, tx.Rollback(t.Context()))
	testutil.Fault(t, "all connections are busy", "requests without a connection got 503 within %v; recovered after %v", soon,
		s.expectRecovery(c))
}
