package signin

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
)

type export struct {
	Sessions   []session.Exported `json:"sessions"`
	Identities []exportedIdentity `json:"identities"`
}

type exportedIdentity struct {
	Issuer    string    `json:"issuer"`
	Subject   string    `json:"subject"`
	CreatedAt time.Time `json:"created_at"`
}

var exportStmt = db.SQL("signin.export_identities", `
	SELECT issuer, subject, created_at FROM identities WHERE user_id = $1 ORDER BY issuer, subject`)

// Export returns the user's sessions and their accounts at identity providers.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	sessions, err := session.Export(ctx, q, user)
	if err != nil {
		return nil, err
	}
	identities, err := db.All(ctx, q, func(row db.Row, e *exportedIdentity) error {
		return row.Scan(&e.Issuer, &e.Subject, &e.CreatedAt)
	}, exportStmt, user)
	return export{append([]session.Exported{}, sessions...), append([]exportedIdentity{}, identities...)}, err
}

var eraseStmts = []*db.Stmt{
	db.SQL("signin.erase_identities", `DELETE FROM identities WHERE user_id = $1`),
	db.SQL("signin.erase_codes", `
		DELETE FROM email_challenges WHERE email_key = (SELECT u.email_key FROM users u WHERE u.id = $1)`),
	db.SQL("signin.erase_calls", `
		DELETE FROM phone_challenges WHERE phone = (SELECT u.phone FROM users u WHERE u.id = $1)`),
}

// Erase deletes the user's sessions, identities and open challenges. It must run
// before the account loses its address and phone.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	if err := session.Erase(ctx, tx, user); err != nil {
		return err
	}
	for _, stmt := range eraseStmts {
		if _, err := tx.Exec(ctx, stmt, user); err != nil {
			return err
		}
	}
	return nil
}
