package coord

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/meet"
	"moothall/internal/profile"
)

// messagesOf reads the messages of the event $1 that the viewer $2 sees.
var messagesOf = `
	SELECT m.id, m.event_id, m.author_id, m.body, CASE WHEN m.author_id = $2 THEN m.client_message_id END, m.created_at, m.deleted_at,
		` + profile.Columns("a") + `
	FROM messages m LEFT JOIN profiles a ON a.user_id = m.author_id
	WHERE m.event_id = $1 AND ` + access.NotBlocked("m.author_id", "$2")

func scanMessage(row db.Row, m *Message) error {
	var author profile.Columned
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
func messages(ctx context.Context, q db.Querier, v meet.Viewer, id meet.EventID, before *time.Time, limit int) ([]Message, error) {
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
var momentStmt = db.SQL("coord.moment", `
	INSERT INTO chats (event_id, last_at) VALUES ($1, $2)
	ON CONFLICT (event_id) DO UPDATE SET
		last_at = CASE WHEN chats.last_at < excluded.last_at THEN excluded.last_at ELSE chats.last_at + 1 END
	RETURNING last_at`)

var writeStmt = db.SQL("coord.write", `
	INSERT INTO messages (event_id, created_at, id, author_id, client_message_id, body) VALUES ($1, $2, $3, $4, $5, $6)
	ON CONFLICT (author_id, event_id, client_message_id) DO UPDATE SET body = messages.body
	RETURNING created_at`)

var messageStmt = db.SQL("coord.message", messagesOf+` AND m.created_at = $3`)

func write(ctx context.Context, tx db.Tx, v meet.Viewer, id meet.EventID, body string, client *meet.MessageID, now time.Time) (m Message, err error) {
	var at time.Time
	if err := tx.One(ctx, momentStmt, id, now).Scan(&at); err != nil {
		return m, fmt.Errorf("coord.moment %s: %w", id, err)
	}
	if err := tx.One(ctx, writeStmt, id, at, meet.NewID[meet.MessageKind](now), v.UserID, client, body).Scan(&at); err != nil {
		return m, fmt.Errorf("coord.write %s: %w", id, err)
	}
	if err := scanMessage(tx.One(ctx, messageStmt, id, v.UserID, at), &m); err != nil {
		return m, fmt.Errorf("coord.message %s: %w", id, err)
	}
	return m, nil
}
