package chat

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exported struct {
	Messages []exportedMessage `json:"messages"`
	Reads    []exportedRead    `json:"reads"`
}

// exportedRead is how far the user has read a chat.
type exportedRead struct {
	EventID domain.EventID `json:"event_id"`
	ReadAt  time.Time      `json:"read_up_to"`
}

type exportedMessage struct {
	ID        domain.MessageID `json:"id"`
	EventID   domain.EventID   `json:"event_id"`
	Body      string           `json:"body"`
	CreatedAt time.Time        `json:"created_at"`
}

var exportStmt = db.SQL("chat.export", `
	SELECT id, event_id, body, created_at FROM messages WHERE author_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`)

var exportReadsStmt = db.SQL("chat.export_reads", `SELECT event_id, read_at FROM chat_reads WHERE user_id = $1 ORDER BY read_at, event_id`)

// Export returns the messages that a user has written, and how far they have read each chat.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	scan := func(row db.Row, m *exportedMessage) error { return row.Scan(&m.ID, &m.EventID, &m.Body, &m.CreatedAt) }
	messages, err := db.Append(ctx, q, []exportedMessage{}, scan, exportStmt, user)
	if err != nil {
		return nil, err
	}
	reads, err := db.Append(ctx, q, []exportedRead{}, func(row db.Row, r *exportedRead) error { return row.Scan(&r.EventID, &r.ReadAt) },
		exportReadsStmt, user)
	return exported{messages, reads}, err
}

var (
	eraseStmt = db.SQL("chat.erase", `
		UPDATE messages SET body = '', client_message_id = NULL, deleted_at = $2 WHERE author_id = $1 AND deleted_at IS NULL`)
	eraseReadsStmt = db.SQL("chat.erase_reads", `DELETE FROM chat_reads WHERE user_id = $1`)
)

// Erase empties a user's messages and deletes how far they have read. The empty messages
// stay in the chat, without an author.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	tx.Queue(ctx, eraseStmt, user, now)
	tx.Queue(ctx, eraseReadsStmt, user)
	return nil
}
