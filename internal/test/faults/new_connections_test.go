package faults

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestNewConnectionsDoNotStarveOthers lets one network load pages, first on connections that it keeps, then on a new one
// for each request: others are served in both cases. The service has one processor and the test the other one.
func TestNewConnectionsDoNotStarveOthers(t *testing.T) {
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
			c := newCrowd(t, s, 1)
			for _, kept := range []bool{true, false} {
				var crowd done
				var others sample
				c.reconnect(&crowd, &others, kept)
				testutil.Fault(t, "new connections",
					"%d callers, connections kept: %t: %v; %d refused; others: %d of %d answered within a second, %d refused, the slowest after %v; healthy %d of %d times",
					reconnecting, kept, &crowd, crowd.refused.Load(), others.soon, others.sent, others.failed, others.slowest.Round(time.Millisecond),
					others.healthy, others.checked)
				if crowd.wrong.Load() > 0 {
					t.Errorf("%d wrong responses, such as %v", crowd.wrong.Load(), *crowd.example.Load())
				}
				if others.failed > others.sent/20 {
					t.Errorf("%d of %d requests of others were refused", others.failed, others.sent)
				}
			}
		})
	}
}

// reconnecting is the number of callers who load pages.
const reconnecting = 400

// reconnect lets anonymous callers of one network load pages without a pause, beside others.
func (c *crowd) reconnect(sum *done, others *sample, kept bool) {
	c.t.Helper()
	var running sync.WaitGroup
	var stopped atomic.Bool
	for i := range reconnecting {
		caller := &http.Client{Timeout: patience, Transport: &http.Transport{
			DialContext:       (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 77, byte(1+i%20))}}).DialContext,
			DisableKeepAlives: !kept,
		}}
		running.Go(func() {
			defer caller.CloseIdleConnections()
			for n := 0; !stopped.Load(); n++ { // the pages differ, so that they are not cached
				sum.load(caller, fmt.Sprintf("%s/?q=jazz&lat=52.5&lng=13.%06d&radius_km=50", c.s.url(), i*1000+n%1000))
			}
		})
	}
	began, cpu := time.Now(), c.s.cpu()
	c.lookOn(others, 10*time.Second)
	sum.took += time.Since(began)
	sum.cpu += c.s.cpu() - cpu
	stopped.Store(true)
	running.Wait()
}

// load loads a page.
func (d *done) load(caller *http.Client, url string) {
	r, err := http.NewRequest(http.MethodGet, url, http.NoBody)
	if err == nil {
		r.Header.Set("Accept", "text/html")
		err = d.send(caller, r)
	}
	if err != nil {
		d.wrong.Add(1)
		d.example.CompareAndSwap(nil, &err)
		time.Sleep(50 * time.Millisecond)
	}
}

func (d *done) send(caller *http.Client, r *http.Request) error {
	response, err := caller.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
		d.useful.Add(1)
	case http.StatusServiceUnavailable:
		d.refused.Add(1)
	default:
		return fmt.Errorf("status %d", response.StatusCode)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
