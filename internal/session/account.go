package session

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// export is what is kept of how somebody signs in: no token, nor its hash.
type export struct {
	Sessions   []exportedSession  `json:"sessions"`
	Identities []exportedIdentity `json:"identities"`
}

type exportedSession struct {
	ID         domain.SessionID `json:"id"`
	AuthMethod Method           `json:"auth_method"`
	UserAgent  *string          `json:"user_agent"`
	IP         *string          `json:"ip"` // truncated
	CreatedAt  time.Time        `json:"created_at"`
	LastUsedAt time.Time        `json:"last_used_at"`
	ExpiresAt  time.Time        `json:"expires_at"`
	RevokedAt  *time.Time       `json:"revoked_at"`
}

type exportedIdentity struct {
	Issuer    string    `json:"issuer"`
	Subject   string    `json:"subject"`
	CreatedAt time.Time `json:"created_at"`
}

var (
	exportSessionsStmt = db.SQL("session.export_sessions", `
		SELECT id, auth_method, user_agent, ip, created_at, last_used_at, refresh_expires_at, revoked_at
		FROM sessions WHERE user_id = $1 ORDER BY created_at, id`)

	exportIdentitiesStmt = db.SQL("session.export_identities", `
		SELECT issuer, subject, created_at FROM identities WHERE user_id = $1 ORDER BY issuer, subject`)
)

// Export gives the sessions that are still known and the accounts with
// identity providers.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	sessions, err := db.All(ctx, q, func(row db.Row, e *exportedSession) error {
		return row.Scan(&e.ID, &e.AuthMethod, &e.UserAgent, &e.IP, &e.CreatedAt, &e.LastUsedAt, &e.ExpiresAt, &e.RevokedAt)
	}, exportSessionsStmt, user)
	if err != nil {
		return nil, err
	}
	identities, err := db.All(ctx, q, func(row db.Row, e *exportedIdentity) error {
		return row.Scan(&e.Issuer, &e.Subject, &e.CreatedAt)
	}, exportIdentitiesStmt, user)
	return export{append([]exportedSession{}, sessions...), append([]exportedIdentity{}, identities...)}, err
}

// What is left of a session are retired tokens: hashes that name nobody and
// are purged when they would have expired.
var forgetStmts = []*db.Stmt{
	db.SQL("session.forget_sessions", `DELETE FROM sessions WHERE user_id = $1`),
	db.SQL("session.forget_identities", `DELETE FROM identities WHERE user_id = $1`),
	db.SQL("session.forget_codes", `
		DELETE FROM email_challenges WHERE email_key = (SELECT u.email_key FROM users u WHERE u.id = $1)`),
	db.SQL("session.forget_calls", `
		DELETE FROM phone_challenges WHERE phone = (SELECT u.phone FROM users u WHERE u.id = $1)`),
}

// Erase removes every way in. The account still has its address and phone.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range forgetStmts {
		if _, err := tx.Exec(ctx, stmt, user); err != nil {
			return err
		}
	}
	return nil
}
