package coord

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
	"moothall/internal/user"
)

// Message is one message of an event's chat, as a viewer sees it (contract
// §7). CreatedAt grows from message to message of one event: it is their order.
type Message struct {
	ID        domain.MessageID
	EventID   domain.EventID
	AuthorID  domain.UserID
	Author    *user.Public      // nil when the account is deleted
	Body      string            // empty when it is deleted
	ClientID  *domain.MessageID // chosen by the author's client; for the author only
	CreatedAt time.Time
	DeletedAt *time.Time
}

// MessagePage is one page of a chat, newest first; Next is nil on the last,
// else what the next page is before.
type MessagePage struct {
	Items []Message
	Next  *time.Time
}

// mayWrite reports whether the viewer may write in the chat.
func (s standing) mayWrite() bool { return s.mayChat() && s.Status != access.Draft }

// EnterChat refuses who is not in the chat of the event: domain.NotFound or
// domain.Forbidden.
func (s *Service) EnterChat(ctx context.Context, v domain.Viewer, id domain.EventID) error {
	return s.DB.Read(ctx, func(q db.Querier) error { return enter(ctx, q, v, id, s.Clock.Now()) })
}

func enter(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) error {
	st, err := look(ctx, q, v, id, now)
	if err == nil && !st.mayChat() {
		return domain.Forbidden
	}
	return err
}

// Messages reads a page of at most limit messages that were created before a
// moment, nil for the newest. Messages across a block are not among them.
func (s *Service) Messages(ctx context.Context, v domain.Viewer, id domain.EventID, before *time.Time, limit int) (page MessagePage, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if err := enter(ctx, q, v, id, s.Clock.Now()); err != nil {
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

// Send writes a message. One that the author has sent to the event under the
// same client id before is given back as it is.
func (s *Service) Send(ctx context.Context, v domain.Viewer, id domain.EventID, body string, client *domain.MessageID) (m Message, err error) {
	body, wrong := text.Block(1, 2000)(body)
	message := sent{event: id, author: v.UserID, body: body, client: client, now: s.Clock.Now()}
	if wrong == nil {
		m, done, err := message.writeAtOnce(ctx, s.DB)
		if done || err != nil {
			return m, err
		}
	}
	return s.write(ctx, message, wrong)
}

// write writes a message by all the rules there are; wrong is what its body is
// refused for, to those who see the event.
func (s *Service) write(ctx context.Context, message sent, wrong error) (m Message, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		st, err := look(ctx, tx, domain.Viewer{UserID: message.author}, message.event, message.now)
		if err != nil {
			return err
		}
		if wrong != nil {
			return domain.Invalid("/body", wrong.Error())
		}
		if !st.mayWrite() {
			return domain.Forbidden
		}
		m, _, err = message.write(ctx, tx, db.Do(momentStmt, message.event, message.now))
		return err
	})
	return m, err
}
