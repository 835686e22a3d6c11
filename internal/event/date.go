package event

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// What package coord does about the date of an event: it decides who may, and
// tells people; the event's own row is written here.

// LockOpen reads an event for what only goes while it is a draft or published,
// and holds it until the transaction ends. domain.Forbidden in any other state.
func LockOpen(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (Event, error) {
	e, err := lock(ctx, tx, id)
	if err != nil {
		return Event{}, err
	}
	e.Status = access.EffectiveStatus(e.Status, e.OverAt(), now)
	if e.Status != access.Draft && e.Status != access.Published {
		return Event{}, domain.Forbidden
	}
	return e, nil
}

// SetDateMode makes the date of a locked event DateFixed or DateVote (contract
// §7). A new vote clears the selection.
func SetDateMode(ctx context.Context, tx db.Tx, e Event, mode string, now time.Time) error {
	if e.DateMode == mode {
		return nil
	}
	e.DateMode = mode
	if mode == DateVote {
		e.SelectedDateOptionID = nil
	}
	e.touch(now)
	return update(ctx, tx, &e, false)
}

// SelectDate gives a locked event the start and end of a date option and fixes
// them (contract §7). It reports whether that changed anything.
func SelectDate(ctx context.Context, tx db.Tx, was Event, option domain.DateOptionID, start time.Time, end *time.Time, now time.Time) (changed bool, err error) {
	e := was
	e.StartsAt, e.EndsAt, e.DateMode, e.SelectedDateOptionID = start, end, DateFixed, &option
	if same(was.SelectedDateOptionID, &option) && e.Fields.equal(was.Fields) {
		return false, nil
	}
	e.touch(now)
	if err := update(ctx, tx, &e, e.Status == access.Published && moved(was.Fields, e.Fields)); err != nil {
		return false, err
	}
	return true, repost(ctx, tx, was, e)
}
