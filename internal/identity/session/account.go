package session

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Exported is a session in a user's export, without its tokens and their hashes.
type Exported struct {
	ID         domain.SessionID `json:"id"`
	AuthMethod Method           `json:"auth_method"`
	UserAgent  *string          `json:"user_agent"`
	IP         *string          `json:"ip"` // truncated
	CreatedAt  time.Time        `json:"created_at"`
	LastUsedAt time.Time        `json:"last_used_at"`
	ExpiresAt  time.Time        `json:"expires_at"`
	RevokedAt  *time.Time       `json:"revoked_at"`
}

var (
	exportStmt = db.SQL("session.export", `
		SELECT id, auth_method, user_agent, ip, created_at, last_used_at, refresh_expires_at, revoked_at
		FROM sessions WHERE user_id = $1 ORDER BY created_at, id`)

	eraseStmt = db.SQL("session.erase", `DELETE FROM sessions WHERE user_id = $1`)
)

// Export returns the user's sessions, ended ones included until they are purged.
func Export(ctx context.Context, q db.Querier, user domain.UserID) ([]Exported, error) {
	return db.All(ctx, q, func(row db.Row, e *Exported) error {
		return row.Scan(&e.ID, &e.AuthMethod, &e.UserAgent, &e.IP, &e.CreatedAt, &e.LastUsedAt, &e.ExpiresAt, &e.RevokedAt)
	}, exportStmt, user)
}

// Erase deletes the user's sessions. The hashes of retired refresh tokens remain until
// they expire, because they do not identify a user.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID) error {
	tx.Changed(access.Rights.Of(user))
	_, err := tx.Exec(ctx, eraseStmt, user)
	return err
}
