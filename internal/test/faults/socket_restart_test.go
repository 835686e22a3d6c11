package faults

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestRollingRestartKeepsChats restarts instances behind HAProxy, one after the other, under a
// load of sockets and of requests on open and on new connections: no request fails, and each reader gets
// every message.
func TestRollingRestartKeepsChats(t *testing.T) {
	testutil.OnlyLong(t)
	t.Parallel()
	database := dbtest.URL(t, db.PostgreSQL)
	instances := startThree(t, database)
	base := newHAProxy(t, instances, nil)
	l := newLoad(t, instances[0].service)
	l.target = func() (string, bool) { return base, true }
	l.pause = 5 * time.Millisecond
	fresh := l.withNewConnections()
	awaitFront(t, l.client, base)
	c := newChatroom(t, base, 4, 60)
	c.startReaders(func(r *reader, _ int, ctx context.Context) { r.runClient(ctx, base) })
	stop, stopFresh, stopChat := l.start(), fresh.start(), c.converse(0)
	const restarts = 9
	for i := range restarts {
		one := instances[i%len(instances)]
		l.awaitWrites(busy)
		one.signal(syscall.SIGTERM)
		if state := one.wait(); state.ExitCode() != 0 {
			t.Errorf("SIGTERM: %v", state)
		}
		one.start()
	}
	l.awaitWrites(busy)
	stopChat()
	stopFresh()
	stop()
	messages := c.compare(database)
	if c.failed.value() > 0 {
		t.Errorf("%d requests of writers failed", c.failed.value())
	}
	reconnects, most := c.reconnects()
	testutil.Fault(t, "rolling restart with sockets",
		"%d restarts behind HAProxy: %d writes and %d reads on connections that stay open, %d and %d on new ones, none failed; %d messages, no gap at %d readers; %d reconnects, at most %d of them within 100 ms",
		restarts, l.acknowledged.value()+messages, l.read.value(), fresh.acknowledged.value(), fresh.read.value(), messages, len(c.readers),
		reconnects, most)
}

// awaitFront waits until the proxy knows an instance.
func awaitFront(t *testing.T, c *client, base string) {
	t.Helper()
	testutil.Until(t, "the proxy", func() bool {
		a, err := c.call(http.MethodGet, base+"/readyz", "", "")
		return err == nil && a.status == http.StatusOK
	})
}

// reconnects returns how often readers have connected again, and the largest number of times
// within 100 ms.
func (c *chatroom) reconnects() (count, most int) {
	var times []time.Time
	for _, r := range c.readers {
		times = append(times, r.opens[1:]...)
	}
	slices.SortFunc(times, time.Time.Compare)
	for i, first := range times {
		n := i
		for n < len(times) && times[n].Sub(first) < 100*time.Millisecond {
			n++
		}
		most = max(most, n-i)
	}
	return len(times), most
}

// startThree starts three instances that keep their addresses when they start again.
func startThree(t *testing.T, database string) (instances balancer) {
	t.Helper()
	for range 3 {
		one := &instance{service: newService(t, database, map[string]string{"SHUTDOWN_DELAY": shutdownDelay.String(), "DATABASE_MAX_CONNS": "4"})}
		one.start()
		one.settings["LISTEN_ADDR"] = strings.TrimPrefix(one.url(), "http://")
		instances = append(instances, one)
	}
	return instances
}

// proxyConfig returns the configuration of deploy/haproxy with other addresses, faster checks and
// another log format.
func proxyConfig(t *testing.T, instances balancer) string {
	t.Helper()
	text, err := os.ReadFile("../../../deploy/haproxy/haproxy.cfg")
	must(t, err)
	config, _, _ := strings.Cut(string(text), "\tserver ")
	config = strings.NewReplacer(
		"inter 1s", "inter 100ms",
		"bind :8080", "bind fd@3\n\thttp-request capture req.hdr(Request-Number) len 20\n\tlog-format \"%[capture.req.hdr(0)] %s\"",
	).Replace(config)
	for i, one := range instances {
		config += fmt.Sprintf("\tserver instance%d %s\n", i, one.settings["LISTEN_ADDR"])
	}
	return config
}

// newHAProxy starts HAProxy in front of instances and returns its address. If an instance dies, HAProxy repeats its reads
// on another one. For each request, the log gets a line with the header Request-Number and the name of the instance.
func newHAProxy(t *testing.T, instances balancer, log io.Writer) (base string) {
	t.Helper()
	path, err := exec.LookPath("haproxy")
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/haproxy") // Debian's, for users without this folder in PATH
	}
	if err != nil {
		t.Fatalf("haproxy is missing: install it (Debian: apt-get install haproxy), or run make test, which does: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = listener.Close() }()
	file, err := listener.(*net.TCPListener).File()
	must(t, err)
	defer func() { _ = file.Close() }()
	name := filepath.Join(t.TempDir(), "haproxy.cfg")
	must(t, os.WriteFile(name, []byte(proxyConfig(t, instances)), 0o600))
	cmd := exec.Command(path, "-db", "-f", name)
	cmd.ExtraFiles, cmd.Stdout = []*os.File{file}, log
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	return "http://" + listener.Addr().String()
}
