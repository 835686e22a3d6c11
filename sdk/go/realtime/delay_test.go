package realtime

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// TestDelays checks the bounds of the delays, and that they are random.
func TestDelays(t *testing.T) {
	closed := func(code ws.StatusCode) error { return fmt.Errorf("read: %w", wsutil.ClosedError{Code: code}) }
	for _, row := range []struct {
		err         error
		failures    int
		least, most time.Duration
	}{
		{io.EOF, 0, 500 * time.Millisecond, time.Second},
		{io.EOF, 1, 500 * time.Millisecond, 2 * time.Second},
		{closed(4408), 2, 500 * time.Millisecond, 4 * time.Second},
		{closed(4429), 9, 500 * time.Millisecond, 20 * time.Second},
		{ws.StatusError(503), 1000, 500 * time.Millisecond, 20 * time.Second},
		{closed(1001), 0, 0, 10 * time.Second},
	} {
		different := map[time.Duration]bool{}
		for range 100 {
			delay, err := pause(row.err, row.failures, defaultDelay)
			if err != nil || delay < row.least || delay > row.most {
				t.Errorf("%v after %d failures: %s, %v, want %s to %s", row.err, row.failures, delay, err, row.least, row.most)
			}
			different[delay] = true
		}
		if len(different) < 50 {
			t.Errorf("%v: only %d different delays", row.err, len(different))
		}
	}
}

// TestRefusalsLengthenDelays refuses a subscription again and again on connections that the server accepts.
func TestRefusalsLengthenDelays(t *testing.T) {
	near, _ := net.Pipe()
	c := New(Options{})
	c.Subscribe(Me)
	c.conn = &conn{Conn: near}
	for n := range 5 {
		c.accept(Frame{Op: "error", Topic: Me, ID: c.topics[Me].id, Error: "internal_error"})
		if got := c.refusals(); got != n+1 {
			t.Errorf("%d refusals after %d", got, n+1)
		}
	}
	c.accept(Frame{Op: "subscribed", Topic: Me, ID: c.topics[Me].id})
	if got := c.refusals(); got != 0 {
		t.Errorf("%d refusals after a success", got)
	}
}
