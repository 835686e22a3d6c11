package socket

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

// IsHandshake reports whether a GET request asks for a WebSocket, of version 13 and with a key
// of 16 bytes. Any other request gets an ordinary response.
func IsHandshake(h http.Header) bool {
	const encodedKey = 24
	return hasToken(h["Upgrade"], "websocket") && hasToken(h["Connection"], "upgrade") &&
		h.Get("Sec-WebSocket-Version") == "13" && len(h.Get("Sec-WebSocket-Key")) == encodedKey
}

func hasToken(lists []string, token string) bool {
	return slices.ContainsFunc(lists, func(list string) bool {
		for one := range strings.SplitSeq(list, ",") {
			if strings.EqualFold(strings.TrimSpace(one), token) {
				return true
			}
		}
		return false
	})
}

// taken is the connection of a request that was taken over.
type taken struct {
	http.ResponseWriter // nil
	conn                net.Conn
	buffered            *bufio.ReadWriter
}

// Hijack implements http.Hijacker.
func (t taken) Hijack() (net.Conn, *bufio.ReadWriter, error) { return t.conn, t.buffered, nil }

// Accept answers a handshake on the connection of its request. It chooses the subprotocol if
// the client offers it, and no extension. If it fails, the connection is closed.
func Accept(conn net.Conn, buffered *bufio.ReadWriter, request, response http.Header, protocol string, h Handler) (*Conn, error) {
	upgrader := ws.HTTPUpgrader{Header: response, Timeout: closeTimeout, Protocol: ws.SelectEqual(protocol)}
	r := &http.Request{Method: http.MethodGet, ProtoMajor: 1, ProtoMinor: 1, Host: "-", Header: request}
	if _, _, _, err := upgrader.Upgrade(r, taken{conn: conn, buffered: buffered}); err != nil {
		_ = conn.Close()
		return nil, err
	}
	limitBuffer(conn)
	return &Conn{conn: unread(conn, buffered.Reader), handler: h}, nil
}

// writeBuffer is how much the system buffers for a client that does not read, in bytes.
const writeBuffer = 64 << 10

// limitBuffer limits the memory of the system for a connection.
func limitBuffer(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(writeBuffer) // otherwise it is larger
	}
}

// unread returns the connection with what was read from it but not used. It lets the buffer
// go.
func unread(conn net.Conn, buffer *bufio.Reader) net.Conn {
	if buffer.Buffered() == 0 {
		return conn
	}
	early, _ := buffer.Peek(buffer.Buffered()) // what is buffered can be read
	return &earlyConn{conn, io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn)}
}

// earlyConn is a connection on which the client has sent something too early.
type earlyConn struct {
	net.Conn
	reader io.Reader
}

// CloseWrite implements halfCloser.
func (c *earlyConn) CloseWrite() error {
	if half, ok := c.Conn.(halfCloser); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// Read implements io.Reader.
func (c *earlyConn) Read(p []byte) (int, error) { return c.reader.Read(p) }

// readWebSocket reads frames until the connection ends. Then it waits for the client's answer
// to a close frame.
func (c *Conn) readWebSocket() {
	defer c.end()
	for c.readMessage() {
	}
	if c.isClosing() {
		c.discard()
	}
}

// readMessage reads the frames of one message, and the control frames before its end. It
// returns false if no more can be read.
func (c *Conn) readMessage() bool {
	var message []byte
	for begun := false; ; {
		header, ok := c.readHeader(begun)
		if !ok {
			return false
		}
		payload, ok := c.readPayload(header)
		if !ok {
			return false
		}
		switch header.OpCode {
		case ws.OpPing:
			c.enqueue(ws.MustCompileFrame(ws.NewPongFrame(payload)))
		case ws.OpPong:
		case ws.OpClose:
			c.Close(answerToClose(payload))
			return false
		default:
			begun, message = true, append(message, payload...)
			if len(message) > MaxMessage {
				c.refuse(ws.StatusMessageTooBig)
				return false
			}
			if header.Fin {
				return c.receive(message)
			}
		}
	}
}

// readHeader reads the header of a frame. It closes the connection for one that breaks the
// protocol or a limit.
func (c *Conn) readHeader(inMessage bool) (ws.Header, bool) {
	if !c.isClosing() {
		_ = c.conn.SetReadDeadline(time.Now().Add(maxSilence))
	}
	header, err := ws.ReadHeader(c.conn)
	if errors.Is(err, ws.ErrHeaderLengthMSB) {
		c.Close(ws.StatusProtocolError)
	}
	if err != nil {
		return header, false
	}
	state := ws.StateServerSide
	if inMessage {
		state |= ws.StateFragmented
	}
	switch {
	case ws.CheckHeader(header, state) != nil:
		c.Close(ws.StatusProtocolError)
		return header, false
	case header.OpCode == ws.OpBinary:
		c.refuse(ws.StatusUnsupportedData)
		return header, false
	case header.Length > MaxMessage:
		c.refuse(ws.StatusMessageTooBig)
		return header, false
	}
	return header, c.withinLimit()
}

// answerToClose returns the code that answers a close frame: an error if its payload breaks
// RFC 6455, section 5.5.1.
func answerToClose(payload []byte) Code {
	code, reason := ws.ParseCloseFrameData(payload)
	switch {
	case len(payload) == 0:
		return ws.StatusNormalClosure
	case !utf8.ValidString(reason):
		return ws.StatusInvalidFramePayloadData
	case ws.CheckCloseFrameData(code, reason) != nil:
		return ws.StatusProtocolError
	}
	return ws.StatusNormalClosure
}

func (c *Conn) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing != 0
}

func (c *Conn) readPayload(h ws.Header) ([]byte, bool) {
	if h.Length == 0 {
		return nil, true
	}
	payload := make([]byte, h.Length)
	if _, err := io.ReadFull(c.conn, payload); err != nil {
		return nil, false
	}
	ws.Cipher(payload, h.Mask, 0)
	return payload, true
}

// receive hands a message to the handler. It returns false if the connection is closing.
func (c *Conn) receive(message []byte) bool {
	switch {
	case c.isClosing():
		return false
	case !utf8.Valid(message):
		c.refuse(ws.StatusInvalidFramePayloadData)
		return false
	}
	handled := make(chan struct{})
	go func() { // the stack of the reader stays small
		defer close(handled)
		c.handler.Receive(message)
	}()
	<-handled
	return true
}

// refuse closes the connection after a last frame that says why.
func (c *Conn) refuse(code Code) { c.Close(code, c.handler.Invalid(code)) }
