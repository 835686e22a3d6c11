package guestmessage

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exported struct {
	ID        domain.GuestMessageID `json:"id"`
	EventID   domain.EventID        `json:"event_id"`
	Audience  access.Audience       `json:"audience"`
	Body      string                `json:"body"`
	CreatedAt time.Time             `json:"created_at"`
}

var (
	exportStmt = db.SQL("guestmessage.export", `
		SELECT id, event_id, audience, body, created_at FROM guest_messages WHERE author_id = $1 AND deleted_at IS NULL ORDER BY created_at, id`)

	eraseStmt = db.SQL("guestmessage.erase", `DELETE FROM guest_messages WHERE author_id = $1`)
)

// Export returns the messages that a user has written.
func Export(ctx context.Context, q db.Querier, of domain.UserID) (any, error) {
	return db.Append(ctx, q, []exported{}, func(row db.Row, e *exported) error {
		return row.Scan(&e.ID, &e.EventID, &e.Audience, &e.Body, &e.CreatedAt)
	}, exportStmt, of)
}

// Erase deletes the messages that a user has written.
func Erase(ctx context.Context, tx db.Tx, of domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseStmt, of)
	return nil
}
