package socket

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobwas/ws"
)

// TestClientThatHangs reads nothing: the connection ends when a write has taken 10 seconds.
func TestClientThatHangs(t *testing.T) {
	for name, stream := range map[string]bool{"WebSocket": false, "stream": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, _, r := start(t, stream)
				began := time.Now()
				c.Send(NewFrame([]byte(`{}`), ""))
				if code := <-r.closed; code != CodeTooSlow || time.Since(began) != writeTimeout {
					t.Errorf("closed with %d after %v, want %d after %v", code, time.Since(began), CodeTooSlow, writeTimeout)
				}
			})
		})
	}
}

// TestSilence pings a client that answers twice, then no more.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, client, r := start(t, false)
		var answered time.Time
		for range 2 {
			time.Sleep(60 * time.Second)
			c.Ping()
			if f, err := readFrame(client); err != nil || f.Header.OpCode != ws.OpPing {
				t.Fatalf("got %v, %v, want a ping", f.Header.OpCode, err)
			}
			if err := ws.WriteFrame(client, ws.MaskFrame(ws.NewPongFrame(nil))); err != nil {
				t.Fatal(err)
			}
			answered = time.Now()
		}
		<-r.closed
		if silence := time.Since(answered); silence != maxSilence {
			t.Errorf("the connection ends after a silence of %v, want %v", silence, maxSilence)
		}
	})
}
