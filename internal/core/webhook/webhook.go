// Package webhook sends messages about changes of events to web servers of their organizers. The
// messages are signed as Standard Webhooks.
//
// The transaction of a change writes one row for each webhook (Put). Afterwards a worker sends the
// message at least once; every attempt has the same webhook-id. Messages name users by their ids
// only. Each attempt decides again whether the organizer may know the user.
package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
)

// Kind is the kind of a message.
type Kind string

// The kinds of messages.
const (
	EventPublished      Kind = "event.published"
	EventUpdated        Kind = "event.updated"
	EventCanceled       Kind = "event.canceled"
	EventCompleted      Kind = "event.completed"
	AttendanceJoined    Kind = "attendance.joined"
	AttendanceLeft      Kind = "attendance.left"
	InvitationAnswered  Kind = "invitation.answered"
	PostCreated         Kind = "post.created"
	CommentCreated      Kind = "comment.created"
	ReviewCreated       Kind = "review.created"
	DateSelected        Kind = "date.selected"
	EventCreated        Kind = "event.created"
	PostDeleted         Kind = "post.deleted"
	WaitlistEntered     Kind = "waitlist.entered"
	WaitlistOffered     Kind = "waitlist.offered"
	WaitlistEnded       Kind = "waitlist.ended" // without seats
	AttendanceRequested Kind = "attendance.requested"
	HostInvited         Kind = "host.invited"
	HostJoined          Kind = "host.joined"
	HostLeft            Kind = "host.left" // or removed, or the invitation ended
)

// kinds are stored as bits: append new kinds, never reorder.
var kinds = []Kind{
	EventPublished, EventUpdated, EventCanceled, EventCompleted, AttendanceJoined, AttendanceLeft,
	InvitationAnswered, PostCreated, CommentCreated, ReviewCreated, DateSelected, EventCreated,
	PostDeleted,
	WaitlistEntered, WaitlistOffered, WaitlistEnded,
	AttendanceRequested,
	HostInvited, HostJoined, HostLeft,
}

// named maps the kinds whose data contains the user to the name of that member.
var named = map[Kind]string{
	AttendanceJoined: "participant", AttendanceLeft: "participant", InvitationAnswered: "participant",
	CommentCreated: "author", ReviewCreated: "author",
	HostInvited: "host", HostJoined: "host", HostLeft: "host",
}

func bit(k Kind) int64 {
	if i := slices.Index(kinds, k); i >= 0 {
		return 1 << i
	}
	return 0
}

func bitsOf(list []Kind) (bits int64) {
	for _, k := range list {
		bits |= bit(k)
	}
	return bits
}

func kindsOf(bits int64) (list []Kind) {
	for _, k := range kinds {
		if bits&bit(k) != 0 {
			list = append(list, k)
		}
	}
	return list
}

// Change is a change of an event.
type Change struct {
	Kind  Kind
	Event domain.EventID
	User  domain.UserID  // the user who caused it; zero: the organizer or nobody
	Data  map[string]any // further members of the message's data
}

// topic is published by transactions that have written messages.
var topic = db.Topic{Name: "webhook"}

// Put queues the messages about a change. It does nothing unless the organizer
// has an active webhook (see access.EventFacts.HasWebhook). The sequence of an event rises in the order
// of commits, because its row is locked.
func Put(ctx context.Context, tx db.Tx, now time.Time, hasWebhook bool, c Change) error {
	if !hasWebhook {
		return nil
	}
	tx.Queue(ctx, nextStmt, c.Event)
	tx.Publish(topic)
	return put(ctx, tx, now, c)
}

// PutCreated queues the messages about a new event, whose sequence is 0. Unlike Put, it needs no
// access.EventFacts. It does not wake the worker, which finds the messages at its next poll.
func PutCreated(ctx context.Context, tx db.Tx, now time.Time, event domain.EventID) error {
	return put(ctx, tx, now, Change{Kind: EventCreated, Event: event})
}

func put(ctx context.Context, tx db.Tx, now time.Time, c Change) error {
	data := []byte("{}")
	if c.Data != nil {
		var err error
		if data, err = json.Marshal(c.Data); err != nil {
			return fmt.Errorf("webhook.put %s: %w", c.Kind, err)
		}
	}
	var user *domain.UserID
	if !c.User.IsZero() {
		user = &c.User
	}
	tx.Queue(ctx, putStmt, domain.NewID[domain.WebhookMessageKind](now), c.Kind, c.Event, user, string(data), now, bit(c.Kind),
		observe.TraceParent(ctx))
	return nil
}

var (
	nextStmt = db.SQL("webhook.next", `
		INSERT INTO webhook_sequences (event_id, number) VALUES ($1, 1)
		ON CONFLICT (event_id) DO UPDATE SET number = webhook_sequences.number + 1`)

	putStmt = db.SQL("webhook.put", `
		INSERT INTO webhook_messages (webhook_id, id, kind, event_id, sequence, user_id, participant_count, data, attempts, due_at, created_at,
			trace)
		SELECT w.id, CAST($1 AS UUID), CAST($2 AS TEXT), e.id, COALESCE((SELECT s.number FROM webhook_sequences s WHERE s.event_id = e.id), 0),
			CAST($4 AS UUID),
			(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id), CAST($5 AS TEXT), 0, CAST($6 AS BIGINT),
				CAST($6 AS BIGINT), CAST($8 AS TEXT)
		FROM events e JOIN webhooks w ON w.user_id = e.organizer_id
		WHERE e.id = $3 AND w.status = 'active' AND (w.event_id IS NULL OR w.event_id = e.id) AND (w.kinds & CAST($7 AS BIGINT)) <> 0`)
)
