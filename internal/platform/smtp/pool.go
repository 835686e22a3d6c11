package smtp

import (
	"context"
	"errors"
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
	left int
	idle *time.Timer // closes it
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
	c, err := p.connection(ctx)
	if err != nil {
		return err
	}
	err = p.server.transmit(c.Client, m, source)
	p.release(c, err)
	return err
}

// connection returns an idle connection if it still answers, else a new one.
func (p *Pool) connection(ctx context.Context) (*connection, error) {
	if c := p.takeIdle(); c != nil {
		if c.UpdateDeadline(p.server.limits().Command) == nil && c.Reset() == nil {
			return c, nil
		}
		_ = c.Close()
	}
	client, err := p.server.connect(ctx)
	return &connection{Client: client, left: mailsPerConnection}, err
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
	var refused *RefusalError
	if err != nil && !errors.As(err, &refused) || refused != nil && refused.Code == 421 {
		_ = c.Close()
		return
	}
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
