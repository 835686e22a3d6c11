package attendance

import (
	"context"

	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// WaitingUser is an entry of a waiting list with the profile of its user, for hosts.
type WaitingUser struct {
	event.WaitlistEntry
	Profile *user.Public // nil if the account is deleted, or the user is hidden
	hidden  bool         // the viewer must not learn who it is
	Answers []question.Answer
}

// code returns the code of a hidden user; nil for others.
func (w WaitingUser) code() *string {
	return Participant{ID: domain.ParticipantID(w.ID), hidden: w.hidden}.code()
}

// entriesCursor names the cursor of the list of entries. Its value is the place of an entry.
const entriesCursor = "waitlist.1"

// entriesStmt omits users who have a block with the organizer. For hosts, it has those who wait incognito, but does not name them: all see
// how many wait.
var entriesStmt = db.SQL("attendance.entries", `
	SELECT w.*, `+user.Columns("o")+` FROM (
		SELECT `+event.WaitlistColumns+`, `+namesGuest("w")+` AS named FROM waitlist_entries w
		WHERE w.event_id = $1 AND w.place > $5 AND (CAST($4 AS TEXT) = '' OR w.status = $4) AND `+access.NotBlocked("w.user_id", organizerSQL)+`
		ORDER BY w.place LIMIT 101) AS w
	LEFT JOIN profiles o ON o.user_id = w.user_id AND w.named ORDER BY w.place`)

func afterPlace(cursor string) (place int64, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, entriesCursor, &place)
	}
	return place, err
}

// Entries returns a page of the waiting list, limit of them (1 to 100), in the order in which seats are given. An empty status means any.
// Its errors are those of Participants.
func (s *Service) Entries(ctx context.Context, v domain.Viewer, id domain.EventID, status event.WaitlistStatus, limit int,
	cursor string) (page domain.Page[WaitingUser], err error) {
	after, err := afterPlace(cursor)
	if err != nil {
		return page, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		f, err := hostedFacts(ctx, q, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		entries, err := db.All(ctx, q, scanWaiting, entriesStmt, id, v.UserID, access.SessionUser(v), status, after)
		page = domain.NewPage(entries, limit, func(last WaitingUser) string { return domain.Cursor(entriesCursor, last.Place) })
		if err != nil || !f.HasQuestions {
			return err
		}
		return addAnswers(ctx, q, id, page.Items, func(w *WaitingUser) (domain.UserID, *[]question.Answer) {
			return answersFrom(f, v, w.UserID, w.Visibility), &w.Answers
		})
	})
	return page, err
}

func scanWaiting(row db.Row, w *WaitingUser) error {
	var named bool
	var profile user.ProfileColumns
	err := row.Scan(append(append(w.Columns(), &named), profile.Dest()...)...)
	w.hidden, w.Profile = !named, profile.Public()
	return err
}

var entryUserStmt = db.SQL("attendance.entry_user", `
	SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.id = $2 AND `+access.NotBlocked("w.user_id", organizerSQL))

// entryUser returns the user of an entry. Returns the errors of Participants, and NotFound for an entry that Entries does not list.
func (s *Service) entryUser(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID,
	entry domain.WaitlistEntryID) (of domain.UserID, err error) {
	if _, err := hostedFacts(ctx, q, v, id, s.Clock.Now()); err != nil {
		return of, err
	}
	err = q.One(ctx, entryUserStmt, id, entry).ScanOr(domain.NotFound, &of)
	return of, err
}

// RemoveEntry ends an entry and its offer, for the organizer, and makes the refund due of what the user has paid: a guest who has left may
// wait again. Returns the errors of entryUser.
func (s *Service) RemoveEntry(ctx context.Context, v domain.Viewer, id domain.EventID, entry domain.WaitlistEntryID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		of, err := s.entryUser(ctx, tx, v, id, entry)
		if err != nil {
			return err
		}
		e, active, err := lockActive(ctx, tx, id, of)
		if err != nil || !active {
			return err
		}
		if err := endEntry(ctx, tx, e, event.EntryRemoved, now); err != nil {
			return err
		}
		_, err = s.Refund(ctx, tx, id, of, now)
		return err
	})
}

// OfferSeats offers seats to an entry, whatever its place, for the organizer. Returns the errors of entryUser, and Forbidden if the entry
// does not wait, its user may not join any more, or too few seats are free.
func (s *Service) OfferSeats(ctx context.Context, v domain.Viewer, id domain.EventID,
	entry domain.WaitlistEntryID) (e event.WaitlistEntry, err error) {
	now := s.Clock.Now()
	of, err := s.entryUser(ctx, s.DB, v, id, entry)
	if err != nil {
		return e, err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		d := &dealer{s: s, tx: tx, now: now, list: list{id: id}}
		if err := d.lock(ctx, []domain.UserID{of}, []domain.UserID{of}); err != nil {
			return err
		}
		if _, err := s.entryUser(ctx, tx, v, id, entry); err != nil { // a concurrent block
			return err
		}
		if err := d.offerTo(ctx, of); err != nil {
			return err
		}
		e, err = readEntry(ctx, tx, id, of)
		return err
	})
	return e, err
}

// offerTo offers seats to a user whose entry is locked. It changes nothing if they have an offer.
func (d *dealer) offerTo(ctx context.Context, of domain.UserID) error {
	e := d.entries[of]
	switch {
	case e.Status == event.EntryOffered:
		return nil
	case e.Status != event.EntryWaiting, !d.list.deals(d.now):
		return domain.Forbid(domain.BlockedByState)
	case e.Party > d.free():
		return domain.Forbid(domain.EventFull)
	}
	if err := d.offer(ctx, e); err != nil {
		return err
	}
	more, err := d.finish(ctx)
	if err != nil || !more {
		return err
	}
	return putDeal(ctx, d.tx, d.now, d.list.id, "")
}
