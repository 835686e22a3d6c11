package realtime

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
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

// connect adds the socket of a new user to a hub. ended receives the time of its end. The client
// reads everything, or nothing.
func connect(t *testing.T, h *Hub, reads bool, ended chan<- time.Time) {
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
	c := &client{hub: h, viewer: domain.Viewer{UserID: domain.NewID[domain.UserKind](time.Now())}, address: netip.IPv6Loopback(), transport: "stream"}
	conn, err := socket.AcceptStream(server, bufio.NewReadWriter(bufio.NewReader(server), bufio.NewWriter(server)), http.Header{}, c)
	if err != nil {
		t.Fatal(err)
	}
	<-head
	c.conn = conn
	c.start(context.Background(), 0, nil)
}

// TestStopSpreadsTheEnds stops an instance with five sockets: one client is disconnected every
// two seconds, so that not all of them reconnect at once.
func TestStopSpreadsTheEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, ended := newSocketlessHub(), make(chan time.Time, 5)
		for range 5 {
			connect(t, h, true, ended)
		}
		began, stopped := time.Now(), make(chan struct{})
		go func() {
			h.Stop(10 * time.Second)
			close(stopped)
		}()
		var after []time.Duration
		for range 5 {
			after = append(after, (<-ended).Sub(began))
		}
		if want := []time.Duration{0, 2 * time.Second, 4 * time.Second, 6 * time.Second, 8 * time.Second}; !slices.Equal(after, want) {
			t.Errorf("the sockets end after %v, want %v", after, want)
		}
		if h.admit(netip.IPv4Unspecified()) == nil {
			t.Error("a hub that stops admits a socket")
		}
		<-stopped
	})
}

// TestStopWaitsForTheEnds returns when no client is left, and does not wait long for one that
// hangs.
func TestStopWaitsForTheEnds(t *testing.T) {
	for _, row := range []struct {
		name  string
		reads bool
		most  time.Duration
	}{
		{"all read", true, 10 * time.Millisecond},
		{"one hangs", false, closeWait},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, ended := newSocketlessHub(), make(chan time.Time, 2)
				connect(t, h, true, ended)
				connect(t, h, row.reads, ended)
				synctest.Wait()
				began := time.Now()
				h.Stop(0)
				if took := time.Since(began); took > row.most {
					t.Errorf("Stop returns after %v, want %v", took, row.most)
				}
				if len(ended) == 0 {
					t.Error("a client that reads is not disconnected yet")
				}
			})
		})
	}
}

// TestAddressLimit counts the sockets of one address, which may be of different users.
func TestAddressLimit(t *testing.T) {
	h := newSocketlessHub()
	here, there := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	var last *client
	for range maxPerAddress {
		if err := h.admit(here); err != nil {
			t.Fatal(err)
		}
		last = &client{hub: h, viewer: domain.Viewer{UserID: domain.NewID[domain.UserKind](time.Now())}, address: here}
		h.add(last, 0)
	}
	if err := h.admit(here); err != domain.RateLimited {
		t.Errorf("one socket too many: %v", err)
	}
	if err := h.admit(there); err != nil {
		t.Errorf("a socket of another address: %v", err)
	}
	h.remove(last)
	h.remove(last) // counts once
	if err := h.admit(here); err != nil {
		t.Errorf("after the end of a socket: %v", err)
	}
	h.add(last, 0)
	if err := h.admit(here); err != domain.RateLimited {
		t.Errorf("one socket too many again: %v", err)
	}
}
