package relation

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// Service is what people do about each other.
type Service struct {
	DB    *db.DB
	Clock domain.Clock

	OnBlock []BlockHook // what other features do when one user blocks another
}

// BlockHook ends what connects two users, in the transaction in which one blocks
// the other.
type BlockHook = func(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error

// Status tells how the viewer and another stand. domain.NotFound when the other
// is unknown or suspended, or one of the two blocks the other.
func (s *Service) Status(ctx context.Context, v domain.Viewer, other domain.UserID) (Status, error) {
	return status(ctx, s.DB, v.UserID, other)
}

// Follow makes the viewer follow another; repeated, it changes nothing. It
// refuses oneself, and as Status does.
func (s *Service) Follow(ctx context.Context, v domain.Viewer, other domain.UserID) (now Status, err error) {
	if v.UserID == other {
		return now, domain.Invalid("", "user_id must be that of somebody else")
	}
	at := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := holdPair(ctx, tx, v.UserID, other); err != nil {
			return err
		}
		began, err := follow(ctx, tx, v.UserID, other, at)
		if err == nil && began {
			err = notify.Put(ctx, tx, at, notify.Notification{
				To: other, Kind: notify.UserFollowed, Subject: other.String(), Actor: v.UserID,
			})
		}
		if err == nil {
			now, err = status(ctx, tx, v.UserID, other)
		}
		return err
	})
	return now, err
}

// Unfollow ends that, and takes the notification of it back unless it was
// read; without effect when the viewer did not follow. It refuses as Status does.
func (s *Service) Unfollow(ctx context.Context, v domain.Viewer, other domain.UserID) (now Status, err error) {
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		ended, err := unfollow(ctx, tx, v.UserID, other)
		if err == nil && ended {
			notify.Retract(ctx, tx, notify.UserFollowed, v.UserID, other.String())
		}
		if err == nil {
			now, err = status(ctx, tx, v.UserID, other)
		}
		return err
	})
	return now, err
}

// BlockedAt tells since when the viewer blocks another, nil when they do not.
func (s *Service) BlockedAt(ctx context.Context, v domain.Viewer, other domain.UserID) (*time.Time, error) {
	return blockedAt(ctx, s.DB, v.UserID, other)
}

// Block makes the viewer block another and ends what joins the two (policy
// "Seeing an event"); repeated, it gives the same block. One may block whom one
// is blocked by, and who is suspended. It refuses oneself; domain.NotFound when
// there is no such account.
func (s *Service) Block(ctx context.Context, v domain.Viewer, other domain.UserID) (b Block, err error) {
	if v.UserID == other {
		return b, domain.Invalid("", "user_id must be that of somebody else")
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := lockPair(ctx, tx, v.UserID, other); err != nil {
			return err
		}
		var began bool
		if b, began, err = block(ctx, tx, v.UserID, other, now); err != nil || !began {
			return err
		}
		if err := s.part(ctx, tx, now, v.UserID, other); err != nil {
			return err
		}
		pair := pair{v.UserID, other}
		return job.Put(ctx, tx, now, job.Job{Kind: partAgain, Key: pair.key(), Payload: pair, RunAt: now.Add(stragglers)})
	})
	return b, err
}

const (
	partAgain = "relation.part"

	// stragglers is by when every request is over that saw no block yet: a
	// join, which does not wait for blocks, may have been among them.
	stragglers = 10 * time.Minute
)

// pair is who blocks whom.
type pair struct{ Blocker, Blocked domain.UserID }

func (p pair) key() string { return p.Blocker.String() + p.Blocked.String() }

// RegisterJobs adds what follows a block: what requests under way have still
// begun ends, too.
func (s *Service) RegisterJobs(w *job.Workers) {
	job.Steps(w, partAgain, func(ctx context.Context, tx db.Tx, p *pair) (done bool, err error) {
		since, err := blockedAt(ctx, tx, p.Blocker, p.Blocked)
		if err != nil || since == nil {
			return true, err
		}
		return true, s.part(ctx, tx, s.Clock.Now(), p.Blocker, p.Blocked)
	})
}

// part ends what a block ends.
func (s *Service) part(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	for _, pair := range [][2]domain.UserID{{blocker, blocked}, {blocked, blocker}} {
		if _, err := unfollow(ctx, tx, pair[0], pair[1]); err != nil {
			return err
		}
	}
	notify.OnBlock(ctx, tx, blocker, blocked)
	for _, hook := range s.OnBlock {
		if err := hook(ctx, tx, now, blocker, blocked); err != nil {
			return err
		}
	}
	return nil
}

// Unblock lifts a block, if there is one; what it ended stays ended.
func (s *Service) Unblock(ctx context.Context, v domain.Viewer, other domain.UserID) error {
	return unblock(ctx, s.DB, v.UserID, other)
}
