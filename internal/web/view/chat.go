package view

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
)

// ChatData is what the chat of an event shows.
type ChatData struct {
	Details  *gen.EventDetails
	Messages []gen.EventChatMessage // the newest at the end
	Older    string                 // address of the messages before; "" if there are none
	Past     bool                   // newer messages are not shown
	NextID   uuid.UUID              // of the message that the visitor writes
}

// Last returns the position of the last message, or "" if there is none.
func (d ChatData) Last() string {
	if len(d.Messages) == 0 {
		return ""
	}
	return strconv.FormatInt(d.Messages[len(d.Messages)-1].CreatedAt.UnixMicro(), 10)
}

// open reports whether messages can be sent.
func (d ChatData) open() bool { return d.Details.Event.Status != gen.EventStatusDraft }

// revealsViewer reports whether a message reveals to others that the viewer attends, who is incognito.
func (d ChatData) revealsViewer() bool {
	e := EventData{Details: d.Details}
	return e.going() && e.incognito()
}

// at returns when a message was sent, at the place of the event.
func (d ChatData) at(i int) time.Time { return In(d.Messages[i].CreatedAt, d.Details.Event.Timezone) }

// newDay reports whether a message is the first one of its day.
func (d ChatData) newDay(i int) bool { return i == 0 || !sameDay(d.at(i-1), d.at(i)) }

// continues reports whether a message follows another one of the same author.
func (d ChatData) continues(i int) bool {
	return !d.newDay(i) && d.Messages[i-1].AuthorUserID == d.Messages[i].AuthorUserID
}

func (p *Page) authorName(author gen.NilPublicProfile) string {
	if author.Null {
		return p.T("user.deleted")
	}
	return p.Name(author.Value)
}
