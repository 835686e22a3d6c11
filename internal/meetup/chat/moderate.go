package chat

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var readStmt = db.SQL("chat.read_message", `
	SELECT m.event_id, m.author_id, m.body FROM messages m
	WHERE m.id = $1 AND m.deleted_at IS NULL AND `+access.NotBlocked("m.author_id", "$2"))

// Read returns the author and the text of a message. It returns domain.NotFound if the viewer does
// not see it: it is deleted, a block hides it, or they are not a member of the chat.
func Read(ctx context.Context, q db.Querier, v domain.Viewer, id domain.MessageID, now time.Time) (author domain.UserID,
	body string, err error) {
	var event domain.EventID
	if err := q.One(ctx, readStmt, id, v.UserID).ScanOr(domain.NotFound, &event, &author, &body); err != nil {
		return author, body, err
	}
	err = authorize(ctx, q, v, event, now)
	if errors.Is(err, domain.Forbidden) {
		err = domain.NotFound
	}
	return author, body, err
}

var hideStmt = db.SQL("chat.hide", `UPDATE messages SET body = '', deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL`)

// Hide empties a message for a moderator. The empty message stays in the chat. It does nothing if the
// message is deleted already.
func Hide(ctx context.Context, tx db.Tx, id domain.MessageID, now time.Time) error {
	_, err := tx.Exec(ctx, hideStmt, id, now)
	return err
}
