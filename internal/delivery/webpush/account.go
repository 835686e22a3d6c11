package webpush

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is a subscription in a user's export. It leaves out the keys and the rest of the endpoint,
// which are secret.
type exported struct {
	ID         domain.PushSubscriptionID `json:"id"`
	SessionID  domain.SessionID          `json:"session_id"`
	Host       string                    `json:"endpoint_host"`
	DeviceName *string                   `json:"device_name"`
	CreatedAt  time.Time                 `json:"created_at"`
}

var (
	exportStmt = db.SQL("webpush.export", `
		SELECT id, session_id, endpoint, device_name, created_at FROM push_subscriptions WHERE user_id = $1 ORDER BY created_at, id`)

	eraseStmt = db.SQL("webpush.erase", `DELETE FROM push_subscriptions WHERE user_id = $1`)
)

// Export returns the user's subscriptions, including those of ended sessions that are not yet purged.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	return db.Append(ctx, q, []exported{}, func(r db.Row, e *exported) error {
		var endpoint string
		err := r.Scan(&e.ID, &e.SessionID, &endpoint, &e.DeviceName, &e.CreatedAt)
		e.Host = hostOf(endpoint)
		return err
	}, exportStmt, user)
}

// Erase deletes the user's subscriptions.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	_, err := tx.Exec(ctx, eraseStmt, user)
	return err
}
