package httpapi_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"moothall/internal/platform/httpapi"
)

// TestConnectionsAreLimited opens connections from addresses, most of which are idle after one request.
func TestConnectionsAreLimited(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name    string
		proxies []netip.Prefix
		from    []string // the addresses of the connections
		busy    int      // of the first ones, which are in a request
		closed  []int    // the connections that the server closes
	}{
		{name: "few", from: []string{"2", "2", "2", "3"}},
		{name: "one client has too many", from: []string{"2", "2", "2", "2", "2"}, closed: []int{0}},
		{name: "one client has too many requests", from: []string{"2", "2", "2", "2", "2"}, busy: 4, closed: []int{4}},
		{name: "half of all: the largest client loses an idle one", from: []string{"3", "2", "2", "2", "3", "4"}, closed: []int{1}},
		{name: "requests are not idle", from: []string{"2", "2", "2", "3", "3", "4"}, busy: 3},
		{name: "a trusted proxy", proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}, from: []string{"2", "2", "2", "2", "2", "2", "2"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := limited(t, httpapi.ConnectionOptions{Max: 10, PerClient: 4, TrustedProxies: row.proxies})
			var open []*connection
			for i, host := range row.from {
				c := s.dial("127.0.0." + host)
				open = append(open, c)
				if i < row.busy {
					c.send("GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n")
					<-s.waiting
				} else {
					_, _ = c.Write([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")) // the connection may be closed already
					s.answered(c)
				}
			}
			for _, i := range row.closed {
				_, err := open[i].in.ReadByte()
				if err == nil || errors.Is(err, net.ErrClosed) {
					t.Errorf("connection %d is open: %v", i, err)
				}
				open[i] = nil
			}
			close(s.release)
			for i, c := range open {
				if c == nil {
					continue
				}
				if i >= row.busy {
					c.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
				}
				if c.status() != http.StatusNoContent {
					t.Errorf("connection %d is closed", i)
				}
			}
		})
	}
}

// limitedServer answers "/" at once, and "/wait" when it is released.
type limitedServer struct {
	server
	waiting, release chan struct{}
	idle             chan struct{}
}

func limited(t *testing.T, o httpapi.ConnectionOptions) *limitedServer {
	t.Helper()
	s := &limitedServer{server: server{t: t}, waiting: make(chan struct{}, 10), release: make(chan struct{}), idle: make(chan struct{}, 10)}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			s.waiting <- struct{}{}
			<-s.release
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	connections := httpapi.NewConnections(o)
	s.Config.ConnState = func(conn net.Conn, state http.ConnState) {
		connections.Observe(conn, state)
		if state == http.StateIdle {
			s.idle <- struct{}{}
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// answered waits until a connection is idle after its response, or closed.
func (s *limitedServer) answered(c *connection) {
	s.t.Helper()
	if r, err := http.ReadResponse(c.in, nil); err == nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		<-s.idle
	}
}
