package chat

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exported struct {
	Messages []exportedMessage `json:"messages"`
}

type exportedMessage struct {
	ID        domain.MessageID `json:"id"`
	EventID   domain.EventID   `json:"event_id"`
	Body      string           `json:"body"`
	CreatedAt time.Time        `json:"created_at"`
}

var exportStmt = db.SQL("chat.export", `
	SELECT id, event_id, body, created_at FROM messages WHERE author_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`)

// Export returns the messages that a user has written.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	scan := func(row db.Row, m *exportedMessage) error { return row.Scan(&m.ID, &m.EventID, &m.Body, &m.CreatedAt) }
	messages, err := db.Append(ctx, q, []exportedMessage{}, scan, exportStmt, user)
	return exported{messages}, err
}

var eraseStmt = db.SQL("chat.erase", `
	UPDATE messages SET body = '', client_message_id = NULL, deleted_at = $2 WHERE author_id = $1 AND deleted_at IS NULL`)

// Erase empties a user's messages. The empty messages stay in the chat, without an
// author.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	_, err := tx.Exec(ctx, eraseStmt, user, now)
	return err
}
