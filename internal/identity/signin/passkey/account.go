package passkey

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Export returns the user's passkeys, without their keys.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all, err := list(ctx, q, user)
	return append([]Passkey{}, all...), err
}

var eraseStmts = []*db.Stmt{
	db.SQL("passkey.erase", `DELETE FROM passkeys WHERE user_id = $1`),
	db.SQL("passkey.erase_challenges", `
		DELETE FROM passkey_challenges WHERE user_id = $1 OR email_key = (SELECT u.email_key FROM users u WHERE u.id = $1)`),
}

// Erase deletes the user's passkeys and open challenges. It must run before the account
// loses its address.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range eraseStmts {
		if _, err := tx.Exec(ctx, stmt, user); err != nil {
			return err
		}
	}
	return nil
}
