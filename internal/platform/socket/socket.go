// Package socket sends frames of text to many clients that are idle most of the time, over
// WebSockets (RFC 6455) and server-sent events.
//
// An idle connection has one goroutine with a small stack, and no buffer. Other goroutines run
// only while there is something to write, or a message is handled. The frames that wait for a client are limited,
// so that slow clients cost little memory: see Conn.Send and Conn.Deliver.
package socket

import (
	"errors"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/gobwas/ws"
)

// The limits of one connection.
const (
	MaxMessage = 4 << 10 // size of a message from the client, in bytes

	maxQueued      = 64        // frames that wait or are being written; Send refuses more
	maxQueuedBytes = 256 << 10 // size of these frames; Send refuses more
	maxUnsentBytes = 320 << 10 // size of these frames; Deliver closes the connection for more

	maxReceived   = 120 // frames from the client in receiveWindow
	receiveWindow = 10 * time.Second

	writeTimeout = 10 * time.Second // of all frames that wait at one time
	maxSilence   = 75 * time.Second // of a WebSocket client, which answers pings
	closeTimeout = 5 * time.Second  // until the client has answered a close frame
)

// Code is the status code of a close frame.
type Code = ws.StatusCode

// The codes of this package.
const (
	CodeTooManyFrames Code = 4429
	CodeTooSlow       Code = 4408
)

// Handler serves one connection. Receive and Closed are called one after the other, Refill also
// beside them.
type Handler interface {
	// Receive handles a message from the client, which is valid UTF-8.
	Receive(message []byte)
	// Invalid returns the last frame before a connection is closed because of a message
	// that is too long (ws.StatusMessageTooBig), binary (ws.StatusUnsupportedData) or not
	// UTF-8 (ws.StatusInvalidFramePayloadData).
	Invalid(code Code) Frame
	// Refill is called when every frame is written, if a frame was refused since the last
	// call, or after Conn.Wake.
	Refill()
	// Closed is called once, at the end of the connection.
	Closed(code Code)
}

// Frame is a text for any number of clients, encoded once.
type Frame struct {
	webSocket []byte // with its header
	text      []byte // the end of webSocket
	id        string
}

// NewFrame returns the frame of a text without line breaks. id may be empty: clients of
// server-sent events return the last one as Last-Event-ID when they reconnect.
func NewFrame(text []byte, id string) Frame {
	encoded := ws.MustCompileFrame(ws.NewTextFrame(text))
	return Frame{webSocket: encoded, text: encoded[len(encoded)-len(text):], id: id}
}

// Conn is the connection of one client. Any goroutine may call its methods.
type Conn struct {
	conn    net.Conn
	stream  bool // server-sent events
	handler Handler

	mu      sync.Mutex
	queue   [][]byte
	frames  int  // in the queue, and being written
	bytes   int  // of these frames
	writing bool // the goroutine that writes runs
	refill  bool // call Refill when every frame is written
	closing Code // 0: the connection is open

	received    int       // frames since windowStart
	windowStart time.Time // of the goroutine that reads
}

// Start reads from an accepted connection until it ends. It returns at once.
func (c *Conn) Start() {
	if c.stream {
		go c.readStream()
	} else {
		go c.readWebSocket()
	}
}

// Send queues a frame and returns true. It returns false if too many frames wait: then it
// calls Refill as soon as all of them are written. A closed connection takes every frame.
func (c *Conn) Send(f Frame) bool {
	return c.enqueue(c.encoded(f))
}

// Deliver queues a frame that is sent only once, also where Send refuses it. If too much waits, it
// closes the connection with CodeTooSlow.
func (c *Conn) Deliver(f Frame) {
	frame := c.encoded(f)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closing != 0:
	case c.bytes+len(frame) > maxUnsentBytes:
		c.close(CodeTooSlow)
	default:
		c.add(frame)
	}
}

func (c *Conn) encoded(f Frame) []byte {
	if c.stream {
		return eventOf(f)
	}
	return f.webSocket
}

// Ping makes sure that the client is there. A WebSocket client that does not answer is
// disconnected. A client that does not see pings also gets frames, in the same write.
func (c *Conn) Ping(beside ...Frame) {
	ping := ws.CompiledPing
	if c.stream {
		ping, beside = comment, nil // which every client sees
	}
	for _, f := range beside {
		ping = slices.Concat(ping, f.webSocket)
	}
	c.enqueue(ping)
}

// Wake calls Refill as soon as every frame is written.
func (c *Conn) Wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing == 0 {
		c.refill = true
		c.startWriting()
	}
}

// Close closes the connection. Frames that wait are dropped, except last.
func (c *Conn) Close(code Code, last ...Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close(code, last...)
}

// close needs the lock.
func (c *Conn) close(code Code, last ...Frame) {
	if c.closing != 0 {
		return
	}
	c.closing, c.queue = code, nil
	for _, f := range last {
		c.queue = append(c.queue, c.encoded(f))
	}
	if !c.stream {
		c.queue = append(c.queue, ws.MustCompileFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(code, ""))))
	}
	c.startWriting()
}

func (c *Conn) enqueue(frame []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closing != 0:
		return true
	case c.frames >= maxQueued, c.frames > 0 && c.bytes+len(frame) > maxQueuedBytes:
		c.refill = true
		return false
	}
	c.add(frame)
	return true
}

// add needs the lock.
func (c *Conn) add(frame []byte) {
	c.queue = append(c.queue, frame)
	c.frames++
	c.bytes += len(frame)
	c.startWriting()
}

// startWriting needs the lock.
func (c *Conn) startWriting() {
	if !c.writing {
		c.writing = true
		go c.write()
	}
}

// write writes until there is nothing left to write.
func (c *Conn) write() {
	for {
		frames, refill, more := c.next()
		switch {
		case !more:
			return
		case refill:
			c.handler.Refill()
		default:
			if !c.writeAll(frames) {
				return
			}
		}
	}
}

// next returns the frames to write, or that Refill must be called. more is false if
// there is nothing to do.
func (c *Conn) next() (frames net.Buffers, refill, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) > 0 {
		frames, c.queue = c.queue, nil
		return frames, false, true
	}
	c.frames, c.bytes = 0, 0
	if c.closing != 0 {
		c.finish()
		return nil, false, false // writing stays true: nothing is written any more
	}
	refill, c.refill = c.refill, false
	c.writing = refill
	return nil, refill, refill
}

// halfCloser is a connection of which only the writing half can be closed.
type halfCloser interface{ CloseWrite() error }

// finish lets the goroutine that reads wait for the answer to the close frame.
func (c *Conn) finish() {
	if half, ok := c.conn.(halfCloser); ok && !c.stream && half.CloseWrite() == nil {
		_ = c.conn.SetReadDeadline(time.Now().Add(closeTimeout))
		return
	}
	_ = c.conn.Close()
}

func (c *Conn) writeAll(frames net.Buffers) bool {
	count, size := len(frames), 0
	for _, f := range frames {
		size += len(f)
	}
	_ = c.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	var err error
	if count == 1 {
		_, err = c.conn.Write(frames[0]) // otherwise the connection would keep a vector
	} else {
		_, err = frames.WriteTo(c.conn)
	}
	if err != nil {
		code := ws.StatusAbnormalClosure
		if errors.Is(err, os.ErrDeadlineExceeded) {
			code = CodeTooSlow
		}
		c.fail(code)
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames -= count
	c.bytes -= size
	return true
}

// fail ends a connection that cannot be written to.
func (c *Conn) fail(code Code) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing == 0 {
		c.closing = code
	}
	c.queue = nil
	_ = c.conn.Close()
}

// end ends the connection after the last read.
func (c *Conn) end() {
	c.fail(ws.StatusAbnormalClosure)
	c.handler.Closed(c.closing)
}

// withinLimit counts a frame from the client. It closes the connection after too many.
func (c *Conn) withinLimit() bool {
	now := time.Now()
	if now.Sub(c.windowStart) > receiveWindow {
		c.windowStart, c.received = now, 0
	}
	if c.received++; c.received > maxReceived {
		c.Close(CodeTooManyFrames)
		return false
	}
	return true
}
