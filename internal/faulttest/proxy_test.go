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

// proxy is a TCP proxy between a service and its PostgreSQL that can fail.
type proxy struct {
	socket   string // of PostgreSQL
	database string
	listener net.Listener

	hole atomic.Bool // drops every packet
	cut  atomic.Bool // closes the connection instead of forwarding the response to a commit
	cuts atomic.Int64
}

// newProxy starts a proxy for the database of that URL until the test ends.
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

// url returns the address of the database through the proxy.
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
		go c.forward(front, back)
		go c.forward(back, front)
	}
}

// connection is one connection of a client to the server. After a packet was
// dropped it drops all, and neither end sees it close, as with a network
// that has failed.
type connection struct {
	*proxy
	front, back net.Conn
	lost        atomic.Bool
}

func (c *connection) forward(from, to net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if c.hole.Load() {
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
		if c.cut.Load() && from == c.back && committed(buffer[:n]) {
			c.cuts.Add(1)
			break
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			break
		}
	}
	_ = from.Close()
	_ = to.Close()
}

// committed reports whether the response says that rows were inserted or the
// transaction was committed, and that no transaction is open.
func committed(answer []byte) bool {
	return bytes.HasSuffix(answer, []byte("Z\x00\x00\x00\x05I")) &&
		(bytes.Contains(answer, []byte("COMMIT\x00")) || bytes.Contains(answer, []byte("INSERT 0 1\x00")))
}
