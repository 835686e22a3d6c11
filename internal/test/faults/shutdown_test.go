package faults

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// instance is one service behind a balancer.
type instance struct {
	*service
	ready   atomic.Bool
	seen503 atomic.Bool // readiness failed before the listener was closed
}

// balancer sends requests to the instances whose /readyz answers 200.
type balancer []*instance

func (b balancer) pick() (base string, ok bool) {
	from := rand.IntN(len(b))
	for i := range b {
		if one := b[(from+i)%len(b)]; one.ready.Load() {
			return one.url(), true
		}
	}
	return "", false
}

// watch polls the readiness of an instance until the test ends, as a load balancer does.
func (i *instance) watch() {
	poller := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	for i.t.Context().Err() == nil {
		response, err := poller.Get(i.url() + "/readyz")
		if err == nil {
			_ = response.Body.Close()
			i.seen503.CompareAndSwap(false, response.StatusCode == http.StatusServiceUnavailable)
		}
		i.ready.Store(err == nil && response.StatusCode == http.StatusOK)
		time.Sleep(100 * time.Millisecond)
	}
}

// TestRollingRestartLosesNothing restarts instances under load, one after the
// other: every request succeeds.
func TestRollingRestartLosesNothing(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		rollingRestart(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), 1)
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		rollingRestart(t, dbtest.URL(t, db.PostgreSQL), 2)
	})
}

func rollingRestart(t *testing.T, database string, instances int) {
	var all balancer
	for range instances {
		one := &instance{service: newService(t, database, map[string]string{"SHUTDOWN_DELAY": shutdownDelay.String(), "DATABASE_MAX_CONNS": "4"})}
		one.start()
		go one.watch()
		all = append(all, one)
	}
	l := newLoad(t, all[0].service)
	l.target = all.pick
	stop := l.start()
	restarts := testutil.Rounds(2, 4)
	for range restarts / instances {
		for _, one := range all {
			l.awaitWrites(busy)
			one.seen503.Store(false)
			one.signal(syscall.SIGTERM)
			if state := one.wait(); state.ExitCode() != 0 {
				t.Errorf("SIGTERM: %v", state)
			}
			if !one.seen503.Load() {
				t.Error("the listener was closed before readiness failed")
			}
			one.start()
		}
	}
	l.awaitWrites(busy)
	stop()
	for _, one := range all {
		one.kill()
	}
	v := l.ledger.check(database)
	testutil.Fault(t, "rolling restart", "%d restarts: %v, %d reads, no request failed", restarts, v, l.read.value())
	if v.present != v.acknowledged || len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong")
	}
}

// TestShutdownEndsStuckRequests sends SIGTERM while a request never ends.
func TestShutdownEndsStuckRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		limit  string // SHUTDOWN_TIMEOUT
		again  bool   // a second SIGTERM follows
		end    string
		output string
	}{
		{"hard limit", "1s", false, "exit status 1", "moothall: app: requests were still running after 1s"},
		{"second signal", "10m", true, "signal: terminated", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"),
				map[string]string{"READ_TIMEOUT": "5m", "SHUTDOWN_TIMEOUT": c.limit})
			s.start()
			token := newClient(t).signIn(t, s.url(), 1)[0].token
			answer := hang(t, s.url(), token)
			began := time.Now()
			s.signal(syscall.SIGTERM)
			for c.again && !s.hasEnded() && time.Since(began) < patience {
				time.Sleep(300 * time.Millisecond) // the first one starts the shutdown
				s.signal(syscall.SIGTERM)
			}
			state := s.wait()
			if state.String() != c.end || !strings.Contains(s.run.output(), c.output) {
				t.Errorf("ended with %v, want %s:\n%s", state, c.end, s.run.output())
			}
			if took := time.Since(began); took < 300*time.Millisecond {
				t.Errorf("it waited only %v for the request", took)
			}
			if text, _ := io.ReadAll(answer); len(text) > 0 {
				t.Errorf("the stuck request was answered: %s", text)
			}
			testutil.Fault(t, "a request that never ends, at shutdown", "ended with %s", state)
		})
	}
}

// hang sends a request whose body never comes, and returns the connection when
// the service waits for the body.
func hang(t *testing.T, url, token string) *bufio.Reader {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	must(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	must(t, connection.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(connection, "POST /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n", token)
	must(t, err)
	answer := bufio.NewReader(connection)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := answer.ReadString('\n'); err != nil || line != want {
			t.Fatalf("%q, %v", line, err)
		}
	}
	return answer
}

// TestInstancesMigrateConcurrently starts three instances on one empty PostgreSQL
// at the same time.
func TestInstancesMigrateConcurrently(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t)
	var all []*service
	for range 3 {
		all = append(all, newService(t, database, map[string]string{"DATABASE_MAX_CONNS": "4"}))
	}
	for _, s := range all {
		s.launch()
	}
	for _, s := range all {
		s.awaitServing()
	}
	c := newClient(t)
	host := c.signIn(t, all[0].url(), 1)[0]
	starts := time.Now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	event := c.mustCall(t, http.MethodPost, all[1].url()+"/events", host.token, `{"title":"First","starts_at":"`+starts+`"}`).text("event.id")
	c.mustCall(t, http.MethodPost, all[2].url()+"/events/"+event+"/publish", host.token, "")
	for _, s := range all {
		if title := c.mustCall(t, http.MethodGet, s.url()+"/events/"+event, "", "").text("event.title"); title != "First" {
			t.Errorf("one instance shows %q", title)
		}
	}
	testutil.Fault(t, "instances migrate at the same time", "%d instances serve one database", len(all))
}
