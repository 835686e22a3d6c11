package pgtest

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Proxy forwards connections to a PostgreSQL and can disturb them.
type Proxy struct {
	URL string

	// Frozen stops all packets: neither end sees anything, as with a stopped process or
	// a failed network.
	Frozen atomic.Bool

	mu        sync.Mutex
	listeners []*Listener
}

// Listener is a connection through a proxy that has sent LISTEN.
type Listener struct {
	Frozen atomic.Bool  // stops its packets
	Delay  atomic.Int64 // of each packet, in nanoseconds
	Cut    func()       // closes it
}

// NewProxy returns a proxy of the database with a URL.
func NewProxy(t *testing.T, database string) *Proxy {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &Proxy{URL: fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", l.Addr(), config.Database)}
	go func() {
		for {
			front, err := l.Accept()
			if err != nil {
				return
			}
			back, err := net.Dial("unix", filepath.Join(config.Host, ".s.PGSQL.5432"))
			if err != nil {
				_ = front.Close()
				continue
			}
			c := &Listener{Cut: func() { _, _ = front.Close(), back.Close() }}
			go p.forward(t, c, front, back)
			go p.forward(t, c, back, front)
		}
	}()
	return p
}

// Listeners returns the open connections that have sent LISTEN.
func (p *Proxy) Listeners() []*Listener {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.listeners)
}

func (p *Proxy) forward(t *testing.T, c *Listener, from, to net.Conn) {
	defer c.Cut()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if bytes.Contains(buffer[:n], []byte("LISTEN ")) {
			p.mu.Lock()
			p.listeners = append(p.listeners, c)
			p.mu.Unlock()
			defer p.remove(c)
		}
		time.Sleep(time.Duration(c.Delay.Load()))
		for (p.Frozen.Load() || c.Frozen.Load()) && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (p *Proxy) remove(c *Listener) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = slices.DeleteFunc(p.listeners, func(other *Listener) bool { return other == c })
}
