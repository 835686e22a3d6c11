package realtime_test

import (
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobwas/ws/wsutil"

	"moothall/sdk/go/realtime"
)

// TestClientKeepsTheFrameLimit sends 400 frames at once. The server gets all, in order, and
// never more than 120 in 10 seconds.
func TestClientKeepsTheFrameLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const frames, limit, window = 400, 120, 10 * time.Second
		near, far := net.Pipe()
		send := realtime.Sender(near)
		go func() {
			for n := range frames {
				send(fmt.Sprint(n))
			}
		}()
		var arrivals []time.Time
		for n := range frames {
			text, err := wsutil.ReadClientText(far)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf(`{"op":"%d"}`, n); string(text) != want {
				t.Fatalf("got %s, want %s", text, want)
			}
			arrivals = append(arrivals, time.Now())
			if n >= limit && arrivals[n].Sub(arrivals[n-limit]) < window {
				t.Fatalf("%d frames in %v", limit+1, arrivals[n].Sub(arrivals[n-limit]))
			}
		}
		if took := arrivals[frames-1].Sub(arrivals[0]); took > 3*window {
			t.Errorf("the last frame arrives after %v", took)
		}
	})
}
