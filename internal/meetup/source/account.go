package source

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

type exported struct {
	ID        domain.SourceID `json:"id"`
	GroupID   domain.GroupID  `json:"group_id"`
	URL       string          `json:"url"`
	Status    Status          `json:"status"`
	LastError *string         `json:"last_error"`
	ReadAt    *time.Time      `json:"last_read_at"`
	CreatedAt time.Time       `json:"created_at"`
}

var exportStmt = db.SQL("source.export", `
	SELECT id, group_id, url, status, error, read_at, created_at FROM group_sources WHERE user_id = $1 AND ended_at IS NULL
	ORDER BY created_at, id`)

// Export returns the calendars that a user has added to groups.
func Export(ctx context.Context, q db.Querier, of domain.UserID) (any, error) {
	return db.Append(ctx, q, []exported{}, func(row db.Row, x *exported) error {
		return row.Scan(&x.ID, &x.GroupID, &x.URL, &x.Status, &x.LastError, &x.ReadAt, &x.CreatedAt)
	}, exportStmt, of)
}

// Erase ends the calendars that a user who deletes their account has added, and those with events that the user organizes. Package group
// has erased its data before, because groups are locked before their calendars.
func Erase(ctx context.Context, tx db.Tx, of domain.UserID, now time.Time) error {
	_, err := end(ctx, tx, now, endUserStmt, of, now)
	return err
}
