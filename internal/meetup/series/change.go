package series

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/recurrence"
)

// Apply says which dates a change of the template concerns, besides those that are made later.
type Apply string

// The values of apply.
const (
	Later     Apply = "later"
	Untouched Apply = "untouched_upcoming" // also coming dates that were not changed by hand
	All       Apply = "all_upcoming"       // also those
)

// Changed is what a request did with made dates.
type Changed struct {
	Changed   int
	LeftAlone []domain.EventID
}

// Update changes the template of the viewer's series, and the coming dates that apply names, in transactions of changeStep dates.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.SeriesID, in event.Input, apply Apply) (c Changed, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		r, err := lockOwn(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if r.Template, err = s.Events.Rules.ChangeTemplate(r.Template, in); err != nil {
			return err
		}
		update(ctx, tx, r, now)
		return nil
	})
	if err != nil || apply == Later {
		return c, err
	}
	change := func(tx db.Tx, m made) (bool, error) {
		if m.flag && apply != All {
			return false, nil
		}
		changed, err := s.Events.ChangeDate(ctx, tx, m.id, in, now)
		if err == nil && changed {
			c.Changed++
		}
		return true, err
	}
	return c, s.each(ctx, v, id, &c, comingStmt, now, "", change)
}

// each runs do for coming dates of the viewer's series from a date of the rule on, in transactions of changeStep dates. stmt reads those
// that may still change. do returns false for a date that is left alone. A date that refuses the change is left alone, too: its transaction
// is undone, and runs again without the date. Dates are found before, so that no transaction searches the whole series.
func (s *Service) each(ctx context.Context, v domain.Viewer, id domain.SeriesID, c *Changed, stmt *db.Stmt, now time.Time, from string,
	do func(tx db.Tx, m made) (bool, error)) error {
	all, err := db.Values[domain.EventID](ctx, s.DB, madeStmt, id, now, from, domain.EventID{}, maxDates)
	if err != nil {
		return err
	}
	refused := map[domain.EventID]bool{}
	for len(all) > 0 {
		step := all[:min(changeStep, len(all))]
		var refuses domain.EventID
		before := *c
		err := s.DB.InTx(ctx, func(tx db.Tx) (err error) {
			*c, refuses = before, domain.EventID{} // the transaction may run again
			if _, err := lockOwn(ctx, tx, v, id); err != nil {
				return err
			}
			dates, err := db.All(ctx, tx, scanMade, stmt, id, step, now)
			if err != nil {
				return err
			}
			for _, m := range dates {
				done := false
				if !refused[m.id] {
					if done, err = do(tx, m); err != nil {
						refuses = m.id
						return err
					}
				}
				if !done {
					c.LeftAlone = append(c.LeftAlone, m.id)
				}
			}
			return nil
		})
		if _, is := errors.AsType[*domain.Error](err); is && !refuses.IsZero() {
			refused[refuses], *c = true, before
			continue
		}
		if err != nil {
			return err
		}
		all = all[len(step):]
	}
	return nil
}

// Skip leaves out one date of the viewer's series. A date that is made is canceled.
func (s *Service) Skip(ctx context.Context, v domain.Viewer, id domain.SeriesID, occurrence string) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		r, err := lockOwn(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := r.mustHave("/occurrence_at", occurrence); err != nil {
			return err
		}
		tx.Queue(ctx, skipStmt, id, occurrence)
		var e domain.EventID
		made, err := tx.One(ctx, dateStmt, id, occurrence).Find(&e)
		if err != nil || !made {
			return err
		}
		return s.Events.CancelIn(ctx, tx, e, now)
	})
}

// mustHave returns a problem at a pointer unless the rule has the date.
func (s Series) mustHave(pointer, occurrence string) error {
	schedule, err := s.schedule()
	if err != nil {
		return err
	}
	local, err := time.Parse(recurrence.Layout, occurrence)
	if err != nil || !schedule.Has(local) {
		return domain.Invalid(pointer, "must be a date of the series")
	}
	return nil
}

// Continuation is a request to continue a series by another rule.
type Continuation struct {
	From, Rule, StartsAt string
	Minutes              domain.Opt[int64]
}

// Split ends the viewer's series before a date, and begins a new one with the same template and members. Coming dates of the first from
// there on are canceled if they have neither guests nor invitations.
func (s *Service) Split(ctx context.Context, v domain.Viewer, id domain.SeriesID, in Continuation) (r Series, c Changed, err error) {
	now := s.Clock.Now()
	var next domain.SeriesID
	err = db.RetryUnique(func() error {
		next = domain.NewIDIn[domain.SeriesKind](ctx, now)
		return idempotency.InTx(ctx, s.DB, now, &next, func(tx db.Tx) error { return s.splitIn(ctx, tx, v, id, next, in, now) })
	})
	if err != nil {
		return r, c, err
	}
	cancel := func(tx db.Tx, m made) (bool, error) {
		if m.flag {
			return false, nil
		}
		return true, s.Events.CancelIn(ctx, tx, m.id, now)
	}
	if err := s.each(ctx, v, id, &c, laterStmt, now, in.From, cancel); err != nil {
		return r, c, err
	}
	if err := s.DB.One(ctx, canceledStmt, id, in.From, now).Scan(&c.Changed); err != nil { // of this request and of an earlier attempt
		return r, c, err
	}
	r, err = s.Get(ctx, v, next)
	return r, c, err
}

func (s *Service) splitIn(ctx context.Context, tx db.Tx, v domain.Viewer, id, next domain.SeriesID, in Continuation, now time.Time) error {
	old, err := lockOwn(ctx, tx, v, id)
	if err != nil {
		return err
	}
	r := old
	if r.QuestionsOf, err = old.questionsBefore(ctx, tx, in.From); err != nil {
		return err
	}
	r.ID, r.Rule, r.StartsAt, r.MadeUntil, r.DueAt, r.CreatedAt, r.Status = next, in.Rule, in.StartsAt, "", nil, now, Active
	in.Minutes.SetOrClear(&r.Minutes)
	var wrong domain.Problems
	checkSchedule(&wrong, "/", r, now)
	err = old.mustHave("/from", in.From)
	wrong.AddAll(err)
	if err := wrong.Err(); err != nil {
		return err
	}
	if old.Status == Ended {
		return domain.Forbid(domain.BlockedByState)
	}
	old.EndsBefore = in.From
	update(ctx, tx, old, now)
	if err := s.endIfDone(ctx, tx, id, now); err != nil {
		return err
	}
	if err := s.mustHaveRoom(ctx, tx, v.UserID); err != nil {
		return err
	}
	insert(ctx, tx, r)
	tx.Queue(ctx, copyMembersStmt, id, next)
	return s.makeAndContinue(ctx, tx, next, now)
}

// endIfDone ends a series unless it still has dates to make before the one from which another series continues it.
func (s *Service) endIfDone(ctx context.Context, tx db.Tx, id domain.SeriesID, now time.Time) error {
	if err := s.makeAndContinue(ctx, tx, id, now); err != nil {
		return err
	}
	r, err := lock(ctx, tx, id)
	if err == nil && r.DueAt == nil {
		r.Status = Ended
		update(ctx, tx, r, now)
	}
	return err
}

// SetStatus pauses, resumes or ends the viewer's series. Returns Forbidden if it has ended, unless that is the new status.
func (s *Service) SetStatus(ctx context.Context, v domain.Viewer, id domain.SeriesID, to Status) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		r, err := lockOwn(ctx, tx, v, id)
		if err != nil || r.Status == to {
			return err
		}
		if r.Status == Ended {
			return domain.Forbid(domain.BlockedByState)
		}
		r.Status, r.DueAt = to, nil
		update(ctx, tx, r, now)
		if to != Active {
			return nil
		}
		return s.makeAndContinue(ctx, tx, id, now)
	})
}
