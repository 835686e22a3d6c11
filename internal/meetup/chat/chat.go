// Package chat provides a chat for each event. Its members are the organizer, the
// participants and the invited users who accepted or may come (specification §4.8,
// contract §7).
package chat

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// Service reads and writes chats. Its methods return domain.NotFound if the viewer
// does not see the event and domain.Forbidden if they are not a member of its chat.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
	Pages address.Pages
}

// Message is one message of a chat, as a viewer sees it.
type Message struct {
	ID        domain.MessageID
	EventID   domain.EventID
	AuthorID  domain.UserID
	Author    *user.Public      // nil if the account is deleted
	Body      string            // empty if the message is deleted
	ClientID  *domain.MessageID // chosen by the author's client; nil for other viewers
	CreatedAt time.Time         // greater than that of the previous message of the event
	DeletedAt *time.Time
}

// MessagePage is one page of a chat, newest first.
type MessagePage struct {
	Items []Message
	Next  *time.Time // the next page is before this time; nil on the last page
}

// maxBody is the maximum length of a message, in graphemes.
const maxBody = 2000

// cleanBody cleans the body of a message (contract §0).
func cleanBody(s string) (string, error) {
	clean, err := text.Block(1, maxBody)(s)
	if err != nil {
		return "", domain.Invalid("/body", err.Error())
	}
	return clean, nil
}

// mayWrite allows the members of the chat, unless the event is a draft.
func mayWrite(f access.EventFacts) error {
	if err := f.MustChat(); err != nil {
		return err
	}
	return f.Status.MustBe(access.NotDraft...)
}

// Authorize returns an error unless the viewer may read the chat.
func (s *Service) Authorize(ctx context.Context, v domain.Viewer, id domain.EventID) error {
	return authorize(ctx, s.DB, v, id, s.Clock.Now())
}

func authorize(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) error {
	facts, err := access.Event(ctx, q, v, id, now)
	if err != nil {
		return err
	}
	return facts.MustChat()
}

// Messages returns at most limit messages that were created before a time, or the
// newest messages if before is nil. It leaves out messages of users who have a block
// with the viewer.
func (s *Service) Messages(ctx context.Context, v domain.Viewer, id domain.EventID, before *time.Time,
	limit int) (page MessagePage, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if err := authorize(ctx, q, v, id, s.Clock.Now()); err != nil {
			return err
		}
		page.Items, err = messages(ctx, q, v, id, before, limit)
		return err
	})
	if len(page.Items) > limit {
		page.Items = page.Items[:limit]
		page.Next = &page.Items[limit-1].CreatedAt
	}
	return page, err
}

// Send writes a message and returns it. If the author has already sent a message with
// the same client id to the event, Send returns that message unchanged.
func (s *Service) Send(ctx context.Context, v domain.Viewer, id domain.EventID, body string,
	client *domain.MessageID) (m Message, err error) {
	body, invalid := cleanBody(body)
	now := s.Clock.Now()
	err = idempotency.InTx(ctx, s.DB, now, &m, func(tx db.Tx) error {
		facts, author, err := loadWriter(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if invalid != nil {
			return invalid
		}
		if err := mayWrite(facts); err != nil {
			return err
		}
		m = Message{ID: domain.NewID[domain.MessageKind](now), EventID: id, AuthorID: v.UserID, Author: author, Body: body, ClientID: client}
		insert(ctx, tx, &m, now)
		tx.Publish(Topic(id))
		requestCheck(ctx, tx, id, now)
		return nil
	})
	return m, err
}
