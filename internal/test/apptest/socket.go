package apptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"moothall/internal/test/contract"
)

// Socket is a WebSocket, or a stream of server-sent events. Its methods fail the test if
// nothing happens for a minute.
type Socket struct {
	t      *testing.T
	conn   net.Conn
	frames chan *Reply // closed at the end
	frozen sync.Mutex
	code   int // of the close frame; 0: there was none. Valid after the end
}

// Socket opens a WebSocket.
func (c *Client) Socket(path string) *Socket {
	c.t.Helper()
	s, refused := c.Handshake(path)
	if s == nil {
		c.t.Fatalf("WebSocket %s: %d %s", path, refused.Status, refused.Body)
	}
	return s
}

// Stream opens a stream of server-sent events.
func (c *Client) Stream(path string) *Socket {
	c.t.Helper()
	conn, buffered, response := c.dial(path, nil)
	if response.StatusCode != http.StatusOK {
		c.t.Fatalf("stream %s: %d", path, response.StatusCode)
	}
	s := c.newSocket(conn)
	go s.read(func() ([]byte, error) { return nextEvent(buffered) })
	return s
}

// Handshake asks for a WebSocket. It returns the response if the service refuses.
func (c *Client) Handshake(path string) (*Socket, *Reply) {
	c.t.Helper()
	conn, buffered, response := c.dial(path, http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"},
		"Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="}, "Sec-Websocket-Protocol": {"moothall.v1"},
	})
	if response.StatusCode != http.StatusSwitchingProtocols {
		defer func() { _ = conn.Close() }()
		return nil, c.read(response.Request, response)
	}
	if chosen := response.Header.Get("Sec-WebSocket-Protocol"); chosen != "moothall.v1" {
		c.t.Errorf("WebSocket %s: the service has chosen the subprotocol %q", path, chosen)
	}
	s := c.newSocket(conn)
	go s.read(func() ([]byte, error) { return s.nextFrame(buffered) })
	return s, nil
}

// dial sends a GET request on a connection of its own, and reads the header of the response.
func (c *Client) dial(path string, header http.Header) (net.Conn, *bufio.Reader, *http.Response) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.url+path, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	maps.Copy(r.Header, c.headers)
	maps.Copy(r.Header, header)
	conn, err := net.Dial("tcp", r.URL.Host)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	if err := r.Write(conn); err != nil {
		c.t.Fatal(err)
	}
	buffered := bufio.NewReader(conn)
	response, err := http.ReadResponse(buffered, r)
	if err != nil {
		c.t.Fatalf("GET %s: %v", path, err)
	}
	_ = conn.SetDeadline(time.Time{})
	return conn, buffered, response
}

func (c *Client) newSocket(conn net.Conn) *Socket {
	return &Socket{t: c.t, conn: conn, frames: make(chan *Reply, 1<<16)}
}

// read reads frames until the end.
func (s *Socket) read(next func() ([]byte, error)) {
	defer close(s.frames)
	for {
		s.frozen.Lock()
		s.frozen.Unlock() //nolint:gocritic,staticcheck // it only waits for thaw
		text, err := next()
		if err != nil {
			return
		}
		if text != nil {
			contract.ServerFrame(s.t, text)
			s.frames <- &Reply{Status: http.StatusOK, Body: text, t: s.t, call: "frame"}
		}
	}
}

// nextFrame returns the text of the next frame, nil for a control frame.
func (s *Socket) nextFrame(from io.Reader) ([]byte, error) {
	f, err := ws.ReadFrame(from) //nolint:staticcheck // deprecated, because frames may be long; those of the service are short
	switch {
	case err != nil:
		return nil, err
	case f.Header.OpCode == ws.OpPing:
		s.SendFrame(ws.NewPongFrame(f.Payload))
	case f.Header.OpCode == ws.OpClose:
		code, _ := ws.ParseCloseFrameData(f.Payload)
		s.code = int(code)
		return nil, io.EOF
	case f.Header.OpCode == ws.OpText:
		return f.Payload, nil
	}
	return nil, nil
}

// nextEvent returns the data of the next event, nil for a comment.
func nextEvent(from *bufio.Reader) (data []byte, err error) {
	for {
		line, err := from.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			return data, nil
		}
		if text, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			data = text
		}
	}
}

// Send sends a frame of JSON, or a string as it is.
func (s *Socket) Send(frame any) {
	s.t.Helper()
	text, raw := frame.(string)
	if !raw {
		encoded, err := json.Marshal(frame)
		if err != nil {
			s.t.Fatal(err)
		}
		text = string(encoded)
	}
	s.SendFrame(ws.NewTextFrame([]byte(text)))
}

// SendFrame sends any frame, masked. It ignores errors: the service may have closed the
// socket.
func (s *Socket) SendFrame(f ws.Frame) { _ = ws.WriteFrame(s.conn, ws.MaskFrame(f)) }

// SendRaw sends bytes. It ignores errors.
func (s *Socket) SendRaw(b []byte) { _, _ = s.conn.Write(b) }

// Next returns the next frame, nil after the end.
func (s *Socket) Next() *Reply {
	s.t.Helper()
	select {
	case f := <-s.frames:
		return f
	case <-time.After(time.Minute):
		s.t.Fatal("no frame for a minute")
		return nil
	}
}

// Want returns the next frame with one of the ops, and ignores those before it.
func (s *Socket) Want(ops ...string) *Reply {
	s.t.Helper()
	var others []string
	for f := s.Next(); f != nil; f = s.Next() {
		if slices.Contains(ops, f.Text("op")) {
			return f
		}
		others = append(others, string(f.Body))
	}
	s.t.Fatalf("the socket ended with %d before a frame %q, after %s", s.code, ops, strings.Join(others, "\n"))
	return nil
}

// WantEnd waits for the end, and returns the close code.
func (s *Socket) WantEnd() int {
	s.t.Helper()
	for f := s.Next(); f != nil; f = s.Next() {
	}
	return s.code
}

// Freeze makes the client read nothing until thaw is called, as if it hung. It still reads
// one frame.
func (s *Socket) Freeze() (thaw func()) {
	s.frozen.Lock()
	return s.frozen.Unlock
}

// Close ends the connection without a close frame.
func (s *Socket) Close() { _ = s.conn.Close() }
