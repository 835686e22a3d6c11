package realtime

import "encoding/json"

// Topic is what a client can subscribe to: ChatTopic, EventTopic or Me.
type Topic string

// Me is the topic of the user's own notifications and unread counts.
const Me Topic = "me"

// ChatTopic returns the topic of the messages of an event's chat.
func ChatTopic(eventID string) Topic { return Topic("chat:" + eventID) }

// EventTopic returns the topic of an event's changes.
func EventTopic(eventID string) Topic { return Topic("event:" + eventID) }

// Position is the position of a message in its chat: its created_at in microseconds since 1970.
// In JSON it is a string of digits. Zero is before every message.
type Position int64

// Frame is a frame from the server. The realtime contract, api/asyncapi.yaml, describes all frames.
// Ignore frames with an unknown Op.
type Frame struct {
	Op       string          `json:"op"`
	ID       int64           `json:"id"`
	Topic    Topic           `json:"topic"` // also of an error, if it ends a subscription
	Position Position        `json:"position,string"`
	Prev     Position        `json:"prev,string"`
	Message  json.RawMessage `json:"message"`  // EventChatMessage of the HTTP contract
	Reason   string          `json:"reason"`   // of revoked
	Watching int             `json:"watching"` // users, of presence
	UserIDs  []string        `json:"user_ids"` // of presence
	Error    string          `json:"error"`
	Raw      json.RawMessage `json:"-"` // the whole frame, with the members of other frames

	PingSeconds int `json:"ping_seconds"`
}

// State is the state of a client's connection.
type State string

// The states.
const (
	Connecting State = "connecting"  // no connection; the client connects, or waits to try again
	CatchingUp State = "catching up" // connected, but messages of a chat are still missing
	Live       State = "live"        // connected, and all messages are there
)
