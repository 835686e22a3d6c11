package admission_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/admission"
)

// caller returns the caller with a number, who is in no network with others.
func caller(n int) admission.Caller { return admission.Caller{ID: uint64(n), Group: uint64(n)} }

// inNetwork returns a connection of a network.
func inNetwork(network, connection int) admission.Caller {
	return admission.Caller{ID: uint64(1000*network + connection), Group: uint64(network)}
}

// fixture is a lane whose requests run until they are told to leave.
type fixture struct {
	t       *testing.T
	lane    *admission.Lane
	running chan string // names of requests, in the order in which they run
	refused chan string
}

func newFixture(t *testing.T, o admission.Options) *fixture {
	o.Name = "test"
	o.ProcessorWait = func() time.Duration { return 0 } // other programs may keep the processors of this machine busy
	return &fixture{t: t, lane: admission.NewLane(o), running: make(chan string, 10_000), refused: make(chan string, 10_000)}
}

// enter sends a request and waits until it runs, waits or is refused.
func (f *fixture) enter(name string, who admission.Caller) {
	go f.send(name, who)
	synctest.Wait()
}

func (f *fixture) send(name string, who admission.Caller) {
	if _, err := f.lane.Enter(f.t.Context(), who); err != nil {
		f.refused <- name
		return
	}
	f.running <- name
}

// order ends requests one after the other and returns the order in which they ran.
func (f *fixture) order() (names []string) {
	for {
		synctest.Wait()
		select {
		case name := <-f.running:
			names = append(names, name)
			f.lane.Leave()
		default:
			return names
		}
	}
}

// metric returns the sum of a metric of the lane.
func (f *fixture) metric(name string) (sum float64) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(f.lane.Metrics()...)
	families, err := registry.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == name {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return sum
}

func TestLightCallersGoFirst(t *testing.T) {
	type request struct {
		name string
		who  admission.Caller
	}
	for _, row := range []struct {
		name     string
		requests []request
		want     string // the order of those after the first, which runs at once
	}{
		{"few requests before many", []request{{"a", caller(1)}, {"b", caller(1)}, {"c", caller(1)}, {"d", caller(2)}}, "dbc"},
		{"a user before a network of many", []request{{"a", inNetwork(1, 1)}, {"b", inNetwork(1, 2)}, {"c", inNetwork(1, 3)}, {"d", inNetwork(2, 1)}}, "dbc"},
		{"a new connection before one that was served", []request{{"a", inNetwork(1, 9)}, {"b", inNetwork(1, 1)}, {"c", inNetwork(1, 1)}, {"d", inNetwork(1, 2)}}, "bcd"},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, admission.Options{Max: 1})
				for _, r := range row.requests {
					f.enter(r.name, r.who)
				}
				got := ""
				for _, name := range f.order()[1:] {
					got += name
				}
				if got != row.want {
					t.Errorf("they ran in the order %s, want %s", got, row.want)
				}
			})
		})
	}
}

// TestOccasionalCallersAreServedUnderOverload sends ten times as much as a lane can serve, and
// a few requests of others.
func TestOccasionalCallersAreServedUnderOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const permits, crowd, others = 4, 300, 10
		lane := newFixture(t, admission.Options{Max: permits}).lane
		var stopped atomic.Bool
		send := func(n int) bool {
			if !lane.TryEnter() {
				if _, err := lane.Enter(t.Context(), caller(n)); err != nil {
					return false
				}
			}
			time.Sleep(50 * time.Millisecond)
			lane.Leave()
			return true
		}
		var all sync.WaitGroup
		var crowdRefused, othersRefused, othersServed atomic.Int64
		for i := range crowd {
			all.Go(func() {
				for !stopped.Load() {
					if !send(i) {
						crowdRefused.Add(1)
					}
				}
			})
		}
		for i := range others {
			all.Go(func() {
				for time.Sleep(time.Second); !stopped.Load(); time.Sleep(time.Second) {
					if send(crowd + i) {
						othersServed.Add(1)
					} else {
						othersRefused.Add(1)
					}
				}
			})
		}
		time.Sleep(10 * time.Second)
		stopped.Store(true)
		all.Wait()
		if crowdRefused.Load() < 1000 || othersServed.Load() < 5*others || othersRefused.Load() > 0 {
			t.Errorf("%d requests of the crowd and %d of others were refused, %d of others were served",
				crowdRefused.Load(), othersRefused.Load(), othersServed.Load())
		}
	})
}

// TestNewConnectionsDoNotStarveOthers lets a network open a new connection for each of its requests, ten times as many
// as a lane can serve.
func TestNewConnectionsDoNotStarveOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const permits, crowd, others = 4, 300, 10
		lane := newFixture(t, admission.Options{Max: permits}).lane
		var stopped atomic.Bool
		var connections, refused, served atomic.Int64
		send := func(who admission.Caller) bool {
			if _, err := lane.Enter(t.Context(), who); err != nil {
				return false
			}
			time.Sleep(50 * time.Millisecond)
			lane.Leave()
			return true
		}
		var all sync.WaitGroup
		for range crowd {
			all.Go(func() {
				for !stopped.Load() {
					send(inNetwork(1, int(connections.Add(1))))
				}
			})
		}
		for i := range others {
			all.Go(func() {
				for time.Sleep(time.Duration(i) * 100 * time.Millisecond); !stopped.Load(); time.Sleep(time.Second) {
					if send(caller(2 + i)) {
						served.Add(1)
					} else {
						refused.Add(1)
					}
				}
			})
		}
		time.Sleep(30 * time.Second)
		stopped.Store(true)
		all.Wait()
		if served.Load() < 20*others || refused.Load() > 0 {
			t.Errorf("%d requests of others were served, %d refused", served.Load(), refused.Load())
		}
	})
}

func TestUseIsForgotten(t *testing.T) {
	for _, row := range []struct {
		pause time.Duration
		want  string
	}{{time.Second, "light"}, {time.Minute, "heavy"}} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture(t, admission.Options{Max: 1})
			f.enter("first", caller(1))
			for range 20 {
				f.enter("heavy", caller(1))
			}
			f.order()
			time.Sleep(row.pause)
			f.enter("first", caller(3))
			f.enter("light", caller(2))
			f.enter("heavy", caller(1)) // the newest goes first, unless it is heavier
			if order := f.order(); order[1] != row.want {
				t.Errorf("after %v, %s ran first, want %s", row.pause, order[1], row.want)
			}
		})
	}
}

func TestWaitingRequestsAreRefusedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, admission.Options{Max: 1})
		f.enter("first", caller(1))
		f.enter("second", caller(2))
		began := time.Now()
		if name := <-f.refused; name != "second" || time.Since(began) > time.Second {
			t.Errorf("%s was refused after %v", name, time.Since(began))
		}
		gone, hangUp := context.WithCancel(t.Context())
		hangUp()
		if _, err := f.lane.Enter(gone, caller(3)); !errors.Is(err, admission.ErrRefused) {
			t.Errorf("a client that is gone got %v", err)
		}
		for range 5000 {
			go f.send("many", caller(4))
		}
		synctest.Wait()
		f.enter("light", caller(5))
		if refused := len(f.refused); refused != 5001-4096 {
			t.Errorf("%d requests were refused at once, want those above 4096", refused)
		}
		if order := f.order(); order[1] != "light" {
			t.Errorf("%s ran first: the queue was full for a light caller", order[1])
		}
		if refused := f.metric("moothall_admission_refused_total"); refused != 5001-4096+2 {
			t.Errorf("%v refusals were counted", refused)
		}
	})
}

// TestLimitFollowsQueueDelay keeps a lane busy whose probe takes a given time.
func TestLimitFollowsQueueDelay(t *testing.T) {
	for _, row := range []struct {
		name        string
		delay       time.Duration
		least, most int
	}{
		{"no delay", 0, 80, 80},
		{"long delay", 300 * time.Millisecond, 4, 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFixture(t, admission.Options{Max: 80, Probe: func(context.Context) { time.Sleep(row.delay) }})
				stop := make(chan struct{})
				for i := range 200 {
					go func() {
						for {
							select {
							case <-stop:
								return
							default:
							}
							if _, err := f.lane.Enter(t.Context(), caller(i)); err != nil {
								continue
							}
							time.Sleep(50 * time.Millisecond)
							f.lane.Leave()
						}
					}()
				}
				time.Sleep(5 * time.Second)
				got := int(f.metric("moothall_admission_limit"))
				if got < row.least || got > row.most {
					t.Errorf("the limit is %d, want %d to %d", got, row.least, row.most)
				}
				close(stop)
				time.Sleep(5 * time.Second)
				if got := int(f.metric("moothall_admission_limit")); got < 64 {
					t.Errorf("after the overload, the limit is %d", got)
				}
			})
		})
	}
}
