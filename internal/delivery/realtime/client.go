package realtime

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gobwas/ws"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/db"
	"moothall/internal/platform/socket"
)

// client is one socket, with its topics. It implements socket.Handler.
type client struct {
	hub       *Hub
	conn      *socket.Conn
	viewer    domain.Viewer
	transport string // websocket or stream
	languages string // Accept-Language, for notifications
	inPage    bool   // a script of a web page, which does not see the pings of WebSockets

	pingIn    time.Duration // with the lock of the hub
	expiresAt time.Time     // of the session; zero: not known yet. Of the goroutine of Hub.Run

	mu     sync.Mutex
	topics []*subscription
	closed bool

	me     bool      // counts and notifications are sent
	known  bool      // newest is valid
	newest time.Time // when the newest known notification was created

	typedAt time.Time // of Receive
}

// deliver sends a frame that is not sent again. If it does not fit in the queue, the socket is
// closed.
func (c *client) deliver(frame any) { c.conn.Deliver(frameOf(frame)) }

// welcome sends the first frame.
func (c *client) welcome() {
	c.deliver(Welcome{OpWelcome, c.viewer.SessionID, c.hub.Clock.Now().Truncate(time.Second), int(c.hub.PingEvery / time.Second)})
}

// close closes the socket.
func (c *client) close(code socket.Code) { c.conn.Close(code) }

// Closed implements socket.Handler.
func (c *client) Closed(code socket.Code) {
	c.hub.metrics.closed.WithLabelValues(closeLabel(code)).Inc()
	c.hub.remove(c)
	c.mu.Lock()
	topics := c.topics
	c.topics, c.closed = nil, true
	c.mu.Unlock()
	for _, s := range topics {
		s.watch.leave(s)
	}
}

// Invalid implements socket.Handler.
func (c *client) Invalid(code socket.Code) socket.Frame {
	var refusal *domain.Error
	switch code {
	case ws.StatusMessageTooBig:
		refusal = domain.PayloadTooLarge
	case ws.StatusUnsupportedData:
		refusal = domain.UnsupportedMedia
	default:
		refusal = domain.InvalidRequest
	}
	return frameOf(Error{Op: OpError, Error: refusal.Code})
}

// Receive implements socket.Handler.
func (c *client) Receive(message []byte) {
	var f ClientFrame
	if json.Unmarshal(message, &f) != nil {
		f = ClientFrame{ID: f.ID} // without an op
	}
	c.answer(f)
}

// answer handles a frame from the client. An error or a panic is answered with an error frame.
// Few frames are handled at once: sockets that reconnect together leave the database to requests.
func (c *client) answer(f ClientFrame) {
	c.hub.answers <- struct{}{}
	defer func() { <-c.hub.answers }()
	err := error(domain.Internal)
	c.hub.guard(func() {
		ctx, cancel := queryContext()
		defer cancel()
		err = c.handle(ctx, f)
	})
	if err != nil {
		c.refuse(f, err)
	}
}

// refuse answers a frame that cannot be done.
func (c *client) refuse(f ClientFrame, err error) {
	refusal := Error{Op: OpError, ID: f.ID, Error: c.hub.codeOf(err)}
	if f.Op == OpSubscribe {
		refusal.Topic = f.Topic
	}
	c.deliver(refusal)
}

// codeOf returns the code of an error for the client, and logs an unexpected error.
func (h *Hub) codeOf(err error) string {
	if refusal, ok := errors.AsType[*domain.Error](err); ok {
		return refusal.Code
	}
	h.failed("answer a frame", err)
	if errors.Is(err, db.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
		return domain.ServiceUnavailable.Code
	}
	return domain.Internal.Code
}

func (c *client) handle(ctx context.Context, f ClientFrame) error {
	switch f.Op {
	case OpSubscribe:
		return c.subscribe(ctx, f)
	case OpUnsubscribe:
		if f.Topic == Me {
			c.unsubscribeMe()
		}
		c.unsubscribe(f.Topic)
		return nil
	case OpTyping:
		return c.typing(ctx, f.Topic)
	case OpRead:
		return c.read(ctx, f)
	default:
		return domain.InvalidRequest
	}
}

// subscribe subscribes to a topic that the viewer may see.
func (c *client) subscribe(ctx context.Context, f ClientFrame) error {
	if f.Topic == Me {
		c.subscribeMe(f.ID)
		return nil
	}
	id, ok := f.Topic.EventID()
	if !ok {
		return domain.InvalidRequest
	}
	checked := c.hub.DB.Version()
	facts, err := access.Event(ctx, c.hub.DB, c.viewer, id, c.hub.Clock())
	if err != nil {
		return err
	}
	if f.Topic.IsChat() {
		if err := facts.MustChat(); err != nil {
			return err
		}
	}
	return c.join(ctx, f, checked)
}

// join subscribes to a chat or an event that the viewer was allowed to see at a version.
func (c *client) join(ctx context.Context, f ClientFrame, checked db.Version) error {
	id, _ := f.Topic.EventID()
	s := &subscription{client: c, topic: f.Topic}
	answer := Subscribed{Op: OpSubscribed, ID: f.ID, Topic: f.Topic}
	if f.Topic.IsChat() {
		latest, err := chat.Latest(ctx, c.hub.DB, id)
		if err != nil {
			return err
		}
		if s.cursor, err = cursorOf(f.After, latest); err != nil {
			return err
		}
		answer.Position, answer.Latest = new(s.cursor), &latest
	}
	for joined := false; !joined; {
		s.watch = c.hub.watchOf(id, checked)
		joined = s.watch.join(s, checked)
	}
	if err := c.keep(s); err != nil {
		s.watch.leave(s)
		return err
	}
	c.deliver(answer)
	if f.Topic.IsChat() {
		s.watch.begin(*answer.Latest)
	} else if !s.watch.isRead() {
		s.watch.refresh(ctx)
	}
	c.conn.Wake()
	return nil
}

// keep adds a subscription to the topics of the socket. It replaces an earlier one.
func (c *client) keep(s *subscription) error {
	c.unsubscribe(s.topic)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return domain.NotFound // nobody reads it
	case len(c.topics) >= maxTopics:
		return domain.RateLimited
	}
	c.topics = append(c.topics, s)
	return nil
}

// unsubscribe ends a subscription, if there is one.
func (c *client) unsubscribe(topic Topic) {
	for _, s := range c.subscriptions() {
		if s.topic == topic {
			c.drop(s)
		}
	}
}

// drop ends a subscription, once.
func (c *client) drop(s *subscription) (dropped bool) {
	c.mu.Lock()
	i := slices.Index(c.topics, s)
	if i >= 0 {
		c.topics = slices.Delete(c.topics, i, i+1)
	}
	c.mu.Unlock()
	if i >= 0 {
		s.watch.leave(s)
	}
	return i >= 0
}

// revoke ends a subscription to which the viewer has lost the right.
func (c *client) revoke(s *subscription, reason Reason) {
	if c.drop(s) {
		c.deliver(Revoked{OpRevoked, s.topic, reason})
	}
}

// read marks a chat as read.
func (c *client) read(ctx context.Context, f ClientFrame) error {
	id, ok := f.Topic.EventID()
	var upTo Position
	if !ok || !f.Topic.IsChat() || upTo.UnmarshalText([]byte(f.Position)) != nil {
		return domain.InvalidRequest
	}
	_, err := c.hub.Chats.MarkRead(asViewer(ctx, c.viewer), c.viewer, id, upTo)
	return err
}

// cursorOf returns where a subscription to a chat begins: at the position that the client
// has, or at the newest message.
func cursorOf(after string, latest Position) (cursor Position, err error) {
	if after == "" {
		return latest, nil
	}
	if err := cursor.UnmarshalText([]byte(after)); err != nil {
		return 0, domain.InvalidRequest
	}
	return min(cursor, latest), nil
}

// subscriptions returns the topics of the socket.
func (c *client) subscriptions() []*subscription {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.topics)
}
