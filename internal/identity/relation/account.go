package relation

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is the relations section of an account export. It omits the user's
// followers, whose own exports contain the follow.
type exported struct {
	Follows []exportedRelation `json:"follows"`
	Blocks  []exportedRelation `json:"blocks"`
}

type exportedRelation struct {
	UserID    domain.UserID `json:"user_id"`
	CreatedAt time.Time     `json:"created_at"`
}

var (
	exportFollowsStmt = db.SQL("relation.export_follows", `
		SELECT followed_id, created_at FROM follows WHERE follower_id = $1 ORDER BY created_at, followed_id`)

	exportBlocksStmt = db.SQL("relation.export_blocks", `
		SELECT blocked_id, created_at FROM blocks WHERE blocker_id = $1 ORDER BY created_at, blocked_id`)
)

// Export returns the users whom a user follows and blocks.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	scan := func(row db.Row, r *exportedRelation) error { return row.Scan(&r.UserID, &r.CreatedAt) }
	follows, err := db.All(ctx, q, scan, exportFollowsStmt, user)
	if err != nil {
		return nil, err
	}
	blocks, err := db.All(ctx, q, scan, exportBlocksStmt, user)
	return exported{append([]exportedRelation{}, follows...), append([]exportedRelation{}, blocks...)}, err
}

var eraseStmts = []*db.Stmt{
	db.SQL("relation.erase_following", `DELETE FROM follows WHERE follower_id = $1`),
	db.SQL("relation.erase_followers", `DELETE FROM follows WHERE followed_id = $1`),
	db.SQL("relation.erase_blocking", `DELETE FROM blocks WHERE blocker_id = $1`),
	db.SQL("relation.erase_blocked", `DELETE FROM blocks WHERE blocked_id = $1`),
}

// Erase deletes the follows and blocks of a user, in both directions.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range eraseStmts {
		tx.Queue(ctx, stmt, user)
	}
	return nil
}
