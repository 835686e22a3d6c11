// Package relation lets users follow and block each other (specification §4.3,
// contract §3).
package relation

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Follow is one user following another.
type Follow struct {
	Follower, Followed domain.UserID
	At                 time.Time
}

// Status is the relation between a viewer and another user (contract §3 FollowStatus).
type Status struct {
	User       domain.UserID // the other user
	FollowedAt *time.Time    // when the viewer followed the other user; nil if they do not
	FollowedBy bool          // the other user follows the viewer
	Followers  int           // of the other user
	Following  int           // users whom the other user follows
}

// Block is one user blocking another.
type Block struct {
	ID               domain.BlockID
	Blocker, Blocked domain.UserID
	At               time.Time
}

// Service lets users follow and block each other.
type Service struct {
	DB    *db.DB
	Clock domain.Clock

	OnBlock []BlockHook // hooks of other features
}

// BlockHook ends the data of a feature that connects two users. It runs in the
// transaction in which one blocks the other.
type BlockHook = func(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error

// Status returns the relation between the viewer and another user. Returns NotFound
// if the other is unknown or suspended, or one of the two blocks the other.
func (s *Service) Status(ctx context.Context, v domain.Viewer, other domain.UserID) (Status, error) {
	return status(ctx, s.DB, v.UserID, other)
}

// Follow makes the viewer follow another user. Repeating it changes nothing.
// Returns Invalid for the viewer themselves, and the errors of Status.
func (s *Service) Follow(ctx context.Context, v domain.Viewer, other domain.UserID) (after Status, err error) {
	if v.UserID == other {
		return after, domain.Invalid("", "must have the user_id of somebody else")
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Share(ctx, tx, other)
		created, err := tx.Exec(ctx, followStmt, v.UserID, other, now)
		if err == nil && created == 1 {
			err = notify.Put(ctx, tx, now, followed(v.UserID, other))
		}
		if err == nil {
			after, err = status(ctx, tx, v.UserID, other)
		}
		return err
	})
	return after, err
}

// followed notifies a user of a new follower.
func followed(by, user domain.UserID) notify.Notification {
	return notify.Notification{To: user, Kind: notify.UserFollowed, Subject: user.String(), Actor: by}
}

// Unfollow ends a follow and retracts its notification unless it was read. It does
// nothing if the viewer does not follow the other. Returns the errors of Status.
func (s *Service) Unfollow(ctx context.Context, v domain.Viewer, other domain.UserID) (after Status, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		notify.OnUnfollow(ctx, tx, v.UserID, now)
		deleted, err := tx.Exec(ctx, unfollowStmt, v.UserID, other)
		if err != nil {
			return err
		}
		if deleted == 1 {
			notify.Retract(ctx, tx, followed(v.UserID, other))
		}
		after, err = status(ctx, tx, v.UserID, other)
		return err
	})
	return after, err
}

// BlockedAt returns when the viewer blocked another user; nil if they do not.
func (s *Service) BlockedAt(ctx context.Context, v domain.Viewer, other domain.UserID) (*time.Time, error) {
	return blockedAt(ctx, s.DB, v.UserID, other)
}

// Block makes the viewer block another user and ends the follows, invitations and
// participations between the two (docs/concurrency.md). Repeating it returns the
// same block. A user may block one who blocks them, and one who is suspended. Returns
// Invalid for the viewer themselves, NotFound if there is no such account.
func (s *Service) Block(ctx context.Context, v domain.Viewer, other domain.UserID) (b Block, err error) {
	if v.UserID == other {
		return b, domain.Invalid("", "must have the user_id of somebody else")
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Lock(ctx, tx, other)
		var created bool
		if b, created, err = block(ctx, tx, v.UserID, other, now); err != nil || !created {
			return err
		}
		return s.disconnect(ctx, tx, now, v.UserID, other)
	})
	return b, err
}

// disconnect deletes the follows between two users and calls the hooks.
func (s *Service) disconnect(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	tx.Changed(access.Rights.Of(blocker), access.Rights.Of(blocked))
	tx.Queue(ctx, unfollowStmt, blocker, blocked)
	tx.Queue(ctx, unfollowStmt, blocked, blocker)
	notify.OnBlock(ctx, tx, blocker, blocked)
	for _, hook := range s.OnBlock {
		if err := hook(ctx, tx, now, blocker, blocked); err != nil {
			return err
		}
	}
	return nil
}

// Unblock deletes a block, if there is one. It does not restore follows,
// invitations or participations that the block ended.
func (s *Service) Unblock(ctx context.Context, v domain.Viewer, other domain.UserID) error {
	_, err := s.DB.Exec(ctx, unblockStmt, v.UserID, other)
	return err
}
