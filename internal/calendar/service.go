package calendar

import (
	"context"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Filter chooses from a calendar.
type Filter struct {
	From, To time.Time // not over before From, begun before To
	Canceled bool      // canceled ones, too
	Limit    int       // 1 to 100
	Cursor   string

	afterStart time.Time
	afterID    domain.EntryID
}

// The bounds of all times (contract §0).
var (
	earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2101, 1, 1, 0, 0, 0, 0, time.UTC)
)

const entriesCursor = "calendar.entries.1"

// Page is one page of a calendar; Next is nil on the last.
type Page struct {
	Entries []Entry
	Next    *string
}

// List gives the viewer's calendar in the order of the starts.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (Page, error) {
	if f.Cursor != "" {
		if err := domain.ReadCursor(f.Cursor, entriesCursor, &f.afterStart, &f.afterID); err != nil {
			return Page{}, err
		}
	}
	if f.From.IsZero() {
		f.From = earliest
	}
	if f.To.IsZero() {
		f.To = latest
	}
	if f.To.Before(f.From) {
		return Page{}, domain.Invalid("?to", "must not be earlier than from")
	}
	entries, err := listEntries(ctx, s.DB, v.UserID, f)
	if err != nil {
		return Page{}, err
	}
	for i := range entries {
		entries[i].OwnerID = v.UserID
	}
	if len(entries) <= f.Limit {
		return Page{Entries: entries}, nil
	}
	last := entries[f.Limit-1]
	return Page{Entries: entries[:f.Limit], Next: new(domain.Cursor(entriesCursor, last.StartsAt, last.ID))}, nil
}

// Create enters something into the viewer's calendar and invites others to it.
// domain.NotFound when one of them is unknown or a block stands between.
func (s *Service) Create(ctx context.Context, v domain.Viewer, in Input, invitees []domain.UserID) (e Entry, err error) {
	fields, err := Fields{Timezone: s.Timezone}.merge(in)
	if err != nil {
		return Entry{}, err
	}
	if slices.Contains(invitees, v.UserID) {
		return Entry{}, domain.Invalid("/invitee_user_ids", "must be other people: the entry is in your calendar anyway")
	}
	now := s.Clock.Now()
	id := domain.NewID[domain.EntryKind](now)
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := insert(ctx, tx, id, v.UserID, fields, now); err != nil {
			return err
		}
		if err := invite(ctx, tx, id, v.UserID, invitees, now); err != nil {
			return err
		}
		e, err = readEntry(ctx, tx, v.UserID, id)
		return err
	})
	return e, err
}

// Update changes an entry of the viewer's calendar: all of their own, of
// others' the notes. domain.Forbidden for an own one that was canceled.
func (s *Service) Update(ctx context.Context, v domain.Viewer, id domain.EntryID, in Input) (e Entry, err error) {
	now := s.Clock.Now()
	err = s.change(ctx, v, id, &e, func(tx db.Tx) error {
		was := e.fields()
		if e.Source != Manual {
			fields, err := was.mergeLinked(in)
			if err != nil || fields.equal(was) {
				return err
			}
			return note(ctx, tx, v.UserID, id, fields.Notes, now)
		}
		fields, err := was.merge(in)
		if err != nil {
			return err
		}
		if e.off {
			return domain.Forbidden
		}
		if fields.equal(was) {
			return nil
		}
		return update(ctx, tx, id, fields, now)
	})
	return e, err
}

// Cancel cancels an entry of the viewer's calendar: their own for everybody
// invited, another one in their own calendar only. Again it changes nothing.
func (s *Service) Cancel(ctx context.Context, v domain.Viewer, id domain.EntryID) (e Entry, err error) {
	err = s.change(ctx, v, id, &e, func(tx db.Tx) error {
		if e.Status() == Canceled {
			return nil
		}
		return cancel(ctx, tx, v.UserID, e, s.Clock.Now())
	})
	return e, err
}

// change reads an entry into e, runs a change of it and reads it once more.
func (s *Service) change(ctx context.Context, v domain.Viewer, id domain.EntryID, e *Entry, do func(db.Tx) error) error {
	return s.DB.InTx(ctx, func(tx db.Tx) (err error) {
		if err := lockOwn(ctx, tx, v.UserID, id); err != nil {
			return err
		}
		if *e, err = readEntry(ctx, tx, v.UserID, id); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		*e, err = readEntry(ctx, tx, v.UserID, id)
		return err
	})
}

func (e Entry) fields() Fields {
	return Fields{Title: e.Title, StartsAt: e.StartsAt, EndsAt: e.EndsAt, Timezone: e.Timezone, AllDay: e.AllDay, LocationText: e.LocationText, Notes: e.Notes}
}
