package apikey

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Export returns the user's keys, without their secrets.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all, err := list(ctx, q, user)
	return append([]Key{}, all...), err
}

var eraseStmt = db.SQL("apikey.erase", `DELETE FROM api_keys WHERE user_id = $1`)

// Erase deletes the user's keys.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseStmt, user)
	return nil
}
