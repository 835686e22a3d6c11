package event

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Clone stores a draft of the viewer with the fields and the questions of one of their events. It returns the errors of lockOwn,
// and domain.Forbidden if the draft would be later than an event may be.
func (s *Service) Clone(ctx context.Context, v domain.Viewer, id domain.EventID) (Details, error) {
	now := s.Clock.Now()
	original, err := owned(v)(locked(s.DB.One(ctx, hostedStmt, id, v.UserID), now))
	if err != nil {
		return Details{}, err
	}
	fields := original.Fields
	fields.DateMode = DateFixed
	fields.StartsAt = nextWeek(original.StartsAt, original.Timezone, now)
	if original.EndsAt != nil {
		fields.EndsAt = new(fields.StartsAt.Add(original.EndsAt.Sub(original.StartsAt)))
	}
	if !fields.inContract() {
		return Details{}, domain.Forbid(domain.BlockedByState)
	}
	if fields.Group != nil {
		err := s.DB.InTx(db.Preparation(ctx), func(tx db.Tx) error { return fields.keepGroup(ctx, tx, v.UserID) })
		if err != nil {
			return Details{}, err
		}
	}
	clone := Event{Fields: fields, ImageAspect: original.ImageAspect, HasQuestions: original.HasQuestions}
	return s.store(ctx, v, clone, now, func(tx db.Tx, e Event) error {
		if e.HasQuestions {
			s.CopyQuestions(ctx, tx, id, e.ID)
		}
		return nil
	})
}

// nextWeek moves a start by whole weeks at the same local time: to the first that is later than the start and than now.
func nextWeek(start time.Time, zone string, now time.Time) time.Time {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC // the zone was removed since
	}
	weeks := 1 + max(0, int(now.Sub(start)/(7*24*time.Hour)))
	next := start.In(location).AddDate(0, 0, 7*weeks)
	if !next.After(now) { // the clocks have changed meanwhile
		next = next.AddDate(0, 0, 7)
	}
	return next.UTC()
}
