package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// request is one HTTP request of an operation.
type request struct {
	method, target string
	token          string // access token; empty: signed out
	body           string // JSON; empty: none
	known          bool   // the answer that the connection had last need not come again
}

// append writes the request as it goes over the wire; tag is that of the answer
// known.
func (r request) append(to []byte, tag string) []byte {
	to = append(to, r.method...)
	to = append(to, ' ')
	to = append(to, r.target...)
	to = append(to, " HTTP/1.1\r\nHost: 127.0.0.1\r\n"...)
	if r.token != "" {
		to = append(to, "Authorization: Bearer "...)
		to = append(to, r.token...)
		to = append(to, "\r\n"...)
	}
	if r.known && tag != "" {
		to = append(to, "If-None-Match: "...)
		to = append(to, tag...)
		to = append(to, "\r\n"...)
	}
	if r.body != "" {
		to = append(to, "Content-Type: application/json\r\n"...)
	}
	if r.method != "GET" {
		to = append(to, "Content-Length: "...)
		to = strconv.AppendInt(to, int64(len(r.body)), 10)
		to = append(to, "\r\n"...)
	}
	to = append(to, "\r\n"...)
	return append(to, r.body...)
}

// conn is one caller's connection. It speaks just as much HTTP/1.1 as the
// servers measured need, so that the generator costs less than they do.
type conn struct {
	net  net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte
	tag  string // of the last answer that had one
}

func dial(ctx context.Context, address string, patience time.Duration) (*conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	deadline, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	at, _ := deadline.Deadline()
	if err := c.SetDeadline(at); err != nil {
		_ = c.Close() // the first error says more
		return nil, err
	}
	return &conn{net: c, in: bufio.NewReaderSize(c, 64<<10)}, nil
}

// do sends a request and reads the whole answer; body is valid until the next one.
func (c *conn) do(r request) (status int, body []byte, err error) {
	c.out = r.append(c.out[:0], c.tag)
	if _, err := c.net.Write(c.out); err != nil {
		return 0, nil, err
	}
	line, err := c.line()
	if err != nil {
		return 0, nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, nil, fmt.Errorf("no status line: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, err
	}
	length, err := c.headers()
	if err == nil && length == chunked {
		err = c.readChunks()
	} else if err == nil {
		c.body = c.body[:0]
		err = c.read(length)
	}
	return status, c.body, err
}

// ask is do for requests that must be answered well.
func (c *conn) ask(r request) (body []byte, err error) {
	status, body, err := c.do(r)
	if well := status/100 == 2 || r.known && status == http.StatusNotModified; err == nil && !well {
		err = fmt.Errorf("%d %s", status, body)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.method, r.target, err)
	}
	return body, nil
}

// chunked stands for a length that only the body tells.
const chunked = -1

// headers reads the headers and gives the length of the body.
func (c *conn) headers() (length int, err error) {
	for {
		line, err := c.line()
		if err != nil || len(line) == 0 {
			return length, err
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch string(name) { // net/http spells them so
		case "Content-Length":
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		case "Transfer-Encoding":
			length = chunked
		case "Etag", "ETag":
			if c.tag != string(value) {
				c.tag = string(value)
			}
		case "Connection":
			return 0, fmt.Errorf("the server closes the connection")
		}
	}
}

func (c *conn) readChunks() error {
	c.body = c.body[:0]
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return err
		}
		if err := c.read(int(size)); err != nil {
			return err
		}
		if _, err := c.line(); err != nil || size == 0 {
			return err
		}
	}
}

// read adds so many bytes to the body.
func (c *conn) read(size int) error {
	had := len(c.body)
	if cap(c.body)-had < size {
		c.body = append(make([]byte, 0, 2*(had+size)), c.body...)
	}
	c.body = c.body[:had+size]
	_, err := io.ReadFull(c.in, c.body[had:])
	return err
}

func (c *conn) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
