// Package guestmessage lets the hosts of an event write to some of its guests. Messages are not posts: no list of posts, cache or feed can
// show one (docs/adr/0036). Package access decides who may read them.
package guestmessage

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/text"
)

// Service reads and writes messages to guests. Its methods return domain.NotFound for an event that the viewer does not see.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Message is a message as a viewer sees it.
type Message struct {
	ID         domain.GuestMessageID
	EventID    domain.EventID
	AuthorID   domain.UserID
	Author     *user.Public // nil if the account is deleted, or has a block with the viewer
	Audience   access.Audience
	Body       string
	Recipients *int64 // when it was sent, as the author saw the audience; nil unless the viewer may know
	CreatedAt  time.Time
}

const (
	maxBody   = 5000 // graphemes
	maxPerDay = 5    // of an event
	dayLength = 24 * time.Hour
)

func cleanBody(s string) (string, error) {
	clean, err := text.Block(1, maxBody)(s)
	if err != nil {
		return "", domain.Invalid("/body", err.Error())
	}
	return clean, nil
}

// mayWrite allows hosts to write to users who go, unless the event is a draft, and to other audiences until the event begins.
func (f facts) mayWrite(a access.Audience, now time.Time) error {
	if err := f.MustHost(); err != nil {
		return err
	}
	if a == access.AudienceGoing {
		return f.Status.MustBe(access.NotDraft...)
	}
	if err := f.Status.MustBe(access.Published); err != nil {
		return err
	}
	if !now.Before(f.startsAt) {
		return domain.Forbid(domain.EventEnded)
	}
	return nil
}

// Send writes a message of a host to an audience, and notifies its members. Returns Forbidden if the viewer may not write to it, and
// RateLimited after 5 messages of the event in 24 hours.
func (s *Service) Send(ctx context.Context, v domain.Viewer, id domain.EventID, a access.Audience, body string) (m Message, err error) {
	now := s.Clock.Now()
	err = idempotency.InTx(ctx, s.DB, now, &m, func(tx db.Tx) error {
		f, err := load(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		clean, err := cleanBody(body)
		if err != nil {
			return err
		}
		if err := f.mayWrite(a, now); err != nil {
			return err
		}
		if err := lockEvent(ctx, tx, id); err != nil {
			return err
		}
		day, err := readDay(ctx, tx, id, now)
		if err != nil {
			return err
		}
		if day.left() == 0 {
			return ratelimit.RetryIn(day.next.Sub(now))
		}
		recipients, err := countMembers(ctx, tx, v, f.EventFacts, a)
		if err != nil {
			return err
		}
		m = Message{ID: domain.NewIDIn[domain.GuestMessageKind](ctx, now), EventID: id, AuthorID: v.UserID, Author: f.viewer,
			Audience: a, Body: clean, Recipients: &recipients, CreatedAt: now}
		tx.Queue(ctx, insertStmt, m.ID, m.EventID, m.AuthorID, m.Audience, m.Body, recipients, now)
		return notify.Announce(ctx, tx, now, m.notification(), notify.Guests(id, a))
	})
	m.hideNumbers(v, true)
	return m, err
}

func (m Message) notification() notify.Notification {
	return notify.Notification{Kind: notify.GuestMessage, Subject: m.ID.String(), Actor: m.AuthorID, Event: m.EventID}
}

// hideNumbers removes the numbers that only the author and the organizer see.
func (m *Message) hideNumbers(v domain.Viewer, knows bool) {
	if !knows || v.Key != nil {
		m.Recipients = nil
	}
}

// Size is how many users a message to an audience would reach, as the viewer sees them.
type Size struct {
	Audience   access.Audience
	Recipients int64
}

// Sizes returns the size of each audience, and how many messages the event may send now. Returns Forbidden unless the viewer hosts the
// event.
func (s *Service) Sizes(ctx context.Context, v domain.Viewer, id domain.EventID) (all []Size, left int, err error) {
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := access.Event(ctx, q, v, id, now)
		if err != nil {
			return err
		}
		if err := f.MustHost(); err != nil {
			return err
		}
		for _, a := range access.Audiences {
			n, err := countMembers(ctx, q, v, f, a)
			if err != nil {
				return err
			}
			all = append(all, Size{a, n})
		}
		day, err := readDay(ctx, q, id, now)
		left = day.left()
		return err
	})
	return all, left, err
}

// Page is a page of messages.
type Page struct {
	domain.Page[Message]
	Later *int64 // recipients of the viewer's messages whose mails wait for the budget; nil unless the viewer is the organizer
}

// List returns the messages that the viewer may read, the newest first, limit of them (1 to 100).
func (s *Service) List(ctx context.Context, v domain.Viewer, id domain.EventID, limit int, cursor string) (page Page, err error) {
	before, err := beforeMessage(cursor)
	if err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := access.Event(ctx, q, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		messages, err := db.All(ctx, q, scan, listStmt, id, v.UserID, before.time, before.id)
		if err != nil {
			return err
		}
		for i := range messages {
			messages[i].hideNumbers(v, f.Owns() || messages[i].AuthorID == v.UserID)
		}
		page.Page = domain.NewPage(messages, limit, func(last Message) string { return domain.Cursor(listCursor, last.CreatedAt, last.ID) })
		if !f.SeesIncognito(v) {
			return nil
		}
		page.Later = new(int64)
		return q.One(ctx, laterStmt, id, v.UserID, notify.GuestMessage).Scan(page.Later)
	})
	return page, err
}

// Delete deletes the viewer's own message. Repeated, it changes nothing. Returns NotFound for a message that the viewer does not read, and
// Forbidden for one of another author.
func (s *Service) Delete(ctx context.Context, v domain.Viewer, event domain.EventID, id domain.GuestMessageID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		m, err := find(ctx, tx, v, id, now)
		if err == nil && m.EventID != event {
			err = domain.NotFound
		}
		if err != nil {
			return err
		}
		if m.AuthorID != v.UserID {
			return domain.Forbid(domain.NotAuthor)
		}
		return Hide(ctx, tx, id, now)
	})
}

// Hide deletes a message for its author or a moderator. It does nothing if the message is deleted already. It retracts the unread
// notifications of the members of the audience.
func Hide(ctx context.Context, tx db.Tx, id domain.GuestMessageID, now time.Time) error {
	m := Message{ID: id}
	deleted, err := tx.One(ctx, deleteStmt, id, now).Find(&m.EventID, &m.AuthorID, &m.Audience)
	if err != nil || !deleted {
		return err
	}
	return notify.RetractAnnounced(ctx, tx, m.notification(), notify.Guests(m.EventID, m.Audience))
}

// Read returns the author and the text of a message. It returns domain.NotFound if the viewer does not read it.
func Read(ctx context.Context, q db.Querier, v domain.Viewer, id domain.GuestMessageID, now time.Time) (domain.UserID, string, error) {
	m, err := find(ctx, q, v, id, now)
	if err == nil && m.deleted {
		err = domain.NotFound
	}
	return m.AuthorID, m.Body, err
}
