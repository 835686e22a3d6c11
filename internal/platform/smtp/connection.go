package smtp

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"time"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// connect opens a connection and signs in. Its errors do not contain the response of the server.
func (s *Server) connect(ctx context.Context) (*smtp.Client, error) {
	c, err := s.open(ctx, &net.Dialer{})
	if err != nil {
		return nil, errors.New("cannot connect to the mail server: network, TLS or login failed")
	}
	return c, nil
}

// open is connect, but returns the errors of the network and of the server unchanged.
func (s *Server) open(ctx context.Context, dialer *net.Dialer) (*smtp.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits().Command)
	defer cancel()
	guarded := &guardedConn{}
	client, err := s.client(mail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
		if err := guarded.dial(ctx, dialer, network, address); err != nil || !s.ImplicitTLS {
			return guarded, err
		}
		encrypted := tls.Client(guarded, s.tlsConfig())
		return encrypted, encrypted.HandshakeContext(ctx)
	}))
	if err != nil {
		return nil, err
	}
	c, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		guarded.close()
		return nil, err
	}
	guarded.until = time.Time{}
	return c, nil
}

// SignIn connects, encrypts and signs in, but sends nothing.
func (s *Server) SignIn(ctx context.Context) error {
	client, err := s.open(ctx, &net.Dialer{})
	if err == nil {
		s.quit(client)
	}
	return err
}

// quit ends a connection without waiting for the server.
func (s *Server) quit(c *smtp.Client) {
	go func() {
		if c.UpdateDeadline(s.limits().Command) != nil || c.Quit() != nil {
			_ = c.Close()
		}
	}()
}

func (s *Server) client(more ...mail.Option) (*mail.Client, error) {
	options := append(slices.Clone(more), mail.WithPort(s.Port), mail.WithTimeout(s.limits().Command), mail.WithTLSConfig(s.tlsConfig()),
		mail.WithTLSPolicy(mail.TLSMandatory))
	if s.PlainAllowed || s.ImplicitTLS { // implicit TLS needs no STARTTLS
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	}
	if s.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User), mail.WithPassword(s.Password))
	}
	return mail.NewClient(s.Host, options...)
}

func (s *Server) tlsConfig() *tls.Config {
	if s.TLS != nil {
		return s.TLS
	}
	return &tls.Config{ServerName: s.Host, MinVersion: tls.VersionTLS12}
}

// maxResponse is how many bytes a server may send between two commands. It is large enough for the
// certificates of TLS.
const maxResponse = 256 << 10

var errTooLong = errors.New("the response of the mail server is too long")

// guardedConn limits how many bytes the client reads, and how long a connect takes.
type guardedConn struct {
	net.Conn
	left  int       // of maxResponse
	until time.Time // the latest deadline; zero: none
}

// dial connects. Until the caller clears g.until, no deadline is later than that of ctx.
func (g *guardedConn) dial(ctx context.Context, dialer *net.Dialer, network, address string) (err error) {
	if g.Conn, err = dialer.DialContext(ctx, network, address); err != nil {
		return err
	}
	g.left = maxResponse
	g.until, _ = ctx.Deadline()
	return g.SetDeadline(g.until)
}

func (g *guardedConn) close() {
	if g.Conn != nil {
		_ = g.Conn.Close()
	}
}

// Read implements net.Conn.
func (g *guardedConn) Read(p []byte) (int, error) {
	if g.left == 0 {
		return 0, errTooLong
	}
	n, err := g.Conn.Read(p[:min(len(p), g.left)])
	g.left -= n
	return n, err
}

// Write implements net.Conn.
func (g *guardedConn) Write(p []byte) (int, error) {
	g.left = maxResponse
	return g.Conn.Write(p)
}

// SetDeadline implements net.Conn.
func (g *guardedConn) SetDeadline(t time.Time) error {
	if !g.until.IsZero() && t.After(g.until) {
		t = g.until
	}
	return g.Conn.SetDeadline(t)
}
