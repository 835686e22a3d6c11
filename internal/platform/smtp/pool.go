package smtp

import (
	"context"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// Pool is a Transport for many mails. It keeps connections to a server open.
type Pool struct {
	server *Server
	idle   chan *connection
}

// connection is an open connection and the number of mails that it may still carry.
type connection struct {
	*smtp.Client
	left    int
	refused bool        // the server has refused the last mail
	idle    *time.Timer // closes it
}

const (
	// mailsPerConnection is a number of mails that common servers accept.
	mailsPerConnection = 20
	// maxIdle is shorter than the idle timeout of common servers.
	maxIdle = 10 * time.Second
)

// NewPool returns a pool that keeps up to size idle connections.
func NewPool(s *Server, size int) *Pool {
	return &Pool{server: s, idle: make(chan *connection, size)}
}

// Send implements Transport.
func (p *Pool) Send(ctx context.Context, m Message) error {
	source, err := p.server.source(m)
	if err != nil {
		return err
	}
	c, err := p.begin(ctx, m)
	if c == nil {
		return err
	}
	if err == nil {
		err = p.server.finish(c.Client, source)
	}
	p.release(c, err)
	return err
}

// begin returns a connection after Server.begin: an idle connection if it still answers, else a new one. It returns nil
// if it cannot connect.
func (p *Pool) begin(ctx context.Context, m Message) (*connection, error) {
	if c := p.takeIdle(); c != nil {
		if p.reset(c) {
			if err := p.server.begin(c.Client, m); keepsOpen(err) {
				return c, err
			}
		}
		_ = c.Close()
	}
	client, err := p.server.connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Client: client, left: mailsPerConnection}, p.server.begin(client, m)
}

// reset ends a mail that was refused. It reports whether the connection can be used.
func (p *Pool) reset(c *connection) bool {
	return !c.refused || c.UpdateDeadline(p.server.limits().Command) == nil && c.Reset() == nil
}

// takeIdle returns an idle connection that its timer has not closed, or nil.
func (p *Pool) takeIdle() *connection {
	for {
		select {
		case c := <-p.idle:
			if c.idle.Stop() {
				return c
			}
		default:
			return nil
		}
	}
}

// release returns a connection to the pool, or closes it.
func (p *Pool) release(c *connection, err error) {
	c.left--
	if !keepsOpen(err) {
		_ = c.Close()
		return
	}
	c.refused = err != nil
	c.idle = time.AfterFunc(maxIdle, func() { _ = c.Close() })
	if c.left > 0 {
		select {
		case p.idle <- c:
			return
		default:
		}
	}
	c.idle.Stop()
	p.server.quit(c.Client)
}
