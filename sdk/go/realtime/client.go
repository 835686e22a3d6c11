// Package realtime is a client of Moothall's realtime interface. It delivers every message of
// a chat once and in order. After a lost connection it resumes after the last message that it
// has. Each message names the position of the one before, so that the client finds gaps.
//
//	c := realtime.New(realtime.Options{
//		URL:   "https://moothall.example.org",
//		Token: client.Session.Token,
//		Frame: func(f realtime.Frame) { fmt.Println(f.Op, string(f.Message)) },
//	})
//	c.Subscribe(realtime.ChatTopic(eventID), lastPosition)
//	err := c.Run(ctx)
package realtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// The errors that end Run. After any other error, the client connects again.
var (
	ErrSessionEnded = errors.New("realtime: the session has ended") // sign in again
	ErrReplaced     = errors.New("realtime: the user has opened too many sockets")
)

// Options configure a client.
type Options struct {
	// URL is the base address of the API.
	URL string
	// Token returns a valid access token. It is called before each connection. refused is the latest token that the server has
	// refused, or "". If Token fails, the client tries again later.
	Token func(ctx context.Context, refused string) (string, error)
	// Frame is called for each frame, one at a time. It gets each message of a chat once and
	// in order. It must return soon: the server disconnects a client that falls behind.
	Frame func(Frame)
	// State is called when the state changes. It may be nil.
	State func(State)
	// MaxDelay limits the delay before a new connection. Zero means 20 seconds.
	MaxDelay time.Duration
}

// The delays before a new connection are random, so that clients that were disconnected
// together do not return together.
const (
	minDelay       = 500 * time.Millisecond
	defaultDelay   = 20 * time.Second
	maxDelayOnStop = 10 * time.Second // after the server has stopped
)

// temporary are the errors after which the client tries a subscription again.
var temporary = []string{"service_unavailable", "internal_error"}

// Client keeps a connection, and replaces a lost one. Its methods may be called at any time
// and from several goroutines, also by Options.Frame.
type Client struct {
	options Options

	mu     sync.Mutex
	topics map[Topic]*subscription
	conn   *conn // nil until the server has accepted it
	lastID int64
	state  State
}

// subscription is the state of a topic.
type subscription struct {
	id     int64    // of the latest subscribe frame
	known  bool     // last is set
	last   Position // position of the last message that the client has, for a chat
	behind bool     // messages of a chat are missing

	refusals int // since the server last accepted it
}

// New returns a client. Run connects it.
func New(o Options) *Client {
	if o.MaxDelay == 0 {
		o.MaxDelay = defaultDelay
	}
	return &Client{options: o, topics: map[Topic]*subscription{}}
}

// Subscribe subscribes to a topic until Unsubscribe, or until a frame with the Op "revoked" or
// "error" and this topic. The server refuses more than 100 topics with the error rate_limited.
// after is the position of the last message of a chat that the caller has. Without it, the
// server sends messages from now on.
func (c *Client) Subscribe(topic Topic, after ...Position) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &subscription{known: len(after) > 0}
	if s.known {
		s.last = after[0]
	}
	c.topics[topic] = s
	c.subscribe(topic, s)
}

// Unsubscribe ends a subscription.
func (c *Client) Unsubscribe(topic Topic) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.topics, topic)
	c.send(object{"op": "unsubscribe", "topic": topic})
}

// MarkRead marks the messages of a chat up to a position as read. Without a connection, it does nothing.
func (c *Client) MarkRead(topic Topic, upTo Position) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(object{"op": "read", "topic": topic, "position": fmt.Sprint(upTo)})
}

// Typing tells the others in a chat that the user is typing. Without a connection, it does nothing.
func (c *Client) Typing(topic Topic) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.send(object{"op": "typing", "topic": topic})
}

// Run connects, and reconnects whenever the connection is lost. It returns when ctx ends, or with ErrSessionEnded or ErrReplaced.
func (c *Client) Run(ctx context.Context) error {
	c.setState(Connecting)
	refused := ""
	for failures := 0; ; failures++ {
		var welcomed bool
		token, err := c.options.Token(ctx, refused)
		if err == nil {
			welcomed, err = c.connect(ctx, token)
		}
		if welcomed {
			failures = 0
		}
		if isUnauthorized(err) && token != refused {
			refused = token
			continue
		}
		delay, err := pause(err, max(failures, c.refusals()), c.options.MaxDelay)
		if err != nil {
			return err
		}
		c.setState(Connecting)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(delay):
		}
	}
}

// refusals returns how often the server has refused a subscription with a temporary error. Each refusal lengthens the delay,
// although the server had accepted the connection.
func (c *Client) refusals() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	most := 0
	for _, s := range c.topics {
		most = max(most, s.refusals)
	}
	return most
}

// pause returns how long to wait after a connection that ended with err, or the error that
// ends Run.
func pause(err error, failures int, maxDelay time.Duration) (time.Duration, error) {
	var closed wsutil.ClosedError
	switch {
	case isUnauthorized(err), errors.As(err, &closed) && closed.Code == 4401:
		return 0, ErrSessionEnded
	case closed.Code == 4409:
		return 0, ErrReplaced
	case closed.Code == ws.StatusGoingAway:
		return rand.N(min(maxDelay, maxDelayOnStop)), nil
	}
	least, most := min(maxDelay, minDelay), min(maxDelay, minDelay<<min(failures+1, 10))
	return least + rand.N(most-least+1), nil
}

// isUnauthorized reports whether the server has refused the token.
func isUnauthorized(err error) bool {
	var status ws.StatusError
	return errors.As(err, &status) && status == http.StatusUnauthorized
}

// connect reads frames until the connection ends. welcomed reports whether the server has
// accepted it.
func (c *Client) connect(ctx context.Context, token string) (welcomed bool, err error) {
	conn, err := dial(ctx, c.options.URL, token)
	if err != nil {
		return false, err
	}
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	defer c.use(nil)
	defer func() { _ = conn.Close() }()
	for {
		f, err := conn.receive()
		if err != nil {
			return welcomed, err
		}
		if f.Op == "welcome" {
			welcomed = true
			conn.silence = time.Duration(f.PingSeconds) * time.Second * 5 / 2
			c.use(conn)
		}
		if accepted, state := c.accept(f); accepted {
			c.options.Frame(f)
			c.setState(state)
		}
	}
}

// use makes a connection the current one, and subscribes to all topics on it.
func (c *Client) use(conn *conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = conn
	for topic, s := range c.topics {
		c.subscribe(topic, s)
	}
}

// subscribe requests the messages after the last one that the client has.
func (c *Client) subscribe(topic Topic, s *subscription) {
	c.lastID++
	s.id, s.behind = c.lastID, strings.HasPrefix(string(topic), "chat:")
	frame := object{"op": "subscribe", "id": s.id, "topic": topic}
	if s.known {
		frame["after"] = fmt.Sprint(s.last)
	}
	c.send(frame)
}

// send sends a frame if there is a connection.
func (c *Client) send(frame object) {
	if c.conn != nil {
		c.conn.send(frame)
	}
}

// accept reports whether the caller gets the frame, and the state after it. It drops a message
// that the client has already. It also drops a message after a gap: the server sends it again,
// after the missing ones.
func (c *Client) accept(f Frame) (accepted bool, state State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, subscribed := c.topics[f.Topic]
	switch f.Op {
	case "changed", "waitlist_changed", "presence", "typing":
		if !subscribed { // it was sent before Unsubscribe
			return false, state
		}
	case "subscribed":
		if !subscribed || f.ID != s.id {
			break
		}
		s.refusals = 0
		if !s.known {
			s.known, s.last = true, f.Position
		}
	case "message", "skip":
		if !subscribed || f.Position <= s.last {
			return false, state
		}
		if f.Prev != s.last {
			if !s.behind {
				c.subscribe(f.Topic, s)
			}
			return false, state
		}
		s.last = f.Position
	case "caught_up":
		if subscribed && f.Position > s.last {
			c.subscribe(f.Topic, s)
		} else if subscribed {
			s.behind = false
		}
	case "revoked":
		delete(c.topics, f.Topic)
	case "error":
		switch {
		case !subscribed || f.ID != s.id:
		case slices.Contains(temporary, f.Error):
			s.refusals++
			_ = c.conn.Close() // connect again, later
		default:
			delete(c.topics, f.Topic)
		}
	}
	state = Live
	for _, s := range c.topics {
		if s.behind {
			state = CatchingUp
		}
	}
	return true, state
}

func (c *Client) setState(state State) {
	c.mu.Lock()
	changed := c.state != state
	c.state = state
	c.mu.Unlock()
	if changed && c.options.State != nil {
		c.options.State(state)
	}
}
