package socket

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"time"
)

// AcceptStream begins a response of server-sent events on the connection of its request. If
// it fails, the connection is closed.
func AcceptStream(conn net.Conn, buffered *bufio.ReadWriter, response http.Header, h Handler) (*Conn, error) {
	head := bytes.NewBufferString("HTTP/1.1 200 OK\r\n")
	header := response.Clone()
	header.Set("Content-Type", "text/event-stream; charset=utf-8")
	header.Set("Cache-Control", "private, no-store")
	header.Set("X-Accel-Buffering", "no") // nginx would wait for more
	header.Set("Connection", "close")
	_ = header.Write(head) // a buffer never fails
	head.WriteString("\r\n")
	_ = conn.SetDeadline(time.Time{}) // those of the HTTP server
	_ = conn.SetWriteDeadline(time.Now().Add(closeTimeout))
	if _, err := conn.Write(head.Bytes()); err != nil {
		_ = conn.Close()
		return nil, err
	}
	limitBuffer(conn)
	return &Conn{conn: unread(conn, buffered.Reader), handler: h, stream: true}, nil
}

// comment is a line that clients ignore.
var comment = []byte(":\n\n")

// eventOf returns a frame as a server-sent event.
func eventOf(f Frame) []byte {
	event := make([]byte, 0, len("id: \ndata: \n\n")+len(f.id)+len(f.text))
	if f.id != "" {
		event = append(append(append(event, "id: "...), f.id...), '\n')
	}
	event = append(append(event, "data: "...), f.text...)
	return append(event, "\n\n"...)
}

// readStream waits for the client to close the connection, and ignores what it sends.
func (c *Conn) readStream() {
	defer c.end()
	c.discard()
}

// discard reads until the connection ends.
func (c *Conn) discard() {
	buffer := make([]byte, 64)
	for {
		if _, err := c.conn.Read(buffer); err != nil {
			return
		}
	}
}
