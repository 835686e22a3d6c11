package faults

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// withNewConnections returns a load by the same people that opens a new connection for each request.
func (l *load) withNewConnections() *load {
	transport := &http.Transport{DisableKeepAlives: true}
	return &load{
		t: l.t, client: &client{http.Client{Transport: transport, Timeout: patience}}, ledger: l.ledger, people: l.people,
		target: l.target, pause: l.pause, allowBroken: l.allowBroken, prefix: "Fresh ",
	}
}

// TestKillBehindHAProxy kills instances behind HAProxy, one after the other. No request fails, except writes
// in flight on the killed instance.
func TestKillBehindHAProxy(t *testing.T) {
	rounds := testutil.Rounds(0, 12)
	if rounds == 0 {
		t.Skip("too slow for make test, which kills instances in TestNoGap; make check runs it")
	}
	t.Parallel()
	database := dbtest.URL(t, db.PostgreSQL)
	instances := startThree(t, database)
	o := &observer{}
	base := newHAProxy(t, instances, o)
	l := newLoad(t, instances[0].service)
	l.target = func() (string, bool) { return base, true }
	l.pause, l.allowBroken = 5*time.Millisecond, true
	fresh := l.withNewConnections()
	for _, c := range []*client{l.client, fresh.client} {
		c.http.Transport = observed{o, c.http.Transport.(*http.Transport)}
	}
	awaitFront(t, l.client, base)
	stop, stopFresh := l.start(), fresh.start()
	var kills []kill
	for i := range rounds {
		l.awaitWrites(busy)
		number := i % len(instances)
		k := kill{instance: fmt.Sprint("instance", number), before: time.Now()}
		instances[number].kill()
		k.after = time.Now()
		kills = append(kills, k)
		fresh.awaitWrites(busy)
		instances[number].start()
	}
	l.awaitWrites(busy)
	stopFresh()
	stop()
	v := l.ledger.check(database)
	if len(v.missing)+len(v.wrong) > 0 {
		t.Error("acknowledged writes are missing or wrong: ", v)
	}
	o.expectExplained(t, kills)
	if failed := l.inDoubt.value() + fresh.inDoubt.value(); failed != len(o.failed) {
		t.Errorf("%d requests failed, %d of them while HAProxy had them", failed, len(o.failed))
	}
	testutil.Fault(t, "kill -9 behind HAProxy",
		"%d kills: %v; of %d reads none failed, and %d writes, which were in flight on the killed instance",
		rounds, v, l.read.value()+fresh.read.value(), len(o.failed))
}

// kill is the end of an instance, some time between before and after.
type kill struct {
	instance      string // as HAProxy calls it
	before, after time.Time
}

// observer numbers requests and remembers those that fail.
type observer struct {
	mu     sync.Mutex
	count  int
	failed []failedRequest
	log    bytes.Buffer // of HAProxy: numbers and instances
}

type failedRequest struct {
	number       int
	method       string
	began, ended time.Time
	unlogged     bool // HAProxy may have no log line: on a reused connection, it closes the connection without a response
}

// observed sends requests whose failures an observer sees.
type observed struct {
	*observer
	transport *http.Transport
}

// RoundTrip implements http.RoundTripper. It reads the whole response.
func (o observed) RoundTrip(r *http.Request) (*http.Response, error) {
	o.mu.Lock()
	o.count++
	f := failedRequest{number: o.count, method: r.Method, began: time.Now()}
	o.mu.Unlock()
	r = r.Clone(r.Context())
	r.Header.Set("Request-Number", strconv.Itoa(f.number))
	response, err := o.transport.RoundTrip(r)
	if err == nil {
		var body []byte
		body, err = io.ReadAll(response.Body)
		_ = response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(body))
	}
	if err != nil || response.StatusCode >= 500 {
		f.ended, f.unlogged = time.Now(), err != nil && !o.transport.DisableKeepAlives
		o.mu.Lock()
		o.failed = append(o.failed, f)
		o.mu.Unlock()
	}
	return response, err
}

// Write receives the log of HAProxy.
func (o *observer) Write(lines []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.log.Write(lines)
}

// instance returns the instance that HAProxy sent a request to; empty: the log does not have it yet.
func (o *observer) instance(number int) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, rest, _ := strings.Cut("\n"+o.log.String(), fmt.Sprintf("\n%d ", number))
	instance, _, _ := strings.Cut(rest, "\n")
	return instance
}

// expectExplained expects that each failed request was a write, in flight on an instance at the time of its kill.
func (o *observer) expectExplained(t *testing.T, kills []kill) {
	t.Helper()
	for _, f := range o.failed {
		testutil.Until(t, "a line of HAProxy's log", func() bool { return f.unlogged || o.instance(f.number) != "" })
		explained := slices.ContainsFunc(kills, func(k kill) bool {
			return (f.unlogged || o.instance(f.number) == k.instance) && f.began.Before(k.after) && f.ended.After(k.before)
		})
		if !explained || f.method == http.MethodGet {
			t.Errorf("failed without a kill: %s on %s, from %v to %v; kills: %v", f.method, o.instance(f.number), f.began, f.ended, kills)
		}
	}
}
