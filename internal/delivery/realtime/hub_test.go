package realtime

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/socket"
)

// newSocketlessHub returns a hub without a database, for what needs none.
func newSocketlessHub() *Hub {
	return NewHub(Options{Off: true, MaxSockets: 1000, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
}

// newUserSocket returns the socket of a new user, which is not connected yet.
func newUserSocket(h *Hub) *client {
	user := domain.NewID[domain.UserKind](time.Now())
	return &client{hub: h, viewer: domain.Viewer{UserID: user}, transport: "stream"}
}

// connect connects a socket and adds it to its hub. ended receives the time of its end. The client
// reads everything, or nothing.
func connect(t *testing.T, c *client, reads bool, ended chan<- time.Time) {
	t.Helper()
	server, browser := net.Pipe()
	t.Cleanup(func() { _ = browser.Close() })
	head := make(chan struct{})
	go func() {
		reader := bufio.NewReader(browser)
		for line := "-"; strings.TrimSpace(line) != ""; {
			line, _ = reader.ReadString('\n')
		}
		close(head)
		if reads {
			_, _ = io.Copy(io.Discard, reader)
			ended <- time.Now()
		}
	}()
	conn, err := socket.AcceptStream(server, bufio.NewReadWriter(bufio.NewReader(server), bufio.NewWriter(server)), http.Header{}, c)
	if err != nil {
		t.Fatal(err)
	}
	<-head
	c.conn = conn
	c.start(0, nil)
}

// TestConcurrentHandshakes opens more sockets than a limit allows. All are admitted before the
// first one is registered.
func TestConcurrentHandshakes(t *testing.T) {
	for _, row := range []struct {
		name         string
		limit        int
		oneUser      bool
		maxOfService int
	}{
		{"of the service", 5, false, 5},
		{"of a user", maxPerUser, true, 1000},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const excess = 5
				h, ended := newSocketlessHub(), make(chan time.Time, 1000)
				h.MaxSockets = row.maxOfService
				user := domain.NewID[domain.UserKind](time.Now())
				var admitted, connected sync.WaitGroup
				admitted.Add(row.limit + excess)
				for range row.limit + excess {
					c := newUserSocket(h)
					if row.oneUser {
						c.viewer.UserID = user
					}
					connected.Go(func() {
						if err := h.admit(); err != nil {
							t.Error(err)
						}
						admitted.Done()
						admitted.Wait()
						connect(t, c, true, ended)
					})
				}
				connected.Wait()
				synctest.Wait()
				if len(h.clients) != row.limit || len(ended) != excess {
					t.Errorf("%d sockets are open and %d closed, want %d and %d", len(h.clients), len(ended), row.limit, excess)
				}
			})
		})
	}
}

// TestSocketsOfOneAddress opens sockets of many users: an address, such as that of an office, has no limit.
func TestSocketsOfOneAddress(t *testing.T) {
	h := newSocketlessHub()
	for range 1000 {
		if err := h.admit(); err != nil {
			t.Fatal(err)
		}
		h.add(newUserSocket(h), 0)
	}
	if len(h.clients) != 1000 {
		t.Errorf("%d sockets are open", len(h.clients))
	}
}

// TestFramesWait receives a frame while others are handled: it waits until one of them is done.
func TestFramesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newSocketlessHub()
		c := newUserSocket(h)
		connect(t, c, true, make(chan time.Time, 1))
		for range cap(h.answers) {
			h.answers <- struct{}{}
		}
		done := make(chan struct{})
		go func() {
			c.Receive([]byte(`{"op":"unsubscribe","topic":"me"}`))
			close(done)
		}()
		synctest.Wait()
		select {
		case <-done:
			t.Error("the frame does not wait")
		default:
		}
		<-h.answers
		<-done
		c.close(CloseGoingAway)
	})
}
