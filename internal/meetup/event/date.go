package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// Package datevote decides who may change the date of an event and notifies people
// of the change. It changes the event's row by the following functions.

// LockOpen locks an event for a change by a host while it is a draft or
// published. It returns the first of these errors: domain.NotFound if the viewer does
// not see the event; invalid, the error of the request, if not nil; domain.Forbidden
// if the viewer does not host it, or by Event.MustBeOpen.
func LockOpen(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, invalid error, now time.Time) (Event, error) {
	facts, err := access.Event(ctx, tx, v, id, now)
	if err != nil {
		return Event{}, err
	}
	if invalid != nil {
		return Event{}, invalid
	}
	if err := facts.MustHost(); err != nil {
		return Event{}, err
	}
	e, err := lock(ctx, tx, id, now)
	if err != nil {
		return Event{}, err
	}
	return e, e.MustBeOpen()
}

// SetDateMode sets the date mode of a locked event to DateFixed or DateVote
// (contract §7). A new vote clears the selection.
func SetDateMode(ctx context.Context, tx db.Tx, e Event, mode string, now time.Time) error {
	if e.DateMode == mode {
		return nil
	}
	e.DateMode = mode
	if mode == DateVote {
		e.SelectedDateOptionID = nil
	}
	e.touch(now)
	e.detach()
	if err := update(ctx, tx, &e, false); err != nil {
		return err
	}
	return e.queueWebhooks(ctx, tx, webhook.EventUpdated, now)
}

// SelectDate gives a locked event the start and end of a date option and fixes
// its date (contract §7). It reports whether anything changed.
func SelectDate(ctx context.Context, tx db.Tx, was Event, option domain.DateOptionID, start time.Time, end *time.Time,
	now time.Time) (changed bool, err error) {
	e := was
	e.StartsAt, e.EndsAt, e.DateMode, e.SelectedDateOptionID = start, end, DateFixed, &option
	if e.unchanged(was) {
		return false, nil
	}
	e.touch(now)
	if err := update(ctx, tx, &e, e.Status == access.Published && moved(was.Fields, e.Fields)); err != nil {
		return false, err
	}
	if err := e.queueWebhooks(ctx, tx, webhook.DateSelected, now); err != nil {
		return false, err
	}
	return true, postings.Update(ctx, tx, was.Document(), e.Document())
}
