package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/review"
)

// carryOut does what a moderator has decided about the target of a report.
func (s *Service) carryOut(ctx context.Context, tx db.Tx, r Report, a Action, now time.Time) error {
	if a == NoAction {
		return nil
	}
	responsible, err := responsibleFor(ctx, tx, r)
	if err != nil {
		return err
	}
	switch a {
	case WarnUser:
		return warn(ctx, tx, r, responsible, now)
	case HideContent:
		return review.Hide(ctx, tx, domain.ReviewID(r.TargetID), now)
	case CancelEvent:
		err := s.Events.CancelIn(ctx, tx, domain.EventID(r.TargetID), now)
		if errors.Is(err, domain.Forbidden) {
			return domain.Invalid("/action", "must fit the target: the event is over")
		}
		return err
	default:
		return s.Suspend(ctx, tx, responsible, now)
	}
}

// responsibleStmts give who answers for a target as long as they have an account.
var responsibleStmts = map[TargetType]*db.Stmt{
	UserTarget: db.SQL("moderation.user", `SELECT p.user_id FROM profiles p WHERE p.user_id = $1`),
	EventTarget: db.SQL("moderation.organizer", `
		SELECT p.user_id FROM events e JOIN profiles p ON p.user_id = e.organizer_id WHERE e.id = $1`),
	ReviewTarget: db.SQL("moderation.author", `
		SELECT p.user_id FROM reviews r JOIN profiles p ON p.user_id = r.author_id WHERE r.id = $1`),
}

// responsibleFor gives the user, the organizer of the event or the author of
// the review. Of those who have left no action can be taken.
func responsibleFor(ctx context.Context, tx db.Tx, r Report) (id domain.UserID, err error) {
	err = tx.One(ctx, responsibleStmts[r.TargetType], r.TargetID).Scan(&id)
	if errors.Is(err, db.ErrNoRow) {
		return id, domain.Invalid("/action", "must fit the target: it is gone")
	}
	if err != nil {
		return id, fmt.Errorf("moderation.responsible for %s: %w", r.ID, err)
	}
	return id, nil
}

// warn tells somebody what was reported, not by whom.
func warn(ctx context.Context, tx db.Tx, r Report, user domain.UserID, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		To: user, Kind: notify.ModerationWarning, Subject: r.ID.String(),
		Params: map[string]string{"target_type": string(r.TargetType), "reason": r.Reason},
	})
}
