package faulttest

import (
	"bytes"
	"fmt"
	"net"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// proxy stands between a service and its PostgreSQL, and can misbehave.
type proxy struct {
	socket   string // of PostgreSQL
	database string
	listener net.Listener

	hole atomic.Bool // swallows what is sent, and says nothing
	cut  atomic.Bool // passes a COMMIT on and hangs up on who sent it
	cuts atomic.Int64
}

// newProxy stands before the database of that URL until the test ends.
func newProxy(t *testing.T, database string) *proxy {
	t.Helper()
	config, err := pgx.ParseConfig(database)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{socket: filepath.Join(config.Host, ".s.PGSQL.5432"), database: config.Database, listener: listener}
	t.Cleanup(func() { _ = listener.Close() })
	go p.accept()
	return p
}

// url is the address of the database through the proxy.
func (p *proxy) url() string {
	return fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", p.listener.Addr(), p.database)
}

func (p *proxy) accept() {
	for {
		front, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		back, err := net.Dial("unix", p.socket)
		if err != nil {
			_ = front.Close()
			continue
		}
		c := &connection{proxy: p, front: front, back: back}
		go c.pass(front, back)
		go c.pass(back, front)
	}
}

// connection is one client's way to the server. What once fell into the hole
// is lost for good: as with a network that forgot it, nobody ever hangs up.
type connection struct {
	*proxy
	front, back net.Conn
	lost        atomic.Bool
}

func (c *connection) pass(from, to net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if c.hole.Load() {
			c.lost.Store(true)
		}
		if c.lost.Load() {
			if err != nil {
				return // the other end is not told
			}
			continue
		}
		if err != nil {
			break
		}
		commit := c.cut.Load() && from == c.front && bytes.Contains(buffer[:n], []byte("commit\x00"))
		if commit {
			_ = c.front.Close()
			c.cuts.Add(1)
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			break
		}
		if commit {
			return // the server acts on it, and learns of the end when it answers
		}
	}
	_ = from.Close()
	_ = to.Close()
}
