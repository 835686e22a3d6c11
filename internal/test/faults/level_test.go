package faults

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// TestLoadLevelsOff reads and changes the same data for ten minutes. In the second half, neither the process nor
// the database grows.
func TestLoadLevelsOff(t *testing.T) {
	length := time.Duration(testutil.Rounds(0, 600)) * time.Second
	if length == 0 {
		t.Skip("too slow for make test: it lasts ten minutes; make check runs it")
	}
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "moothall.db")
		levelOff(t, db.SQLite, "sqlite:"+path, length, func() map[string]float64 {
			return map[string]float64{"database (MB)": megabytes(path), "log (MB)": megabytes(path + "-wal")}
		})
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		url := pgtest.Private(t, pgtest.Options{Settings: map[string]string{
			"autovacuum": "on", "autovacuum_naptime": "10s", "checkpoint_timeout": "1min", "max_wal_size": "64MB",
		}}).URL("postgres")
		conn, err := pgx.Connect(t.Context(), url)
		must(t, err)
		defer func() { _ = conn.Close(context.Background()) }()
		levelOff(t, db.PostgreSQL, url, length, func() map[string]float64 {
			var size, log, dead float64
			must(t, conn.QueryRow(t.Context(), `SELECT pg_database_size(current_database()) / 1e6, (SELECT SUM(size) FROM pg_ls_waldir()) / 1e6,
				(SELECT SUM(n_dead_tup) FROM pg_stat_user_tables)`).Scan(&size, &log, &dead))
			return map[string]float64{"database (MB)": size, "log (MB)": log, "dead rows": dead}
		})
	})
}

func megabytes(path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0 // SQLite has not created it yet
	}
	return float64(info.Size()) / 1e6
}

// slack is how much a figure may grow in the second half, in addition to a tenth of its mean.
var slack = map[string]float64{
	"memory (MB)": 16, "goroutines": 20, "descriptors": 20, "database (MB)": 2, "log (MB)": 16, "dead rows": 2000,
}

func levelOff(t *testing.T, engine db.Engine, url string, length time.Duration, measure func() map[string]float64) {
	metrics := freeAddress(t)
	s := newService(t, url, map[string]string{
		// their rows would be deleted only after days
		"CACHE_MB": "64", "METRICS_ADDR": metrics, "NOTIFICATIONS": "none",
	})
	s.start()
	c := newChurn(t, s)
	stop := c.start()
	series := map[string][]float64{}
	const interval = 2 * time.Second
	for range int(length / interval) {
		time.Sleep(interval)
		sample := measure()
		for name, metric := range map[string]string{"memory (MB)": "process_resident_memory_bytes", "goroutines": "go_goroutines",
			"descriptors": "process_open_fds"} {
			sample[name] = readMetric(t, metrics, metric)
		}
		sample["memory (MB)"] /= 1e6
		for name, value := range sample {
			series[name] = append(series[name], value)
		}
	}
	stop()
	var found []string
	for name, values := range series {
		second := values[len(values)/2:]
		growth, mean := trend(second)
		found = append(found, fmt.Sprintf("%s %.0f (%+.1f)", name, mean, growth))
		if growth > mean/10+slack[name] {
			t.Errorf("%s grows by %.1f in the second half, from a mean of %.1f: %.1f", name, growth, mean, values)
		}
	}
	slices.Sort(found)
	testutil.Fault(t, "ten minutes of mixed load", "%d requests on %v; mean of the second half, and its trend: %s", c.done.Load(), engine,
		strings.Join(found, ", "))
}

// trend fits a line to the values (least squares). It returns how much the line rises from the first value to the last, and the mean.
func trend(values []float64) (growth, mean float64) {
	n := float64(len(values))
	for _, y := range values {
		mean += y / n
	}
	var covariance, variance float64
	for i, y := range values {
		x := float64(i) - (n-1)/2
		covariance += x * (y - mean)
		variance += x * x
	}
	return covariance / variance * (n - 1), mean
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, listener.Close())
	return listener.Addr().String()
}

func readMetric(t *testing.T, address, name string) float64 {
	t.Helper()
	response, err := http.Get("http://" + address + "/metrics")
	must(t, err)
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			value, err := strconv.ParseFloat(text, 64)
			must(t, err)
			return value
		}
	}
	t.Fatalf("no metric %s", name)
	return 0
}

// churn is a load that changes the same rows again and again.
type churn struct {
	t      *testing.T
	client *client
	base   string
	people []person
	events []string // one of each person
	done   atomic.Int64
}

func newChurn(t *testing.T, s *service) *churn {
	t.Helper()
	c := &churn{t: t, client: newClient(t), base: s.url()}
	c.people = c.client.signIn(t, c.base, guests)
	for _, p := range c.people {
		event := c.client.mustCall(t, http.MethodPost, c.base+"/events", p.token,
			`{"title":"Chess","starts_at":"2099-01-01T10:00:00Z","city":"Berlin","lat":52.5,"lng":13.4}`).text("event.id")
		c.client.mustCall(t, http.MethodPost, c.base+"/events/"+event+"/publish", p.token, "")
		c.events = append(c.events, event)
	}
	return c
}

// start lets each person send requests until stop is called.
func (c *churn) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, p := range c.people {
		running.Go(func() {
			for ctx.Err() == nil {
				c.visit(p)
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	c.t.Cleanup(stop)
	return stop
}

// visit lets a person read pages, change their own event, join and follow, and undo the last two.
func (c *churn) visit(p person) {
	own := slices.IndexFunc(c.people, func(other person) bool { return other == p })
	other := (own + 1 + rand.IntN(len(c.people)-1)) % len(c.people)
	event, host := "/events/"+c.events[other], "/users/"+c.people[other].id
	for _, r := range []struct{ method, path, body string }{
		{http.MethodGet, "/events?limit=20", ""},
		{http.MethodGet, "/events?q=chess", ""},
		{http.MethodGet, "/events/map?bbox=13,52,14,53", ""},
		{http.MethodGet, event, ""},
		{http.MethodPost, host + "/follow", ""},
		{http.MethodPost, event + "/join", ""},
		{http.MethodGet, "/notifications", ""},
		{http.MethodPatch, "/events/" + c.events[own], fmt.Sprintf(`{"title":"Chess %d"}`, rand.IntN(1000))},
		{http.MethodDelete, event + "/join", ""},
		{http.MethodDelete, host + "/follow", ""},
	} {
		a, err := c.client.call(r.method, c.base+r.path, p.token, r.body)
		if err != nil || a.status >= 300 {
			c.t.Errorf("%s %s: %d %s %v", r.method, r.path, a.status, a.body, err)
		}
		c.done.Add(1)
	}
	conn, _, err := openSocket(c.t.Context(), c.base, "/events/"+c.events[own]+"/ws", p.token, nil)
	if err != nil {
		c.t.Errorf("socket: %v", err)
		return
	}
	_ = conn.Close()
}
