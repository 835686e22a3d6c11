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

	// Frozen holds all packets back: neither end sees anything, as with a stopped process.
	Frozen atomic.Bool
	// Dropping drops all packets. A connection that has lost one loses all further ones,
	// and neither end sees it close, as with a network that has failed.
	Dropping atomic.Bool
	// CutCommits closes a connection instead of forwarding the response to a commit.
	CutCommits atomic.Bool
	Cuts       atomic.Int64 // number of responses to commits that were lost

	mu        sync.Mutex
	listeners []*Connection
}

// Connection is a connection through a proxy.
type Connection struct {
	Frozen atomic.Bool  // holds its packets back
	Delay  atomic.Int64 // of each packet, in nanoseconds

	front, back net.Conn
	lost        atomic.Bool // a packet was dropped
}

// Cut closes the connection.
func (c *Connection) Cut() { _, _ = c.front.Close(), c.back.Close() }

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
			c := &Connection{front: front, back: back}
			go p.forward(t, c, front, back)
			go p.forward(t, c, back, front)
		}
	}()
	return p
}

// Listeners returns the open connections that have sent LISTEN.
func (p *Proxy) Listeners() []*Connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.listeners)
}

func (p *Proxy) forward(t *testing.T, c *Connection, from, to net.Conn) {
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
		if p.Dropping.Load() {
			c.lost.Store(true)
		}
		if c.lost.Load() {
			if err != nil {
				return // the other end does not see it
			}
			continue
		}
		if err != nil {
			break
		}
		if from == c.back && p.CutCommits.Load() && committed(buffer[:n]) {
			p.Cuts.Add(1)
			break
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			break
		}
	}
	c.Cut()
}

// committed reports whether the response says that rows were inserted or the
// transaction was committed, and that no transaction is open.
func committed(answer []byte) bool {
	return bytes.HasSuffix(answer, []byte("Z\x00\x00\x00\x05I")) &&
		(bytes.Contains(answer, []byte("COMMIT\x00")) || bytes.Contains(answer, []byte("INSERT 0 1\x00")))
}

func (p *Proxy) remove(c *Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = slices.DeleteFunc(p.listeners, func(other *Connection) bool { return other == c })
}
