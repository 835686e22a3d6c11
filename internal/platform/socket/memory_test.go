package socket

import (
	"runtime"
	"testing"

	"github.com/gobwas/ws"
)

// deepHandler needs much stack for each message.
type deepHandler struct {
	recorder
	received chan struct{}
}

func (h deepHandler) Receive([]byte) {
	deep(200)
	h.received <- struct{}{}
}

//go:noinline
func deep(calls int) (sum byte) {
	var local [256]byte
	if local[calls] = 1; calls > 0 {
		local[0] = deep(calls - 1)
	}
	return local[0] + local[calls]
}

// TestStackAfterMessage lets many clients send a message: while they are idle again, each needs a
// small stack only, whatever the handler needed.
func TestStackAfterMessage(t *testing.T) {
	const clients, limit = 200, 6 << 10 // bytes each
	message := ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame([]byte(`{}`))))
	stacks := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.StackInuse)
	}
	before := stacks()
	for range clients {
		c, client, r := newPipe(t, false)
		h := deepHandler{r, make(chan struct{})}
		c.handler = h
		c.Start()
		if _, err := client.Write(message); err != nil {
			t.Fatal(err)
		}
		<-h.received
	}
	if each := (stacks() - before) / clients; each > limit {
		t.Errorf("%d bytes of stack for each client, want at most %d", each, limit)
	}
}
