package bulk

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var countMembersStmt = db.SQL("bulk.count_members", `UPDATE groups SET member_count = member_count + $2 WHERE id = $1`)

// Members inserts new members of a group, and counts them.
func Members(ctx context.Context, d *db.DB, group domain.GroupID, users []domain.UserID, since time.Time) error {
	columns := []string{"group_id", "user_id", "role", "status", "visibility", "since"}
	_, err := d.Bulk(ctx, "group_members", columns, rowsOf(users, func(u domain.UserID) []any {
		return []any{group, u, "member", "active", "public", since}
	}))
	if err != nil {
		return err
	}
	return d.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, countMembersStmt, group, len(users))
		return nil
	})
}
