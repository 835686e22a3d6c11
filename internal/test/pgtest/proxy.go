package pgtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
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
	// DropCommits drops requests to commit: the server never gets them.
	DropCommits atomic.Bool
	Drops       atomic.Int64 // number of requests to commit that were dropped
	// CutCommits closes a connection instead of forwarding the response to a commit.
	CutCommits atomic.Bool
	Cuts       atomic.Int64           // number of responses to commits that were lost
	LastWords  atomic.Pointer[[]byte] // sent instead of the response to a commit
	RoundTrips atomic.Int64           // number of requests that followed a response

	host      atomic.Pointer[string] // of new connections
	mu        sync.Mutex
	listeners []*Connection
}

// Connection is a connection through a proxy.
type Connection struct {
	Frozen atomic.Bool  // holds its packets back
	Delay  atomic.Int64 // of each packet in each direction, in nanoseconds

	front, back net.Conn
	lost        atomic.Bool // a packet was dropped
	waiting     atomic.Bool // for a response
	commit      []byte      // the name of its prepared statement
}

// Cut closes the connection.
func (c *Connection) Cut() { _, _ = c.front.Close(), c.back.Close() }

// Drop drops all further packets of the connection, and neither end sees it close.
func (c *Connection) Drop() { c.lost.Store(true) }

func (c *Connection) cutLost() {
	if c.lost.Load() {
		c.Cut()
	}
}

// NewProxy returns a proxy of the database with a URL.
func NewProxy(t *testing.T, database string) *Proxy {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	host := config.Host
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &Proxy{URL: fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", l.Addr(), config.Database)}
	p.host.Store(&host)
	go func() {
		for {
			front, err := l.Accept()
			if err != nil {
				return
			}
			back, err := net.Dial("unix", filepath.Join(*p.host.Load(), ".s.PGSQL.5432"))
			if err != nil {
				_ = front.Close()
				continue
			}
			c := &Connection{front: front, back: back}
			context.AfterFunc(t.Context(), c.cutLost) // the service waits for its end
			go p.forward(t, c, front, back)
			go p.forward(t, c, back, front)
		}
	}()
	return p
}

// Switch forwards new connections to another cluster. The others stay, as after a failover
// of an address.
func (p *Proxy) Switch(to *Cluster) { p.host.Store(&to.dir) }

// Listeners returns the open connections that have sent LISTEN.
func (p *Proxy) Listeners() []*Connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.listeners)
}

// packet is what one read has returned.
type packet struct {
	bytes []byte
	err   error // the connection has ended
	due   time.Time
}

// forward reads packets until the connection ends.
func (p *Proxy) forward(t *testing.T, c *Connection, from, to net.Conn) {
	packets := make(chan packet, 1000)
	go p.deliver(t, c, from, to, packets)
	defer close(packets)
	defer p.remove(c)
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if bytes.Contains(buffer[:n], []byte("LISTEN ")) {
			p.mu.Lock()
			p.listeners = append(p.listeners, c)
			p.mu.Unlock()
		}
		packets <- packet{bytes.Clone(buffer[:n]), err, time.Now().Add(time.Duration(c.Delay.Load()))}
		if err != nil {
			return
		}
	}
}

// deliver writes packets until the connection ends, then closes both ends.
func (p *Proxy) deliver(t *testing.T, c *Connection, from, to net.Conn, packets <-chan packet) {
	defer func() {
		for range packets { // forward must not wait
		}
	}()
	for next := range packets {
		time.Sleep(time.Until(next.due))
		for (p.Frozen.Load() || c.Frozen.Load()) && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		if p.Dropping.Load() {
			c.Drop()
		}
		if from == c.front && c.requestsCommit(next.bytes) && p.DropCommits.Load() {
			c.Drop()
			p.Drops.Add(1)
		}
		if c.lost.Load() {
			continue // and do not close: the other end sees nothing
		}
		if waiting := from == c.front; c.waiting.Swap(waiting) != waiting && waiting {
			p.RoundTrips.Add(1)
		}
		if from == c.back && p.CutCommits.Load() && committed(next.bytes) {
			p.Cuts.Add(1)
			if words := p.LastWords.Load(); words != nil {
				_, _ = c.front.Write(*words)
			}
			c.Cut()
			return
		}
		if _, err := to.Write(next.bytes); err != nil || next.err != nil {
			c.Cut()
			return
		}
	}
}

var preparedCommit = regexp.MustCompile(`(stmtcache_\w+\x00)commit\x00`)

// requestsCommit reports whether a request commits, by text or by a prepared statement.
func (c *Connection) requestsCommit(request []byte) bool {
	if name := preparedCommit.FindSubmatch(request); name != nil {
		c.commit = name[1]
	}
	return bytes.Contains(request, []byte("commit\x00")) || c.commit != nil && bytes.Contains(request, c.commit)
}

var committedTag = regexp.MustCompile(`(COMMIT|INSERT 0 \d+|UPDATE \d+|DELETE \d+)\x00`)

// committed reports whether the response says that a statement has written or that the
// transaction was committed, and that no transaction is open.
func committed(answer []byte) bool {
	return bytes.HasSuffix(answer, []byte("Z\x00\x00\x00\x05I")) && committedTag.Match(answer)
}

func (p *Proxy) remove(c *Connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listeners = slices.DeleteFunc(p.listeners, func(other *Connection) bool { return other == c })
}
