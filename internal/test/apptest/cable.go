package apptest

import (
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Cable forwards connections to a server, and fails as networks do. New connections are possible after each fault.
type Cable struct {
	URL string

	mu    sync.Mutex
	wires []*wire
}

// wire is a connection of a client, and the one to the server.
type wire struct {
	ends   [2]net.Conn
	silent atomic.Bool
}

// NewCable returns a cable to the server at an address, such as that of App.URL.
func NewCable(t *testing.T, server string) *Cable {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &Cable{URL: "http://" + listener.Addr().String()}
	t.Cleanup(func() {
		_ = listener.Close()
		c.Cut()
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			upstream, err := net.Dial("tcp", strings.TrimPrefix(server, "http://"))
			if err != nil {
				_ = client.Close()
				continue
			}
			w := &wire{ends: [2]net.Conn{client, upstream}}
			c.mu.Lock()
			c.wires = append(c.wires, w)
			c.mu.Unlock()
			go w.forward(client, upstream)
			go w.forward(upstream, client)
		}
	}()
	return c
}

func (w *wire) forward(from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if w.silent.Load() {
			if err != nil {
				return // the other end does not notice
			}
			continue
		}
		if n > 0 {
			_, _ = to.Write(buffer[:n]) // the other goroutine notices a failure
		}
		if err != nil {
			_ = to.Close()
			return
		}
	}
}

// Cut ends all connections.
func (c *Cable) Cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.wires {
		_, _ = w.ends[0].Close(), w.ends[1].Close()
	}
	c.wires = nil
}

// Silence loses everything on all connections from now on, and neither end sees them close.
func (c *Cable) Silence() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.wires {
		w.silent.Store(true)
	}
}
