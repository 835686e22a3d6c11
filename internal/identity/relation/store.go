package relation

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var statusStmt = db.SQL("relation.status", `
	SELECT
		(SELECT f.created_at FROM follows f WHERE f.follower_id = $1 AND f.followed_id = u.id),
		EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = u.id AND f.followed_id = $1),
		(SELECT COUNT(*) FROM follows f WHERE f.followed_id = u.id),
		(SELECT COUNT(*) FROM follows f WHERE f.follower_id = u.id)
	FROM users u WHERE u.id = $2 AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$1"))

func status(ctx context.Context, q db.Querier, viewer, other domain.UserID) (Status, error) {
	s := Status{User: other}
	err := q.One(ctx, statusStmt, viewer, other).ScanOr(domain.NotFound, &s.FollowedAt, &s.FollowedBy, &s.Followers, &s.Following)
	return s, err
}

var (
	followStmt = db.SQL("relation.follow", `
		INSERT INTO follows (follower_id, followed_id, created_at)
		SELECT $1, u.id, $3 FROM users u WHERE u.id = $2 AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$1")+`
		ON CONFLICT (follower_id, followed_id) DO NOTHING`)

	unfollowStmt = db.SQL("relation.unfollow", `DELETE FROM follows WHERE follower_id = $1 AND followed_id = $2`)

	blockStmt = db.SQL("relation.block", `
		INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET created_at = blocks.created_at
		RETURNING id, created_at`)

	blockedAtStmt = db.SQL("relation.blocked_at", `SELECT created_at FROM blocks WHERE blocker_id = $1 AND blocked_id = $2`)

	unblockStmt = db.SQL("relation.unblock", `DELETE FROM blocks WHERE blocker_id = $1 AND blocked_id = $2`)
)

// block creates a block or reads the existing one; created is false for the latter.
func block(ctx context.Context, tx db.Tx, blocker, blocked domain.UserID, now time.Time) (b Block, created bool, err error) {
	id := domain.NewID[domain.BlockKind](now)
	b = Block{Blocker: blocker, Blocked: blocked}
	err = tx.One(ctx, blockStmt, blocker, blocked, id, now).Scan(&b.ID, &b.At)
	return b, b.ID == id, err
}

// blockedAt returns nil if there is no block.
func blockedAt(ctx context.Context, q db.Querier, blocker, blocked domain.UserID) (at *time.Time, err error) {
	_, err = q.One(ctx, blockedAtStmt, blocker, blocked).Find(&at)
	return at, err
}
