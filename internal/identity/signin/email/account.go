package email

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var eraseStmt = db.SQL("email.erase", `
	DELETE FROM email_sign_ins WHERE email_key = (SELECT u.email_key FROM users u WHERE u.id = $1)`)

// Erase deletes the open sign-ins with the user's address. It must run before the account
// loses the address.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	_, err := tx.Exec(ctx, eraseStmt, user)
	return err
}
