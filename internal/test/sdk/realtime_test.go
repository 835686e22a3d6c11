package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"moothall/internal/test/contract"
	"moothall/internal/test/testutil"
	"moothall/sdk/go/realtime"
)

const (
	chat    realtime.Topic = "chat:018f3b0a-5c1d-7000-8000-0000000000e1"
	message                = `{"id":"018f3b0a-5c1d-7000-8000-000000000181","event_id":"018f3b0a-5c1d-7000-8000-0000000000e1",` +
		`"author_user_id":"018e3b0a-5c1d-7000-8000-0000000000a2","author":null,"body":"Hi","client_message_id":null,"created_at":"2026-12-05T16:02:01Z","deleted_at":null}`
)

// server speaks the protocol for one chat, whose messages have the positions 1, 2, 3... It
// checks every frame of both sides against the contract.
type server struct {
	t    *testing.T
	http *httptest.Server

	mu       sync.Mutex
	latest   int
	conns    map[net.Conn]bool // true: subscribed
	asked    []string          // "after" of each subscribe frame, "now" without one
	refuse   int               // status in place of an upgrade
	busy     int               // subscriptions to refuse for now
	mistreat bool              // lose, repeat and cut at random
}

func newServer(t *testing.T) *server {
	s := &server{t: t, conns: map[net.Conn]bool{}}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.http.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	refuse := s.refuse
	s.mu.Unlock()
	switch authorization := r.Header.Get("Authorization"); {
	case r.URL.Path == "/realtime" && authorization == "Bearer expired":
		refuse = http.StatusUnauthorized
	case r.URL.Path != "/realtime" || authorization != "Bearer token":
		s.t.Errorf("%s %s", r.URL, r.Header)
	}
	if refuse != 0 {
		w.WriteHeader(refuse)
		return
	}
	upgrader := ws.HTTPUpgrader{Protocol: func(p string) bool { return p == "moothall.v1" }}
	conn, _, _, err := upgrader.Upgrade(r, w)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer s.close(conn, 0)
	s.mu.Lock()
	s.conns[conn] = false
	s.send(conn, `{"op":"welcome","session_id":"018f3b0a-5c1d-7000-8000-000000000191","server_time":"2026-12-05T16:00:00Z","ping_seconds":30}`)
	_ = wsutil.WriteServerMessage(conn, ws.OpPing, []byte("alive?")) // the client must not take it for a frame
	s.mu.Unlock()
	for {
		text, err := wsutil.ReadClientText(conn)
		if err != nil {
			return
		}
		contract.ClientFrame(s.t, text)
		s.receive(conn, text)
	}
}

func (s *server) receive(conn net.Conn, text []byte) {
	var f struct {
		Op, After string
		Topic     string
		ID        int
	}
	if err := json.Unmarshal(text, &f); err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case f.Op == "unsubscribe":
		s.conns[conn] = false
	case f.Op == "subscribe" && s.busy > 0:
		s.busy--
		s.send(conn, fmt.Sprintf(`{"op":"error","id":%d,"topic":%q,"error":"service_unavailable"}`, f.ID, f.Topic))
	case f.Op == "subscribe" && f.Topic != string(chat):
		s.send(conn, fmt.Sprintf(`{"op":"error","id":%d,"topic":%q,"error":"not_found"}`, f.ID, f.Topic))
	case f.Op == "subscribe":
		after, err := strconv.Atoi(f.After)
		if err != nil {
			after = s.latest
			s.asked = append(s.asked, "now")
		} else {
			s.asked = append(s.asked, f.After)
		}
		s.conns[conn] = true
		s.send(conn, fmt.Sprintf(`{"op":"subscribed","id":%d,"topic":%q,"position":"%d","latest":"%d"}`, f.ID, chat, after, s.latest))
		for at := after + 1; at <= s.latest; at++ {
			s.message(conn, at)
		}
		s.send(conn, fmt.Sprintf(`{"op":"caught_up","topic":%q,"position":"%d"}`, chat, s.latest))
	}
}

// message sends one message; every fifth is hidden.
func (s *server) message(conn net.Conn, at int) {
	if at%5 == 0 {
		s.send(conn, fmt.Sprintf(`{"op":"skip","topic":%q,"position":"%d","prev":"%d"}`, chat, at, at-1))
		return
	}
	s.send(conn, fmt.Sprintf(`{"op":"message","topic":%q,"position":"%d","prev":"%d","message":%s}`, chat, at, at-1, message))
}

func (s *server) send(conn net.Conn, frame string) {
	contract.ServerFrame(s.t, []byte(frame))
	_ = wsutil.WriteServerText(conn, []byte(frame)) // the connection may be cut
}

// publish adds messages to the chat.
func (s *server) publish(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.latest++
		for conn, subscribed := range s.conns {
			fate := 9
			if s.mistreat {
				fate = rand.IntN(10)
			}
			switch {
			case !subscribed || fate == 0: // the message is lost
			case fate == 1:
				_ = conn.Close()
				delete(s.conns, conn)
			case fate == 2:
				s.message(conn, s.latest)
				s.message(conn, s.latest)
			default:
				s.message(conn, s.latest)
			}
		}
	}
}

// close closes a connection. With a code it asks the client to close it: the client may not get the
// code of a connection that is closed before all that it has sent is read.
func (s *server) close(conn net.Conn, code ws.StatusCode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if code != 0 {
		_ = ws.WriteFrame(conn, ws.NewCloseFrame(ws.NewCloseFrameBody(code, "")))
	} else {
		_ = conn.Close()
	}
	delete(s.conns, conn)
}

// closeAll closes every connection with a code.
func (s *server) closeAll(code ws.StatusCode) {
	s.mu.Lock()
	conns := slices.Collect(func(yield func(net.Conn) bool) {
		for conn := range s.conns {
			if !yield(conn) {
				return
			}
		}
	})
	s.mu.Unlock()
	for _, conn := range conns {
		s.close(conn, code)
	}
}

// reader runs a client and records what it brings.
type reader struct {
	*realtime.Client
	ended chan error

	mu     sync.Mutex
	got    []int
	ops    []string
	states []realtime.State
}

func (s *server) connect(subscribe func(*realtime.Client)) *reader {
	r := &reader{ended: make(chan error, 1)}
	r.Client = realtime.New(realtime.Options{
		URL:   s.http.URL + "/",
		Token: func(context.Context, string) (string, error) { return "token", nil },
		Frame: func(f realtime.Frame) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.ops = append(r.ops, f.Op)
			if f.Op == "message" && string(f.Message) == message {
				r.got = append(r.got, int(f.Position))
			}
		},
		State: func(state realtime.State) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.states = append(r.states, state)
		},
		MaxDelay: time.Millisecond,
	})
	subscribe(r.Client)
	ctx, stop := context.WithCancel(s.t.Context())
	go func() { r.ended <- r.Run(ctx) }()
	s.t.Cleanup(stop)
	return r
}

// await waits until done reports true about what the client has brought.
func (r *reader) await(t *testing.T, what string, done func() bool) {
	t.Helper()
	testutil.Until(t, what, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return done()
	})
}

// shown are the positions from first to last that are not hidden.
func shown(first, last int) (list []int) {
	for at := first; at <= last; at++ {
		if at%5 != 0 {
			list = append(list, at)
		}
	}
	return list
}

// TestClientBringsEachMessageOnce lets the server lose and repeat messages and cut
// connections. Both readers get everything, in order.
func TestClientBringsEachMessageOnce(t *testing.T) {
	for range testutil.Rounds(3, 100) {
		s := newServer(t)
		s.publish(7)
		fromStart := s.connect(func(c *realtime.Client) { c.Subscribe(chat, 0) })
		fromFour := s.connect(func(c *realtime.Client) { c.Subscribe(chat, 4) })
		fromStart.await(t, "the past", func() bool { return len(fromStart.got) >= 6 })
		s.mu.Lock()
		s.mistreat = true
		s.mu.Unlock()
		for range 100 {
			s.publish(1 + rand.IntN(3))
		}
		s.mu.Lock()
		s.mistreat = false
		s.mu.Unlock()
		s.publish(2)
		for r, first := range map[*reader]int{fromStart: 1, fromFour: 5} {
			want := shown(first, s.latest)
			r.await(t, "all messages", func() bool {
				return len(r.got) >= len(want) || !slices.Equal(r.got, want[:len(r.got)])
			})
			if !slices.Equal(r.got, want) {
				t.Errorf("got %v, want %v", r.got, want)
			}
		}
	}
}

// TestClientShowsWhetherItIsComplete follows the states of a client through a gap and a lost
// connection.
func TestClientShowsWhetherItIsComplete(t *testing.T) {
	s := newServer(t)
	s.publish(3)
	r := s.connect(func(c *realtime.Client) { c.Subscribe(chat) })
	until := func(what string, want ...realtime.State) {
		t.Helper()
		r.await(t, what, func() bool { return slices.Equal(r.states, want) })
	}
	until("the first connection", "connecting", "catching up", "live")
	s.mu.Lock()
	s.latest++ // lost
	s.mu.Unlock()
	s.publish(1)
	until("the repair of a gap", "connecting", "catching up", "live", "catching up", "live")
	s.closeAll(ws.StatusGoingAway)
	until("the second connection", "connecting", "catching up", "live", "catching up", "live", "connecting", "catching up", "live")
	s.publish(2)
	r.await(t, "the last messages", func() bool { return slices.Equal(r.got, []int{4, 6, 7}) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if want := []string{"now", "3", "5"}; !slices.Equal(s.asked, want) {
		t.Errorf("the client asked for messages after %v, want %v", s.asked, want)
	}
}

// TestClientForgetsTopicsThatItMayNotWatch checks that a client does not subscribe again to
// a topic that was refused or revoked.
func TestClientForgetsTopicsThatItMayNotWatch(t *testing.T) {
	s := newServer(t)
	r := s.connect(func(c *realtime.Client) {
		c.Subscribe(chat)
		c.Subscribe(realtime.EventTopic("018f3b0a-5c1d-7000-8000-0000000000e2")) // the server refuses it
	})
	r.await(t, "the refusal", func() bool { return slices.Contains(r.ops, "error") && slices.Contains(r.ops, "caught_up") })
	s.mu.Lock()
	for conn := range s.conns {
		s.send(conn, fmt.Sprintf(`{"op":"revoked","topic":%q,"reason":"left"}`, chat))
	}
	s.mu.Unlock()
	r.await(t, "the revocation", func() bool { return slices.Contains(r.ops, "revoked") })
	s.closeAll(4408)
	welcomes := func() (n int) {
		for _, op := range r.ops {
			if op == "welcome" {
				n++
			}
		}
		return n
	}
	r.await(t, "the second connection", func() bool { return welcomes() == 2 && r.states[len(r.states)-1] == realtime.Live })
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) != 1 {
		t.Errorf("the client subscribed to the chat %d times", len(s.asked))
	}
}

// TestClientTriesAgain checks that a client subscribes again after an error that passes.
func TestClientTriesAgain(t *testing.T) {
	s := newServer(t)
	s.busy = 2
	r := s.connect(func(c *realtime.Client) { c.Subscribe(chat, 0) })
	s.publish(1)
	r.await(t, "the message", func() bool { return slices.Equal(r.got, []int{1}) })
}

// TestClientReplacesToken lets Token fail once, and the server refuse the first token. The client gets another one.
func TestClientReplacesToken(t *testing.T) {
	s, live, calls := newServer(t), make(chan bool), 0
	client := realtime.New(realtime.Options{
		URL: s.http.URL,
		Token: func(_ context.Context, refused string) (string, error) {
			switch calls++; {
			case calls == 1:
				return "", errors.New("offline")
			case refused == "expired":
				return "token", nil
			}
			return "expired", nil
		},
		Frame: func(realtime.Frame) {},
		State: func(state realtime.State) {
			if state == realtime.Live {
				close(live)
			}
		},
		MaxDelay: time.Millisecond,
	})
	ended := make(chan error, 1)
	go func() { ended <- client.Run(t.Context()) }()
	select {
	case <-live:
	case err := <-ended:
		t.Error(err)
	}
}

// TestClientEnds checks what a client does not repair.
func TestClientEnds(t *testing.T) {
	for _, row := range []struct {
		name   string
		code   ws.StatusCode
		status int
		want   error
	}{
		{"the session ends", 4401, 0, realtime.ErrSessionEnded},
		{"the token is refused", 0, 401, realtime.ErrSessionEnded},
		{"too many sockets", 4409, 0, realtime.ErrReplaced},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newServer(t)
			s.refuse = row.status
			r := s.connect(func(c *realtime.Client) { c.Subscribe(chat) })
			if row.code != 0 {
				r.await(t, "the connection", func() bool { return slices.Contains(r.ops, "caught_up") })
				s.closeAll(row.code)
			}
			if err := <-r.ended; !errors.Is(err, row.want) {
				t.Errorf("Run returns %v, want %v", err, row.want)
			}
		})
	}
}
