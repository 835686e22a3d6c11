package faults

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// request is one request of a crowd.
type request struct{ method, target, token string }

// connection is one keep-alive connection. It costs less processor time than a http.Client, which
// shares the machine with the service.
type connection struct {
	net.Conn
	in *bufio.Reader
}

// dialAll opens n connections that fail after some time.
func dialAll(t *testing.T, address string, n int, after time.Duration) []*connection {
	t.Helper()
	all := make([]*connection, 0, n)
	for range n {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err == nil {
			all = append(all, &connection{c, bufio.NewReader(c)})
			err = c.SetDeadline(time.Now().Add(after))
		}
		if err != nil {
			closeAll(all)
			t.Fatal(err)
		}
	}
	return all
}

func closeAll(all []*connection) {
	for _, c := range all {
		_ = c.Close()
	}
}

// ask sends a request and returns the response.
func (c *connection) ask(r request) (status int, body []byte, err error) {
	if _, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n", r.method,
		r.target, r.token); err != nil {
		return 0, nil, err
	}
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0, nil, err
	}
	body, err = io.ReadAll(response.Body)
	_ = response.Body.Close()
	return response.StatusCode, body, err
}
