package floor

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"
)

// socketFrame is as long as a chat message.
var socketFrame = ws.MustCompileFrame(ws.NewTextFrame([]byte(`{"op":"floor","text":"` + strings.Repeat("x", 500) + `"}`)))

// ServeSockets accepts WebSockets until ctx ends. POST /n writes n frames to each of them.
func ServeSockets(ctx context.Context, address string) error {
	s := &sockets{}
	server := &http.Server{Addr: address, Handler: s, ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return nil
}

type sockets struct {
	mu    sync.Mutex
	conns []net.Conn
}

// ServeHTTP implements http.Handler.
func (s *sockets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Upgrade") == "" {
		times, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		s.broadcast(times)
		return
	}
	conn, _, _, err := ws.UpgradeHTTP(r, w)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.conns = append(s.conns, conn)
	s.mu.Unlock()
	go discard(conn)
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

func (s *sockets) broadcast(times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range times {
		for _, conn := range s.conns {
			_, _ = conn.Write(socketFrame)
		}
	}
}
