package floor

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"

	"moothall/internal/domain"
)

// socketText makes messages as long as those of a chat.
var socketText = strings.Repeat("x", 400)

// ServeSockets accepts WebSockets until ctx ends: GET /{channel} opens one, POST /{channel} writes
// a message to all of a channel. Its position is the current time in microseconds.
func ServeSockets(ctx context.Context, address string) error {
	s := &sockets{channels: map[string]*channel{}}
	server := &http.Server{Addr: address, Handler: s, ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

type sockets struct {
	mu       sync.Mutex
	channels map[string]*channel
}

// channel is the sockets that get the same messages.
type channel struct {
	mu    sync.Mutex
	conns []net.Conn
}

// ServeHTTP implements http.Handler.
func (s *sockets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := s.channel(r.URL.Path)
	if r.Method == http.MethodPost {
		c.publish()
		return
	}
	if r.Header.Get("Upgrade") == "" {
		return
	}
	conn, _, _, err := ws.UpgradeHTTP(r, w)
	if err != nil {
		return
	}
	c.mu.Lock()
	c.conns = append(c.conns, conn)
	c.mu.Unlock()
	go discard(conn)
}

func (s *sockets) channel(name string) *channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channels[name]
	if c == nil {
		c = &channel{}
		s.channels[name] = c
	}
	return c
}

// discard reads until the socket ends.
func discard(conn net.Conn) {
	var buffer [16]byte
	for {
		if _, err := conn.Read(buffer[:]); err != nil {
			_ = conn.Close()
			return
		}
	}
}

func (c *channel) publish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := fmt.Sprintf(`{"op":"message","position":"%d","text":%q}`, domain.SystemClock().Now().UnixMicro(), socketText)
	frame := ws.MustCompileFrame(ws.NewTextFrame([]byte(text)))
	for _, conn := range c.conns {
		_, _ = conn.Write(frame)
	}
}
