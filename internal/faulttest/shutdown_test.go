package faulttest

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

	"moothall/internal/pgtest"
)

// instance is one service behind a balancer.
type instance struct {
	*service
	ready   atomic.Bool
	seen503 atomic.Bool // readiness failed while it still answered
}

// balancer sends requests to instances whose /readyz says yes, as any load
// balancer does.
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

// watch asks an instance for its readiness until the test ends.
func (i *instance) watch() {
	asking := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	for i.t.Context().Err() == nil {
		response, err := asking.Get(i.url() + "/readyz")
		if err == nil {
			_ = response.Body.Close()
			i.seen503.CompareAndSwap(false, response.StatusCode == http.StatusServiceUnavailable)
		}
		i.ready.Store(err == nil && response.StatusCode == http.StatusOK)
		time.Sleep(10 * time.Millisecond)
	}
}

// TestRollingRestartLosesNothing restarts instances under load, one after the
// other: no request is lost, none is answered with anything but a success.
func TestRollingRestartLosesNothing(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		rollingRestart(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), 1)
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		rollingRestart(t, pgtest.Database(t), 2)
	})
}

func rollingRestart(t *testing.T, database string, instances int) {
	var all balancer
	for range instances {
		one := &instance{service: newService(t, database, map[string]string{"SHUTDOWN_DELAY": "1s", "DATABASE_MAX_CONNS": "4"})}
		one.start()
		go one.watch()
		all = append(all, one)
	}
	l := newLoad(t, all[0].service)
	l.target = all.pick
	stop := l.start()
	for range 4 / instances {
		for _, one := range all {
			l.await(busy)
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
	l.await(busy)
	stop()
	for _, one := range all {
		one.kill()
	}
	v := l.ledger.check(database)
	t.Logf("4 restarts: %v, %d reads", v, l.read.Load())
	if v.present != v.acknowledged || len(v.missing)+len(v.wrong) > 0 {
		t.Error("what was sent is not what is there")
	}
}

// TestStuckRequestEndsWithTheProcess asks a service to end while a request in
// flight will not.
func TestStuckRequestEndsWithTheProcess(t *testing.T) {
	for _, c := range []struct {
		name  string
		limit string // SHUTDOWN_TIMEOUT
		again bool   // a second SIGTERM follows
		end   string
		says  string
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
				time.Sleep(300 * time.Millisecond) // it takes the first one as a wish
				s.signal(syscall.SIGTERM)
			}
			state := s.wait()
			if state.String() != c.end || !strings.Contains(s.run.complaints(), c.says) {
				t.Errorf("ended with %v, want %s:\n%s", state, c.end, s.run.complaints())
			}
			if took := time.Since(began); took < 300*time.Millisecond {
				t.Errorf("it gave the request only %v", took)
			}
			if text, _ := io.ReadAll(answer); len(text) > 0 {
				t.Errorf("the stuck request was answered: %s", text)
			}
		})
	}
}

// hang sends a request whose body never ends, and gives the connection once
// the service is waiting for it.
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

// TestThreeStartAtOnce starts three instances on one empty PostgreSQL at the
// very same time.
func TestThreeStartAtOnce(t *testing.T) {
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
}
