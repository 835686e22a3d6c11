package media

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is a picture in the export of its owner's data.
type exported struct {
	ID        domain.PictureID `json:"id"`
	URL       string           `json:"url"`
	Bytes     int64            `json:"bytes"`
	CreatedAt time.Time        `json:"created_at"`
}

var (
	exportStmt = db.SQL("media.export", `SELECT id, url, bytes, created_at FROM media WHERE owner_id = $1 ORDER BY created_at, id`)

	eraseStmt = db.SQL("media.erase", `UPDATE media SET owner_id = NULL, remove_at = $2 WHERE owner_id = $1`)
)

// Export returns the pictures that a user has uploaded. Their addresses return the files.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	pictures, err := db.All(ctx, q, func(row db.Row, x *exported) error {
		return row.Scan(&x.ID, &x.URL, &x.Bytes, &x.CreatedAt)
	}, exportStmt, user)
	return append([]exported{}, pictures...), err
}

// Erase lets the job remove the pictures of a user who deletes their account.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	_, err := tx.Exec(ctx, eraseStmt, user, now.Add(discardAfter))
	return err
}
