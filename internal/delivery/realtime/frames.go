// Package realtime sends chat messages, changes of events, notifications and unread
// counts to clients as they happen, over WebSockets and server-sent events.
//
// The database is the log. A message's creation time is its position: it rises strictly
// inside a chat, in the order of the commits. So a client that has everything up to a
// position misses nothing when it asks for what comes after it. A published topic only says
// that there is something to read, and may be lost. What is no log (changed events,
// counts, presence) is level-triggered: the newest state is sent, and sent in full after
// each subscription.
package realtime

import (
	"encoding/json"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/socket"
)

// Subprotocol is the WebSocket subprotocol of the frames.
const Subprotocol = "moothall.v1"

// Topic is what a socket can subscribe to: "chat:<event id>", "event:<event id>" or "me".
type Topic string

// Me is the topic of the viewer's own notifications and unread counts.
const Me Topic = "me"

const eventPrefix = "event:"

// ChatTopic returns the topic of the messages of an event's chat.
func ChatTopic(id domain.EventID) Topic { return Topic(chat.Topic(id).Name) }

// EventTopic returns the topic of an event's changes.
func EventTopic(id domain.EventID) Topic { return Topic(eventPrefix + id.String()) }

// EventID returns the event of a chat or event topic; ok is false for any other topic.
func (t Topic) EventID() (id domain.EventID, ok bool) {
	text, isChat := strings.CutPrefix(string(t), chat.TopicPrefix)
	if !isChat {
		if text, ok = strings.CutPrefix(string(t), eventPrefix); !ok {
			return id, false
		}
	}
	id, err := domain.ParseID[domain.EventKind](text)
	return id, err == nil
}

// IsChat reports whether the topic is that of a chat.
func (t Topic) IsChat() bool { return strings.HasPrefix(string(t), chat.TopicPrefix) }

// Position is where a message stands in its chat. In JSON it is a string of decimal digits.
type Position = chat.Position

// Op says what a frame is. Some ops exist in both directions.
type Op string

// The ops of frames from a client.
const (
	OpSubscribe   Op = "subscribe"
	OpUnsubscribe Op = "unsubscribe"
	OpRead        Op = "read"
)

// The ops of frames from the server. A client must ignore frames with an op that it does
// not know.
const (
	OpWelcome         Op = "welcome"
	OpPing            Op = "ping"
	OpSubscribed      Op = "subscribed"
	OpMessage         Op = "message"
	OpSkip            Op = "skip"
	OpCaughtUp        Op = "caught_up"
	OpChanged         Op = "changed"
	OpWaitlistChanged Op = "waitlist_changed"
	OpCounts          Op = "counts"
	OpNotification    Op = "notification"
	OpPresence        Op = "presence"
	OpRevoked         Op = "revoked"
	OpError           Op = "error"
)

// OpTyping says that a user is typing: from a client about itself, from the server about
// another user.
const OpTyping Op = "typing"

// ClientFrame is any frame from a client, at most 4 KiB of JSON text.
type ClientFrame struct {
	Op    Op     `json:"op"`
	ID    int64  `json:"id"`    // optional: the server repeats it in its answer
	Topic Topic  `json:"topic"` // of every op
	After string `json:"after"` // subscribe to a chat: the position of the last message that the client has; empty: from now

	// Position, of op read, is the position of the newest message that the user has read.
	Position string `json:"position"`
}

// Welcome is the first frame of each connection.
type Welcome struct {
	Op          Op               `json:"op"`
	SessionID   domain.SessionID `json:"session_id"`
	ServerTime  time.Time        `json:"server_time"`
	PingSeconds int              `json:"ping_seconds"` // the server sends a ping about this often
}

// Ping accompanies each ping of a WebSocket that was opened without an Authorization header: by a script of a web page,
// which does not see pings.
type Ping struct {
	Op Op `json:"op"`
}

var pingFrame = frameOf(Ping{OpPing})

// Subscribed answers subscribe. For a chat, all messages between Position and Latest
// follow, oldest first, then CaughtUp. Position is the after of the client, or Latest. Both
// are null for other topics.
type Subscribed struct {
	Op       Op        `json:"op"`
	ID       int64     `json:"id,omitzero"`
	Topic    Topic     `json:"topic"`
	Position *Position `json:"position"`
	Latest   *Position `json:"latest"`
}

// Message is a message of a chat. Prev is the position of the message before it: the last
// position that the client has, or else the client has missed something and must subscribe
// again with after.
type Message struct {
	Op       Op              `json:"op"`
	Topic    Topic           `json:"topic"`
	Position Position        `json:"position"`
	Prev     Position        `json:"prev"`
	Message  json.RawMessage `json:"message"` // EventChatMessage of the contract
}

// Skip stands for a message that the viewer does not see, because of a block.
type Skip struct {
	Op       Op       `json:"op"`
	Topic    Topic    `json:"topic"`
	Position Position `json:"position"`
	Prev     Position `json:"prev"`
}

// CaughtUp says that the client has all messages up to a position.
type CaughtUp struct {
	Op       Op       `json:"op"`
	Topic    Topic    `json:"topic"`
	Position Position `json:"position"`
}

// Changed says that an event has changed: read it again. It is also sent after each
// subscription to the event, without fields.
type Changed struct {
	Op     Op       `json:"op"`
	Topic  Topic    `json:"topic"`
	ETag   string   `json:"etag"`   // of the event, as GET /events/{event_id} returns it to anonymous viewers
	Fields []string `json:"fields"` // that differ from the frame before; not null

	ParticipantCount int64 `json:"participant_count"` // does not change the ETag
}

// WaitlistChanged says that somebody has entered or left the waiting list of an event, or moved to its end: read your own entry again.
// It has no numbers, because positions differ between viewers. There is at most one in five seconds for an event.
type WaitlistChanged struct {
	Op    Op    `json:"op"`
	Topic Topic `json:"topic"`
}

// Counts are what the viewer has not read, each capped at 100. Chats has only chats with
// unread messages.
type Counts struct {
	Op            Op                     `json:"op"`
	Notifications int                    `json:"notifications"`
	Chats         map[domain.EventID]int `json:"chats"`
}

// Notification is a new notification of the viewer.
type Notification struct {
	Op           Op              `json:"op"`
	Notification json.RawMessage `json:"notification"` // as in GET /notifications
}

// Presence is who watches an event: always the whole state. A user counts once for each instance
// that they have sockets on, and once in all if they are shown.
type Presence struct {
	Op       Op              `json:"op"`
	Topic    Topic           `json:"topic"`
	Watching int             `json:"watching"`
	UserIDs  []domain.UserID `json:"user_ids"` // at most 20 members of the chat, shown only to other members; not null
}

// Typing says that a user is typing for the next seconds.
type Typing struct {
	Op      Op            `json:"op"`
	Topic   Topic         `json:"topic"`
	UserID  domain.UserID `json:"user_id"`
	Seconds int           `json:"seconds"`
}

// Reason says why a topic was revoked.
type Reason string

// The reasons of Revoked.
const (
	Left     Reason = "left"     // the viewer left the event, declined its invitation or was removed
	Blocked  Reason = "blocked"  // a block between the viewer and the organizer
	Canceled Reason = "canceled" // the event was canceled, and the viewer may no longer see it
	Hidden   Reason = "hidden"   // the viewer may no longer see the event for another reason
)

// Revoked ends a subscription: the viewer has lost access to the topic.
type Revoked struct {
	Op     Op     `json:"op"`
	Topic  Topic  `json:"topic"`
	Reason Reason `json:"reason"`
}

// Error answers a frame that cannot be done. The socket stays open.
type Error struct {
	Op    Op     `json:"op"`
	ID    int64  `json:"id,omitzero"`
	Topic Topic  `json:"topic,omitzero"` // of a refused subscription
	Error string `json:"error"`          // a code of the contract
}

// The close codes of this protocol; others are those of RFC 6455.
const (
	CloseGoingAway    = socket.Code(1001)        // the server stops or is full: reconnect after a random 0 to 10 seconds
	CloseSessionEnded = socket.Code(4401)        // sign in again
	CloseTooSlow      = socket.CodeTooSlow       // 4408, the client reads too slowly: reconnect with after
	CloseReplaced     = socket.Code(4409)        // the user has opened too many sockets; this was the oldest
	CloseTooMany      = socket.CodeTooManyFrames // 4429, the client has sent too many frames
)
