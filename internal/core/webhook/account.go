package webhook

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Export returns the user's webhooks, without their secrets.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all, err := list(ctx, q, user)
	return append([]Webhook{}, all...), err
}

var eraseStmts = []*db.Stmt{
	db.SQL("webhook.erase_messages", `DELETE FROM webhook_messages WHERE webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1)`),
	db.SQL("webhook.erase_attempts", `DELETE FROM webhook_attempts WHERE webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1)`),
	db.SQL("webhook.erase_user", `UPDATE webhook_messages SET user_id = NULL WHERE user_id = $1`),
	db.SQL("webhook.erase", `DELETE FROM webhooks WHERE user_id = $1`),
}

// Erase deletes the user's webhooks. Messages of others no longer name the user.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range eraseStmts {
		tx.Queue(ctx, stmt, user)
	}
	return nil
}

// retention is how long messages and the log are kept.
const retention = 30 * 24 * time.Hour

var purgeStmts = []*db.Stmt{
	db.SQL("webhook.purge_messages", `
		DELETE FROM webhook_messages WHERE (webhook_id, id) IN (
			SELECT m.webhook_id, m.id FROM webhook_messages m WHERE m.created_at <= $1 LIMIT 1000)`),
	db.SQL("webhook.purge_attempts", `
		DELETE FROM webhook_attempts WHERE id IN (SELECT a.id FROM webhook_attempts a WHERE a.at <= $1 LIMIT 1000)`),
}

// Purge deletes old messages and log entries in small batches, so that other writers are
// not blocked.
func (s *Service) Purge(ctx context.Context) error {
	before := s.Clock.Now().Add(-retention)
	for _, stmt := range purgeStmts {
		if err := db.Drain(ctx, s.DB, stmt, before); err != nil {
			return err
		}
	}
	return nil
}
