package relation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
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
	err := q.One(ctx, statusStmt, viewer, other).Scan(&s.FollowedAt, &s.FollowedBy, &s.Followers, &s.Following)
	if errors.Is(err, db.ErrNoRow) {
		return s, domain.NotFound
	}
	if err != nil {
		return s, fmt.Errorf("relation.status %s: %w", other, err)
	}
	return s, nil
}

// A follow and a block of the same two wait for each other, so that none is
// begun behind the other's back: a follow shares the two accounts, a block has
// them for itself, each in the order of their ids. It leaves them to foreign
// keys: who answers an invitation holds that first, which the block ends too.
var (
	holdPairStmt = db.SQL("relation.hold_pair", `SELECT u.id FROM users u WHERE u.id IN ($1, $2) ORDER BY u.id FOR SHARE`)

	lockPairStmt = db.SQL("relation.lock_pair", `
		SELECT u.id FROM users u WHERE u.id IN ($1, $2) AND u.deleted_at IS NULL ORDER BY u.id FOR NO KEY UPDATE`)
)

func holdPair(ctx context.Context, tx db.Tx, a, b domain.UserID) error {
	if _, err := tx.Exec(ctx, holdPairStmt, a, b); err != nil {
		return fmt.Errorf("relation.hold_pair: %w", err)
	}
	return nil
}

// lockPair refuses with domain.NotFound when there are not two such accounts.
func lockPair(ctx context.Context, tx db.Tx, a, b domain.UserID) error {
	found, err := db.All(ctx, tx, func(row db.Row, id *domain.UserID) error { return row.Scan(id) }, lockPairStmt, a, b)
	if err != nil {
		return fmt.Errorf("relation.lock_pair: %w", err)
	}
	if len(found) < 2 {
		return domain.NotFound
	}
	return nil
}

var (
	followStmt = db.SQL("relation.follow", `
		INSERT INTO follows (follower_id, followed_id, created_at)
		SELECT $1, u.id, $3 FROM users u WHERE u.id = $2 AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$1")+`
		ON CONFLICT (follower_id, followed_id) DO NOTHING`)

	unfollowStmt = db.SQL("relation.unfollow", `DELETE FROM follows WHERE follower_id = $1 AND followed_id = $2`)
)

// follow begins false when it was so already, or must not be.
func follow(ctx context.Context, tx db.Tx, follower, followed domain.UserID, now time.Time) (began bool, err error) {
	n, err := tx.Exec(ctx, followStmt, follower, followed, now)
	if err != nil {
		return false, fmt.Errorf("relation.follow %s: %w", followed, err)
	}
	return n == 1, nil
}

func unfollow(ctx context.Context, tx db.Tx, follower, followed domain.UserID) (ended bool, err error) {
	n, err := tx.Exec(ctx, unfollowStmt, follower, followed)
	if err != nil {
		return false, fmt.Errorf("relation.unfollow %s: %w", followed, err)
	}
	return n == 1, nil
}

var (
	blockStmt = db.SQL("relation.block", `
		INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (blocker_id, blocked_id) DO UPDATE SET created_at = blocks.created_at
		RETURNING id, created_at`)

	blockedAtStmt = db.SQL("relation.blocked_at", `SELECT created_at FROM blocks WHERE blocker_id = $1 AND blocked_id = $2`)

	unblockStmt = db.SQL("relation.unblock", `DELETE FROM blocks WHERE blocker_id = $1 AND blocked_id = $2`)
)

// block gives the block that stands afterwards; began is false when it did before.
func block(ctx context.Context, tx db.Tx, blocker, blocked domain.UserID, now time.Time) (b Block, began bool, err error) {
	id := domain.NewID[domain.BlockKind](now)
	b = Block{Blocker: blocker, Blocked: blocked}
	if err := tx.One(ctx, blockStmt, blocker, blocked, id, now).Scan(&b.ID, &b.At); err != nil {
		return b, false, fmt.Errorf("relation.block %s: %w", blocked, err)
	}
	return b, b.ID == id, nil
}

func blockedAt(ctx context.Context, q db.Querier, blocker, blocked domain.UserID) (*time.Time, error) {
	var at time.Time
	err := q.One(ctx, blockedAtStmt, blocker, blocked).Scan(&at)
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil //nolint:nilnil // nobody is blocked
	}
	if err != nil {
		return nil, fmt.Errorf("relation.blocked_at %s: %w", blocked, err)
	}
	return &at, nil
}

func unblock(ctx context.Context, q db.Querier, blocker, blocked domain.UserID) error {
	if _, err := q.Exec(ctx, unblockStmt, blocker, blocked); err != nil {
		return fmt.Errorf("relation.unblock %s: %w", blocked, err)
	}
	return nil
}
