package coord

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// messagesOf reads the messages of the event $1 that the viewer $2 sees.
var messagesOf = `
	SELECT m.id, m.event_id, m.author_id, m.body, CASE WHEN m.author_id = $2 THEN m.client_message_id END, m.created_at, m.deleted_at,
		` + user.Columns("a") + `
	FROM messages m LEFT JOIN profiles a ON a.user_id = m.author_id
	WHERE m.event_id = $1 AND ` + access.NotBlocked("m.author_id", "$2")

func scanMessage(row db.Row, m *Message) error {
	var author user.Columned
	err := row.Scan(append([]any{&m.ID, &m.EventID, &m.AuthorID, &m.Body, &m.ClientID, &m.CreatedAt, &m.DeletedAt}, author.Dest()...)...)
	if err == nil {
		m.Author = author.Public()
	}
	return err
}

// The pages have literal limits, because PostgreSQL plans a LIMIT that is a
// parameter anew at every call: the usual page and the greatest, and one more
// to know whether another follows.
var (
	usualPageStmt    = db.SQL("coord.messages", messagesOf+` AND m.created_at < $3 ORDER BY m.created_at DESC LIMIT 51`)
	greatestPageStmt = db.SQL("coord.many_messages", messagesOf+` AND m.created_at < $3 ORDER BY m.created_at DESC LIMIT 101`)
)

// afterEvery is later than any message.
var afterEvery = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// messages reads more than limit of them when there are more.
func messages(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, before *time.Time, limit int) ([]Message, error) {
	end := afterEvery
	if before != nil {
		end = before.Add(time.Microsecond - time.Nanosecond).Truncate(time.Microsecond)
	}
	page := usualPageStmt
	if limit > 50 {
		page = greatestPageStmt
	}
	found, err := db.All(ctx, q, scanMessage, page, id, v.UserID, end)
	if err != nil {
		return nil, fmt.Errorf("coord.messages %s: %w", id, err)
	}
	return found, nil
}

// momentStmt gives the next message its moment: later than every one before,
// even when clocks stand or differ. It holds the chat's row until the commit,
// so that no message becomes visible after a later one.
var momentStmt = db.SQL("coord.moment", nextMoment(`VALUES ($1, $2)`))

// goersMomentStmt is momentStmt for the organizer, and for whoever goes, alone:
// most of those who may write (standing.mayWrite), and it asks no other facts.
var goersMomentStmt = db.SQL("coord.goers_moment", nextMoment(`
	SELECT e.id, CAST($2 AS BIGINT) FROM events e
	WHERE e.id = $1 AND e.status <> 'draft' AND (e.organizer_id = $3 OR `+access.Going("e", "$3")+`) AND `+access.SeesEvent("e", "$3")))

func nextMoment(chat string) string {
	return `
	INSERT INTO chats (event_id, last_at) ` + chat + `
	ON CONFLICT (event_id) DO UPDATE SET
		last_at = CASE WHEN chats.last_at < excluded.last_at THEN excluded.last_at ELSE chats.last_at + 1 END
	RETURNING last_at`
}

// writeStmt writes a message at the moment that its chat has just been given.
var writeStmt = db.SQL("coord.write", `
	INSERT INTO messages (event_id, created_at, id, author_id, client_message_id, body)
	SELECT c.event_id, c.last_at, CAST($2 AS UUID), CAST($3 AS UUID), CAST($4 AS UUID), CAST($5 AS TEXT)
	FROM chats c WHERE c.event_id = $1 AND written_now(c)
	ON CONFLICT (author_id, event_id, client_message_id) DO UPDATE SET body = messages.body
	RETURNING id, event_id, author_id, body, client_message_id, created_at, deleted_at`)

// authorStmt reads who has written a message: they see themselves.
var authorStmt = db.SQL("coord.author", `SELECT `+user.Columns("a")+` FROM profiles a WHERE a.user_id = $1`)

// sent is a message to be written.
type sent struct {
	event  domain.EventID
	author domain.UserID
	body   string
	client *domain.MessageID
	now    time.Time
}

// writeAtOnce writes the message of the organizer, or of somebody who goes; done
// is false when there is more to it than that.
func (s sent) writeAtOnce(ctx context.Context, d *db.DB) (m Message, done bool, err error) {
	return s.write(ctx, d, db.Do(goersMomentStmt, s.event, s.now, s.author))
}

// write writes the message after its moment, which moment gives, and reads it;
// done is false when moment gave none.
func (s sent) write(ctx context.Context, on db.Stepper, moment db.Step) (m Message, done bool, err error) {
	var author user.Columned
	done, err = on.Together(ctx,
		moment.Into(&m.CreatedAt),
		db.Do(writeStmt, s.event, domain.NewID[domain.MessageKind](s.now), s.author, s.client, s.body).
			Into(&m.ID, &m.EventID, &m.AuthorID, &m.Body, &m.ClientID, &m.CreatedAt, &m.DeletedAt),
		db.Do(authorStmt, s.author).Into(author.Dest()...))
	m.Author = author.Public()
	return m, done, err
}
