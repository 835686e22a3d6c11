package event

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// LockOpen locks an event, until the transaction ends, for a change that its
// organizer makes while it is a draft or published. It returns, in this order,
// domain.NotFound if the viewer does not see the event, invalid (what is wrong with
// the request itself; nil for nothing), and domain.Forbidden for everybody but the
// organizer and in any other state.
func LockOpen(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, invalid error, now time.Time) (Event, error) {
	facts, err := access.Event(ctx, tx, v, id, now)
	if err != nil {
		return Event{}, err
	}
	if invalid != nil {
		return Event{}, invalid
	}
	if !facts.Organizer {
		return Event{}, domain.Forbidden
	}
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
