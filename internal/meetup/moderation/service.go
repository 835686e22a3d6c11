package moderation

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/guestmessage"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
)

// Service stores reports and lets moderators act on them.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Users  *user.Service
	Events *event.Service
	Groups *group.Service
	// Suspend suspends an account and ends its sessions. It does nothing for a suspended
	// account.
	Suspend func(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error
	// ResumeOutreach resumes the outreach mails of a sender, if complaints or bounces stopped them.
	ResumeOutreach func(ctx context.Context, tx db.Tx, sender domain.UserID, now time.Time)
}

// Report stores a report of the viewer. If they have an open report on the same target,
// it returns that one. It returns domain.NotFound if the viewer does not see the target.
func (s *Service) Report(ctx context.Context, v domain.Viewer, d Draft) (r Report, err error) {
	if err := d.clean(v); err != nil {
		return r, err
	}
	now := s.Clock.Now()
	if found, err := idempotency.Find(ctx, s.DB, now, &r); found || err != nil {
		return r, err
	}
	content, err := s.see(ctx, v, d, now)
	if err != nil {
		return r, err
	}
	err = idempotency.InTx(ctx, s.DB, now, &r, func(tx db.Tx) error {
		r, err = insert(ctx, tx, v, d, content, now)
		return err
	})
	return r, err
}

// see returns what the viewer reports. It returns domain.NotFound if they do not see the target.
func (s *Service) see(ctx context.Context, v domain.Viewer, d Draft, now time.Time) (c Content, err error) {
	var author domain.UserID
	var text string
	switch d.TargetType {
	case EventTarget:
		_, err = access.Event(ctx, s.DB, v, domain.EventID(d.TargetID), now)
		return c, err
	case ReviewTarget:
		return c, review.Check(ctx, s.DB, v, domain.ReviewID(d.TargetID), now)
	case GroupTarget:
		_, err = s.Groups.Get(ctx, v, domain.GroupID(d.TargetID))
		return c, err
	case UserTarget:
		_, err = s.Users.Public(ctx, v, domain.UserID(d.TargetID))
		return c, err
	case PostTarget:
		author, text, err = post.Read(ctx, s.DB, v, domain.PostID(d.TargetID), now)
	case CommentTarget:
		author, text, err = post.ReadComment(ctx, s.DB, v, domain.CommentID(d.TargetID), now)
	case GuestMessageTarget:
		author, text, err = guestmessage.Read(ctx, s.DB, v, domain.GuestMessageID(d.TargetID), now)
	default:
		author, text, err = chat.Read(ctx, s.DB, v, domain.MessageID(d.TargetID), now)
	}
	return Content{&author, &text}, err
}

// OnStop reports a user whose outreach mails were stopped. The report has no reporter. Closing it
// resumes the mails.
func OnStop(ctx context.Context, tx db.Tx, stopped domain.UserID, now time.Time) error {
	const comment = "Recipients complained about mails of this user, or mails came back. The service sends none to people " +
		"who do not know the user, until this report is closed."
	_, err := tx.Exec(ctx, insertOwnStmt, domain.NewID[domain.ReportKind](now), UserTarget, stopped, "spam", comment, now)
	return err
}

// Move changes the status of a report and carries out the action in one transaction. It
// locks the report: of two concurrent moves, the second is refused if the new status
// does not allow it. It returns domain.Forbidden for users who are not moderators, and
// domain.Conflict for reopening a report while the reporter has another open report on
// the same target.
func (s *Service) Move(ctx context.Context, v domain.Viewer, id domain.ReportID, m Move) (r Report, record Record, err error) {
	if err := m.clean(); err != nil {
		return r, record, err
	}
	if !v.Moderator {
		return r, record, domain.Forbid(domain.NotModerator)
	}
	now := s.Clock.Now()
	suspended, suspends, err := toSuspend(ctx, s.DB, id, m.Action)
	if err != nil {
		return r, record, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if suspends {
			user.Lock(ctx, tx, suspended)
		}
		before, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := m.check(before); err != nil {
			return err
		}
		if err := s.carryOut(ctx, tx, before, m.Action, now); err != nil {
			return err
		}
		if r, err = before.moveTo(ctx, tx, v, m.To, now); err != nil {
			return err
		}
		if r.Status.final() && r.ReporterID == nil && r.TargetType == UserTarget {
			s.ResumeOutreach(ctx, tx, domain.UserID(r.TargetID), now)
		}
		record = Record{
			ID: domain.NewID[domain.ModerationActionKind](now), ReportID: id, ModeratorID: v.UserID,
			Action: m.Action, From: before.Status, To: m.To, Note: m.Note, CreatedAt: now,
		}
		tx.Queue(ctx, recordStmt, record.ID, record.ReportID, record.ModeratorID, record.Action, record.From, record.To, record.Note,
			record.CreatedAt)
		return notifyReporter(ctx, tx, r, now)
	})
	return r, record, err
}

// toSuspend returns the user whom an action on a report suspends, if there is one: the
// transaction locks their account before the report.
func toSuspend(ctx context.Context, q db.Querier, id domain.ReportID, a Action) (account domain.UserID, found bool, err error) {
	if a != SuspendUser {
		return account, false, nil
	}
	r, err := read(ctx, q, id)
	if err != nil {
		return account, false, err
	}
	found, err = r.responsible(ctx, q).Find(&account)
	return account, found, err
}

// notifyReporter notifies the reporter of a closed report. It does not name the
// moderator.
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
	deleted := domain.Invalid("/action", "must fit the target: it is gone")
	if err := r.responsible(ctx, tx).ScanOr(deleted, &responsible); err != nil {
		return err
	}
	switch a {
	case WarnUser:
		return warn(ctx, tx, r, responsible, now)
	case SuspendGroup:
		return group.Suspend(ctx, tx, domain.GroupID(r.TargetID), now)
	case RestoreGroup:
		return group.Restore(ctx, tx, domain.GroupID(r.TargetID), now)
	case HideContent:
		return hide(ctx, tx, r, now)
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

// hide hides what somebody wrote. It does nothing if it is hidden or deleted already.
func hide(ctx context.Context, tx db.Tx, r Report, now time.Time) error {
	switch r.TargetType {
	case PostTarget:
		return post.Hide(ctx, tx, domain.PostID(r.TargetID), now)
	case CommentTarget:
		return post.HideComment(ctx, tx, domain.CommentID(r.TargetID), now)
	case MessageTarget:
		return chat.Hide(ctx, tx, domain.MessageID(r.TargetID), now)
	case GuestMessageTarget:
		return guestmessage.Hide(ctx, tx, domain.GuestMessageID(r.TargetID), now)
	default:
		return review.Hide(ctx, tx, domain.ReviewID(r.TargetID), now)
	}
}

// responsible returns the user who is responsible for a target: the reported user, the organizer
// of the event, the owner of the group or the author. There is no row if their account is deleted.
func (r Report) responsible(ctx context.Context, q db.Querier) db.Row {
	if stmt, ok := responsibleStmts[r.TargetType]; ok {
		return q.One(ctx, stmt, r.TargetID)
	}
	return q.One(ctx, responsibleStmts[UserTarget], r.AuthorID)
}

var responsibleStmts = map[TargetType]*db.Stmt{
	UserTarget: db.SQL("moderation.user", `SELECT p.user_id FROM profiles p WHERE p.user_id = $1`),
	EventTarget: db.SQL("moderation.organizer", `
		SELECT p.user_id FROM events e JOIN profiles p ON p.user_id = e.organizer_id WHERE e.id = $1`),
	GroupTarget: db.SQL("moderation.owner", `
		SELECT p.user_id FROM groups g JOIN profiles p ON p.user_id = g.owner_id WHERE g.id = $1`),
	ReviewTarget: db.SQL("moderation.author", `
		SELECT p.user_id FROM reviews r JOIN profiles p ON p.user_id = r.author_id WHERE r.id = $1`),
}

// warn notifies a user of the type of the target and the reason. It does not name the
// reporter.
func warn(ctx context.Context, tx db.Tx, r Report, user domain.UserID, now time.Time) error {
	return notify.Put(ctx, tx, now, notify.Notification{
		To: user, Kind: notify.ModerationWarning, Subject: r.ID.String(),
		Params: map[string]string{"target_type": string(r.TargetType), "reason": r.Reason},
	})
}
