// Package load generates HTTP load: it sends requests over many connections at
// once and measures how long each one takes.
package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Request is one HTTP request.
type Request struct {
	Method, Target string
	Token          string // access token; empty: anonymous
	Body           string // JSON; empty: none
	Gzip           bool   // accept a compressed response
}

// append appends the request in wire format.
func (r Request) append(to []byte) []byte {
	to = append(to, r.Method...)
	to = append(to, ' ')
	to = append(to, r.Target...)
	to = append(to, " HTTP/1.1\r\nHost: 127.0.0.1\r\n"...)
	if r.Token != "" {
		to = append(to, "Authorization: Bearer "...)
		to = append(to, r.Token...)
		to = append(to, "\r\n"...)
	}
	if r.Gzip {
		to = append(to, "Accept-Encoding: gzip\r\n"...)
	}
	if r.Body != "" {
		to = append(to, "Content-Type: application/json\r\n"...)
	}
	if r.Method != http.MethodGet {
		to = append(to, "Content-Length: "...)
		to = strconv.AppendInt(to, int64(len(r.Body)), 10)
		to = append(to, "\r\n"...)
	}
	to = append(to, "\r\n"...)
	return append(to, r.Body...)
}

// Conn is one keep-alive connection. It implements only the part of HTTP/1.1
// that the measured servers use, so that the generator costs less than they do.
type Conn struct {
	net  net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte
}

// Grace is how much longer than its planned time a connection may take.
const Grace = 2 * time.Minute

// Dial opens a connection that fails after the given time.
func Dial(ctx context.Context, address string, timeout time.Duration) (*Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	deadline, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	at, _ := deadline.Deadline()
	if err := c.SetDeadline(at); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &Conn{net: c, in: bufio.NewReaderSize(c, 64<<10)}, nil
}

// DialAll opens n connections. After an error it returns those that it has opened.
func DialAll(ctx context.Context, address string, n int, timeout time.Duration) (all []*Conn, err error) {
	for range n {
		c, err := Dial(ctx, address, timeout)
		if err != nil {
			return all, err
		}
		all = append(all, c)
	}
	return all, nil
}

// CloseAll closes connections.
func CloseAll(all []*Conn) {
	for _, c := range all {
		c.Close()
	}
}

// Close closes the connection. Every response was read before, so an error
// changes nothing.
func (c *Conn) Close() { _ = c.net.Close() }

// Response is one HTTP response.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Send sends a request without waiting for the response.
func (c *Conn) Send(r Request) error {
	c.out = r.append(c.out[:0])
	_, err := c.net.Write(c.out)
	return err
}

// Fetch sends a request and returns the response with its headers. It is slower
// than Ask.
func (c *Conn) Fetch(r Request) (response Response, err error) {
	if err := c.Send(r); err != nil {
		return response, err
	}
	got, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return response, err
	}
	body, err := io.ReadAll(got.Body)
	if err := errors.Join(err, got.Body.Close()); err != nil {
		return response, err
	}
	return Response{got.StatusCode, got.Header, body}, r.check(got.StatusCode, body)
}

// Ask sends a request and returns the body of the response, which is valid until
// the next call. A status other than 2xx is an error.
func (c *Conn) Ask(r Request) (body []byte, err error) {
	if err := c.Send(r); err != nil {
		return nil, err
	}
	return c.Receive(r)
}

// Receive returns the body of the response to a request like Ask.
func (c *Conn) Receive(r Request) (body []byte, err error) {
	line, err := c.line()
	if err != nil {
		return nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return nil, fmt.Errorf("malformed status line %q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return nil, err
	}
	length, err := c.headers()
	if err == nil && length == chunked {
		err = c.readChunks()
	} else if err == nil {
		c.body = c.body[:0]
		err = c.read(length)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Method, r.Target, err)
	}
	return c.body, r.check(status, c.body)
}

func (r Request) check(status int, body []byte) error {
	if status/100 == 2 {
		return nil
	}
	return &StatusError{Request: r, Status: status, Body: string(body)}
}

// StatusError is a response with a status other than 2xx. The connection can send further
// requests.
type StatusError struct {
	Request Request
	Status  int
	Body    string
}

// Error names the request and its response.
func (e *StatusError) Error() string {
	return fmt.Sprintf("%s %s: %d %s", e.Request.Method, e.Request.Target, e.Status, e.Body)
}

// Post sends a value as JSON and decodes the response.
func (c *Conn) Post(target, token string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	response, err := c.Ask(Request{Method: http.MethodPost, Target: target, Token: token, Body: string(text)})
	if err != nil {
		return err
	}
	return json.Unmarshal(response, into)
}

// chunked is the length of a body whose headers do not contain it.
const chunked = -1

// headers reads the headers and returns the length of the body.
func (c *Conn) headers() (length int, err error) {
	for {
		line, err := c.line()
		if err != nil || len(line) == 0 {
			return length, err
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch string(name) { // as net/http spells them
		case "Content-Length":
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		case "Transfer-Encoding":
			length = chunked
		case "Connection":
			return 0, errors.New("the server closes the connection")
		}
	}
}

func (c *Conn) readChunks() error {
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

// read appends size bytes to the body.
func (c *Conn) read(size int) error {
	had := len(c.body)
	if cap(c.body)-had < size {
		c.body = append(make([]byte, 0, 2*(had+size)), c.body...)
	}
	c.body = c.body[:had+size]
	_, err := io.ReadFull(c.in, c.body[had:])
	return err
}

func (c *Conn) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	return bytes.TrimRight(line, "\r\n"), err
}
