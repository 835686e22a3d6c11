package realtime

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestStopSpreadsTheEnds stops an instance with five sockets: one client is disconnected every
// two seconds, so that not all of them reconnect at once.
func TestStopSpreadsTheEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, ended := newSocketlessHub(), make(chan time.Time, 5)
		for range 5 {
			connect(t, newUserSocket(h), true, ended)
		}
		began, stopped := time.Now(), make(chan struct{})
		go func() {
			h.Stop(10 * time.Second)
			close(stopped)
		}()
		var after []time.Duration
		for range 5 {
			after = append(after, (<-ended).Sub(began))
		}
		if want := []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second, 8 * time.Second}; !slices.Equal(after, want) {
			t.Errorf("the sockets end after %v, want %v", after, want)
		}
		if h.admit() == nil {
			t.Error("a hub that stops admits a socket")
		}
		<-stopped
	})
}

// TestStopWaitsForTheEnds returns when no client is left, and does not wait long for one that
// hangs.
func TestStopWaitsForTheEnds(t *testing.T) {
	for _, row := range []struct {
		name  string
		reads bool
		most  time.Duration
	}{
		{"all read", true, 10 * time.Millisecond},
		{"one hangs", false, closeWait},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, ended := newSocketlessHub(), make(chan time.Time, 2)
				connect(t, newUserSocket(h), true, ended)
				connect(t, newUserSocket(h), row.reads, ended)
				synctest.Wait()
				began := time.Now()
				h.Stop(0)
				if took := time.Since(began); took > row.most {
					t.Errorf("Stop returns after %v, want %v", took, row.most)
				}
				if len(ended) == 0 {
					t.Error("a client that reads is not disconnected yet")
				}
			})
		})
	}
}
