package httpapi_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// connection is one that sends requests byte by byte.
type connection struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

// dial connects from a local address.
func (s *server) dial(from string) *connection {
	s.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(s.t.Context(), "tcp", s.Listener.Addr().String())
	if err != nil {
		s.t.Skipf("only Linux has further local addresses: %v", err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	return &connection{s.t, conn, bufio.NewReader(conn)}
}

func (c *connection) send(text string) {
	c.t.Helper()
	if _, err := c.Write([]byte(text)); err != nil {
		c.t.Fatal(err)
	}
}

// status reads a response, or an interim one, and returns its status.
func (c *connection) status() int {
	c.t.Helper()
	r, err := http.ReadResponse(c.in, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode >= http.StatusOK {
		_, _ = io.Copy(io.Discard, r.Body) // a connection that is being closed may be reset
	}
	return r.StatusCode
}

const unread = " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n"

// TestBodyIsReadAfterTheSession sends only the header: if the service wants to read the body, it says so by status 100.
func TestBodyIsReadAfterTheSession(t *testing.T) {
	t.Parallel()
	s := start(t, operations{})
	for _, row := range []struct {
		name, request string
		status        int
	}{
		{"no session", "POST /events" + unread, 401},
		{"an invalid session", "POST /events" + unread + "Authorization: Bearer at_bad\r\n", 401},
		{"a session", "POST /events" + unread + bearer + "\r\n", 100},
		{"the same session again", "POST /events" + unread + bearer + "\r\n", 100},
		{"a cookie of a foreign page", "POST /events" + unread + "Cookie: " + httpapi.RefreshCookieName + "=" + goodCookie + "\r\nSec-Fetch-Site: cross-site\r\n", 403},
		{"an upload without session", "PUT /me/avatar" + unread, 401},
		{"an operation without session", "POST /auth/dev/start" + unread, 100},
		{"no operation", "POST /nothing" + unread, 404},
	} {
		c := s.dial("127.0.0.1")
		if c.send(row.request + "\r\n"); c.status() != row.status {
			t.Errorf("%s: not %d", row.name, row.status)
		}
	}
}

// TestOpenSignedBodiesAreLimited opens as many unfinished requests as one address may, and then one from another address.
func TestOpenSignedBodiesAreLimited(t *testing.T) {
	t.Parallel()
	s := start(t, operations{}, func(o *httpapi.Options) {
		refuse := func(httpapi.RawRequest) error { return domain.Forbidden }
		o.SignatureChecks = map[string]func(httpapi.RawRequest) error{"startDevSignIn": refuse}
	})
	var open []*connection
	for range 64 {
		c := s.dial("127.0.0.2")
		c.send("POST /auth/dev/start" + unread + "\r\n")
		if c.status() != 100 {
			t.Fatal("the body is not read")
		}
		open = append(open, c)
	}
	other := s.dial("127.0.0.1")
	other.send("POST /auth/dev/start HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
	if got := other.status(); got != 403 {
		t.Errorf("another sender: %d", got)
	}
	if got := open[0].status(); got != 503 {
		t.Errorf("the oldest unfinished request: %d", got)
	}
	open[1].send(strings.Repeat(" ", 1000))
	if got := open[1].status(); got != 403 {
		t.Errorf("an unfinished request that ends: %d", got)
	}
	if strings.Contains(s.log.String(), "panic") || strings.Contains(s.log.String(), "ERROR") {
		t.Errorf("log: %s", s.log)
	}
}

// TestRefusedBodyEndsSoon checks that an unfinished body that nobody reads holds up neither the response nor the next request
// of a sender that finishes it.
func TestRefusedBodyEndsSoon(t *testing.T) {
	t.Parallel()
	s := start(t, operations{})
	slow := s.dial("127.0.0.1")
	slow.send("POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
	if got := slow.status(); got != 401 {
		t.Errorf("an unfinished body: %d", got)
	}
	quick := s.dial("127.0.0.1")
	quick.send("POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
	if got := quick.status(); got != 401 {
		t.Errorf("a body: %d", got)
	}
	quick.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if got := quick.status(); got != 200 {
		t.Errorf("the next request: %d", got)
	}
}

// TestChunkedRequestClosesItsConnection checks that what follows a chunked body is not read as a request: a proxy may have taken it
// for a part of the body.
func TestChunkedRequestClosesItsConnection(t *testing.T) {
	t.Parallel()
	s := start(t, operations{})
	for name, header := range map[string]string{"both": "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
		"only chunked": "Transfer-Encoding: chunked\r\n"} {
		c := s.dial("127.0.0.1")
		c.send("POST /events HTTP/1.1\r\nHost: localhost\r\n" + header + bearer +
			"\r\n\r\n0\r\n\r\nGET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if got := c.status(); got != 400 {
			t.Errorf("%s: %d", name, got)
		}
		if rest, _ := io.ReadAll(c.in); len(rest) > 0 {
			t.Errorf("%s: a second response: %s", name, rest)
		}
	}
}
