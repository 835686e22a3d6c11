package realtime

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// timeout limits the handshake, the wait for the first frame, and a write.
const timeout = 10 * time.Second

// The server closes a socket from which it gets more than 120 frames in 10 seconds. Pongs count,
// too.
const (
	maxFrames   = 110
	frameWindow = 10 * time.Second
)

// object is a frame to the server.
type object map[string]any

// conn is a connection to the server. A read fails if nothing arrives for the time silence. Frames are
// sent in order, at most maxFrames in any frameWindow.
type conn struct {
	net.Conn
	source  io.Reader
	silence time.Duration

	mu      sync.Mutex
	waiting [][]byte             // frames; flush runs when the next one may be sent
	sent    [maxFrames]time.Time // a ring of the latest frames
	count   int                  // frames sent
}

// dial connects to the server at a base address.
func dial(ctx context.Context, url, token string) (*conn, error) {
	dialer := ws.Dialer{Timeout: timeout, Protocols: []string{"moothall.v1"},
		Header: ws.HandshakeHeaderHTTP{"Authorization": {"Bearer " + token}}}
	connection, buffered, _, err := dialer.Dial(ctx, "ws"+strings.TrimPrefix(strings.TrimSuffix(url, "/"), "http")+"/realtime")
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: connection, source: connection, silence: timeout}
	if buffered != nil {
		c.source = buffered
	}
	return c, nil
}

// receive returns the next frame. It answers pings before it.
func (c *conn) receive() (f Frame, err error) {
	if f.Raw, err = wsutil.ReadServerText(c); err == nil {
		err = json.Unmarshal(f.Raw, &f)
	}
	return f, err
}

// Read implements io.Reader.
func (c *conn) Read(p []byte) (int, error) {
	_ = c.SetReadDeadline(time.Now().Add(c.silence))
	return c.source.Read(p)
}

// Write implements io.Writer, for the answers to pings.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.write(p)
}

func (c *conn) write(p []byte) (int, error) {
	_ = c.SetWriteDeadline(time.Now().Add(timeout))
	return c.Conn.Write(p)
}

// send sends a frame as soon as the limit permits.
func (c *conn) send(frame object) {
	text, _ := json.Marshal(frame) // strings and numbers always marshal
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = append(c.waiting, ws.MustCompileFrame(ws.MaskFrameInPlace(ws.NewTextFrame(text))))
	if len(c.waiting) == 1 {
		c.flush()
	}
}

// flush sends the frames that wait, now or when the limit permits. A failure ends the
// connection. The caller must hold the lock.
func (c *conn) flush() {
	for len(c.waiting) > 0 {
		earliest := &c.sent[c.count%maxFrames]
		if wait := frameWindow - time.Since(*earliest); wait > 0 {
			time.AfterFunc(wait, func() {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.flush()
			})
			return
		}
		if _, err := c.write(c.waiting[0]); err != nil {
			c.waiting = nil
			_ = c.Close()
			return
		}
		c.waiting, *earliest = c.waiting[1:], time.Now()
		c.count++
	}
}
