package moderation

import (
	"context"
	"errors"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/review"
	"moothall/internal/user"
)

// Service stores reports and lets moderators act on them.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Profiles *user.Service
	Events   *event.Service
	// Suspend suspends an account and ends its sessions. It does nothing if the
	// account is suspended already.
	Suspend func(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error
}

// Report stores a report of the viewer. If they have an open report on the same
// target, Report returns that one. domain.NotFound if the viewer does not see the
// target.
func (s *Service) Report(ctx context.Context, v domain.Viewer, d Draft) (r Report, err error) {
	if err := d.clean(v); err != nil {
		return r, err
	}
	now := s.Clock.Now()
	if err := s.sees(ctx, v, d, now); err != nil {
		return r, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		r, err = insert(ctx, tx, v, d, now)
		return err
	})
	return r, err
}

// sees returns domain.NotFound if the viewer does not see the target.
func (s *Service) sees(ctx context.Context, v domain.Viewer, d Draft, now time.Time) (err error) {
	switch d.TargetType {
	case EventTarget:
		_, err = access.Event(ctx, s.DB, v, domain.EventID(d.TargetID), now)
	case ReviewTarget:
		err = review.Check(ctx, s.DB, v, domain.ReviewID(d.TargetID), now)
	default:
		_, err = s.Profiles.Public(ctx, v, domain.UserID(d.TargetID))
	}
	return err
}

// Move moves a report and carries out the action, all or nothing. Moves of one report
// happen one after the other, so the second of two moderators is refused if the state
// no longer allows the move. It returns domain.Forbidden for users who are not
// moderators, and domain.Conflict for reopening a report while the reporter has
// another open one on the same target.
func (s *Service) Move(ctx context.Context, v domain.Viewer, id domain.ReportID, m Move) (r Report, done Record, err error) {
	if err := m.clean(); err != nil {
		return r, done, err
	}
	if !v.Moderator {
		return r, done, domain.Forbidden
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		was, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := m.check(was); err != nil {
			return err
		}
		if err := s.carryOut(ctx, tx, was, m.Action, now); err != nil {
			return err
		}
		if r, err = was.moveTo(ctx, tx, v, m.To, now); err != nil {
			return err
		}
		done = Record{
			ID: domain.NewID[domain.ModerationActionKind](now), ReportID: id, ModeratorID: v.UserID,
			Action: m.Action, From: was.Status, To: m.To, Note: m.Note, CreatedAt: now,
		}
		tx.Queue(ctx, recordStmt, done.ID, done.ReportID, done.ModeratorID, done.Action, done.From, done.To, done.Note, done.CreatedAt)
		return notifyReporter(ctx, tx, r, now)
	})
	return r, done, err
}

// notifyReporter notifies the reporter that a report is closed, not by whom.
func notifyReporter(ctx context.Context, tx db.Tx, r Report, now time.Time) error {
	if !r.Status.final() || r.ReporterID == nil {
		return nil
	}
	return notify.Put(ctx, tx, now, notify.Notification{
		To: *r.ReporterID, Kind: notify.ReportUpdated, Subject: r.ID.String(),
		Params: map[string]string{"status": r.Status.String(), "target_type": string(r.TargetType)},
	})
}

// carryOut carries out an action on the target of a report.
func (s *Service) carryOut(ctx context.Context, tx db.Tx, r Report, a Action, now time.Time) error {
	if a == NoAction {
		return nil
	}
	var responsible domain.UserID
	gone := domain.Invalid("/action", "must fit the target: it is gone")
	if err := tx.One(ctx, responsibleStmts[r.TargetType], r.TargetID).ScanOr(gone, &responsible); err != nil {
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

// responsibleStmts read who is responsible for a target: the user, the organizer of
// the event or the author of the review. There is no row if their account is deleted.
var responsibleStmts = map[TargetType]*db.Stmt{
	UserTarget: db.SQL("moderation.user", `SELECT p.user_id FROM profiles p WHERE p.user_id = $1`),
	EventTarget: db.SQL("moderation.organizer", `
		SELECT p.user_id FROM events e JOIN profiles p ON p.user_id = e.organizer_id WHERE e.id = $1`),
	ReviewTarget: db.SQL("moderation.author", `
		SELECT p.user_id FROM reviews r JOIN profiles p ON p.user_id = r.author_id WHERE r.id = $1`),
}

// warn notifies a user of what was reported, not by whom.
func warn(ctx context.Context, tx db.Tx, r Report, user domain.UserID, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		To: user, Kind: notify.ModerationWarning, Subject: r.ID.String(),
		Params: map[string]string{"target_type": string(r.TargetType), "reason": r.Reason},
	})
}
