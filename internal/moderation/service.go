package moderation

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/review"
	"moothall/internal/user"
)

// Service is what people and moderators do with reports.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Profiles *user.Service
	Events   *event.Service
	// Suspend bars an account, with everything that this entails; it does
	// nothing when the account is suspended already.
	Suspend func(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error
}

// Report stores a report of the viewer, or gives the one on the same target
// that is still open. domain.NotFound when the viewer does not see the target.
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

// sees refuses with domain.NotFound a target that the viewer does not see.
func (s *Service) sees(ctx context.Context, v domain.Viewer, d Draft, now time.Time) (err error) {
	switch d.TargetType {
	case EventTarget:
		_, err = access.Event(ctx, s.DB, v, domain.EventID(d.TargetID), now)
	case ReviewTarget:
		err = review.See(ctx, s.DB, v, domain.ReviewID(d.TargetID), now)
	default:
		_, err = s.Profiles.Public(ctx, v, domain.UserID(d.TargetID))
	}
	return err
}

// Filter chooses reports for the queue.
type Filter struct {
	Status     *Status
	TargetType *TargetType
	Limit      int
	Cursor     string // Next of the page before, or empty
}

// Page is one page of the queue.
type Page struct {
	Reports []Queued
	Next    *string // cursor, nil on the last page
}

// List reads a page of the queue for a moderator; domain.Forbidden for others.
// The number of statements does not depend on the reports.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (p Page, err error) {
	after, err := f.after()
	if err != nil {
		return p, err
	}
	if !v.Moderator {
		return p, domain.Forbidden
	}
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if p, err = page(ctx, q, f, after); err != nil {
			return err
		}
		return readTargets(ctx, q, v, p.Reports, now)
	})
	return p, err
}

// Move moves a report and does what goes with it, all or nothing. Of two
// moderators who want to move the same report one is refused by where it then
// stands. domain.Forbidden for others than moderators, domain.Conflict when a
// report would be reopened beside another open one of its reporter.
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
		if r, err = was.moved(ctx, tx, v, m.To, now); err != nil {
			return err
		}
		done = Record{
			ID: domain.NewID[domain.ModerationActionKind](now), ReportID: id, ModeratorID: v.UserID,
			Action: m.Action, From: was.Status, To: m.To, Note: m.Note, CreatedAt: now,
		}
		if err := record(ctx, tx, done); err != nil {
			return err
		}
		return tellReporter(ctx, tx, r, now)
	})
	return r, done, err
}

// tellReporter says that a report is dealt with, not by whom.
func tellReporter(ctx context.Context, tx db.Tx, r Report, now time.Time) error {
	if !r.Status.final() || r.ReporterID == nil {
		return nil
	}
	return notify.Put(ctx, tx, now, notify.Notification{
		To: *r.ReporterID, Kind: notify.ReportUpdated, Subject: r.ID.String(),
		Params: map[string]string{"status": r.Status.String(), "target_type": string(r.TargetType)},
	})
}
