package webhook

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// endStmts end what the user $1 receives about the event $2.
var endStmts = []*db.Stmt{
	db.SQL("webhook.end_messages", `
		UPDATE webhook_messages SET due_at = NULL
		WHERE event_id = $2 AND due_at IS NOT NULL AND webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1)`),
	db.SQL("webhook.end_own_messages", `
		DELETE FROM webhook_messages WHERE webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1 AND w.event_id = $2)`),
	db.SQL("webhook.end_attempts", `
		DELETE FROM webhook_attempts WHERE webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1 AND w.event_id = $2)`),
	db.SQL("webhook.end", `DELETE FROM webhooks WHERE user_id = $1 AND event_id = $2`),
}

// OnTransfer deletes the webhooks of a user for one event, and drops its messages that were not sent to their other webhooks. It is called
// when the user is not the organizer of the event any more.
func OnTransfer(ctx context.Context, tx db.Tx, user domain.UserID, event domain.EventID) {
	for _, stmt := range endStmts {
		tx.Queue(ctx, stmt, user, event)
	}
}
