package relation

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is whom a person follows and blocks; who follows them is theirs to tell.
type exported struct {
	Follows []exportedTie `json:"follows"`
	Blocks  []exportedTie `json:"blocks"`
}

type exportedTie struct {
	UserID    domain.UserID `json:"user_id"`
	CreatedAt time.Time     `json:"created_at"`
}

var (
	exportFollowsStmt = db.SQL("relation.export_follows", `
		SELECT followed_id, created_at FROM follows WHERE follower_id = $1 ORDER BY created_at, followed_id`)

	exportBlocksStmt = db.SQL("relation.export_blocks", `
		SELECT blocked_id, created_at FROM blocks WHERE blocker_id = $1 ORDER BY created_at, blocked_id`)
)

// Export gives whom a person follows and blocks.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	scan := func(row db.Row, t *exportedTie) error { return row.Scan(&t.UserID, &t.CreatedAt) }
	follows, err := db.All(ctx, q, scan, exportFollowsStmt, user)
	if err != nil {
		return nil, err
	}
	blocks, err := db.All(ctx, q, scan, exportBlocksStmt, user)
	return exported{append([]exportedTie{}, follows...), append([]exportedTie{}, blocks...)}, err
}

var forgetStmts = []*db.Stmt{
	db.SQL("relation.forget_following", `DELETE FROM follows WHERE follower_id = $1`),
	db.SQL("relation.forget_followers", `DELETE FROM follows WHERE followed_id = $1`),
	db.SQL("relation.forget_blocking", `DELETE FROM blocks WHERE blocker_id = $1`),
	db.SQL("relation.forget_blocked", `DELETE FROM blocks WHERE blocked_id = $1`),
}

// Erase removes the follows and blocks of a person, in both directions.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range forgetStmts {
		if _, err := tx.Exec(ctx, stmt, user); err != nil {
			return err
		}
	}
	return nil
}
