package attendance

import (
	"cmp"
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
)

// maxEntries limits the entries of one waiting list that wait (contract).
const maxEntries = 5000

// waitFacts are the facts that decide whether a viewer may wait for seats.
type waitFacts struct {
	access.EventFacts
	waitlist string
	startsAt time.Time
	removed  bool // the organizer has removed the viewer
}

// mustBeWaitable refuses viewers who see the event, but may not enter its waiting list.
func (f waitFacts) mustBeWaitable(now time.Time) error {
	switch {
	case f.Status == access.Draft:
		return domain.NotFound
	case f.Visibility == access.Private && !f.Invited():
		return domain.Forbid(domain.EventPrivate)
	case f.Status != access.Published:
		return f.Status.MustBe(access.Published)
	case f.External:
		return f.MustBeOurs()
	case !now.Before(f.startsAt):
		return domain.Forbid(domain.EventEnded)
	case f.removed:
		return domain.Forbid(domain.Removed)
	case f.Going:
		return domain.Forbid(domain.BlockedByState)
	case f.Approval && !f.Hosts() && !f.Invited():
		return domain.Forbid(domain.ApprovalRequired)
	case f.waitlist == event.WaitlistOff:
		return domain.Forbid(domain.WaitlistOff)
	case f.Capacity == nil:
		return domain.Forbid(domain.EventNotFull)
	default:
		return nil
	}
}

// EnterWaitlist puts the viewer on the waiting list of a full event, or changes their entry: a larger party moves to the end. Returns
// NotFound if the viewer does not see the event, Invalid for a party that is too large, and Forbidden as the contract says.
func (s *Service) EnterWaitlist(ctx context.Context, v domain.Viewer, id domain.EventID, t Terms) (e event.WaitlistEntry, err error) {
	now := s.Clock.Now()
	if found, err := idempotency.Find(ctx, s.DB, now, &e); found || err != nil {
		return e, err
	}
	err = idempotency.InTx(ctx, s.DB, now, &e, func(tx db.Tx) error {
		f, err := readWaitFacts(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		old, active, err := lockActive(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		if !active {
			old = event.WaitlistEntry{EventID: id, UserID: v.UserID, Visibility: Public, Party: 1}
		}
		if err := s.enter(ctx, tx, f, old, t, now); err != nil {
			return err
		}
		e, err = readEntry(ctx, tx, id, v.UserID)
		return err
	})
	return e, err
}

// enter writes the entry of the viewer, whose active entry, if there is one, is locked.
func (s *Service) enter(ctx context.Context, tx db.Tx, f waitFacts, old event.WaitlistEntry, t Terms, now time.Time) error {
	party, err := t.partySize(old.Party, f.MaxParty)
	if err != nil {
		return err
	}
	visibility, asked := cmp.Or(t.Visibility, old.Visibility), int64(0)
	unmoved := old.Status == event.EntryWaiting && party == old.Party
	if old.Status.Active() {
		asked = old.Party
	}
	switch {
	case old.Status == event.EntryOffered && party > old.Party:
		return domain.Forbid(domain.BlockedByState)
	case old.Status != event.EntryOffered && !unmoved:
		if err := f.mustBeWaitable(now); err != nil {
			return err
		}
	}
	if err := t.answer(ctx, tx, f.EventFacts, old.UserID, party, asked, now); err != nil {
		return err
	}
	switch {
	case old.Status == event.EntryOffered:
		return shrinkOffer(ctx, tx, old, party, visibility, now)
	case unmoved:
		tx.Queue(ctx, changeEntryStmt, f.ID, old.UserID, party, visibility, 0, now)
		return nil
	}
	rows, err := lockSeatRows(ctx, tx, f.ID)
	if err != nil {
		return err
	}
	switch full := mustHaveFree(rows, party); {
	case full == nil:
		return domain.Forbid(domain.EventNotFull)
	case !errors.Is(full, domain.Forbid(domain.EventFull)): // canceled meanwhile
		return full
	}
	tx.Changed(event.Attendance.Of(f.ID))
	if old.Status == event.EntryWaiting {
		toEnd := 0
		if party > old.Party {
			toEnd = 1
		}
		tx.Queue(ctx, changeEntryStmt, f.ID, old.UserID, party, visibility, toEnd, now)
		return putDeal(ctx, tx, now, f.ID, "")
	}
	n, err := tx.Exec(ctx, enterStmt, f.ID, old.UserID, domain.NewID[domain.WaitlistEntryKind](now), party, visibility, now, maxEntries)
	if err != nil {
		return err
	}
	if n == 0 {
		if f, err = readWaitFacts(ctx, tx, domain.Viewer{UserID: old.UserID}, f.ID, now); err != nil {
			return err
		}
		if err := f.mustBeWaitable(now); err != nil { // the list was switched off meanwhile
			return err
		}
		return domain.Forbid(domain.WaitlistFull)
	}
	tx.Queue(ctx, setWaitingStmt, f.ID)
	tx.Queue(ctx, deleteRequestStmt, f.ID, old.UserID)
	return webhook.Put(ctx, tx, now, f.HasWebhook, entryChange(webhook.WaitlistEntered, f.ID, party))
}

// entryChange is the message to webhooks about an entry. It names nobody, because entries may be incognito.
func entryChange(kind webhook.Kind, id domain.EventID, party int64) webhook.Change {
	return webhook.Change{Kind: kind, Event: id, Data: map[string]any{"party_size": party}}
}

// shrinkOffer changes an entry with an offer, and frees the seats that a smaller party does not need.
func shrinkOffer(ctx context.Context, tx db.Tx, e event.WaitlistEntry, party int64, visibility string, now time.Time) error {
	tx.Queue(ctx, changeEntryStmt, e.EventID, e.UserID, party, visibility, 0, now)
	if party == e.Party {
		return nil
	}
	var number int64
	if err := tx.One(ctx, shrinkHoldStmt, e.EventID, e.UserID, party).Scan(&number); err != nil {
		return err
	}
	return seatsFreed(ctx, tx, now, freed{e.EventID, number, 0, e.Party - party, true})
}

// Entry returns the viewer's entry in the waiting list of an event, which may have ended. Returns NotFound if there is none, or if the
// viewer does not see the event.
func (s *Service) Entry(ctx context.Context, v domain.Viewer, id domain.EventID) (e event.WaitlistEntry, err error) {
	if _, err := access.Event(ctx, s.DB, v, id, s.Clock.Now()); err != nil {
		return e, err
	}
	return readEntry(ctx, s.DB, id, v.UserID)
}

// LeaveWaitlist ends the viewer's entry and an offer. Returns NotFound as Entry does.
func (s *Service) LeaveWaitlist(ctx context.Context, v domain.Viewer, id domain.EventID) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := access.Event(ctx, tx, v, id, now); err != nil {
			return err
		}
		if _, err := readEntry(ctx, tx, id, v.UserID); err != nil {
			return err
		}
		return endEntryOf(ctx, tx, id, v.UserID, event.EntryLeft, now)
	})
}

// endEntryOf ends the active entry of a user, if there is one.
func endEntryOf(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID, status event.WaitlistStatus, now time.Time) error {
	e, active, err := lockActive(ctx, tx, id, user)
	if err != nil || !active {
		return err
	}
	return endEntry(ctx, tx, e, status, now)
}

// endEntry ends a locked entry, and frees the seats of an offer.
func endEntry(ctx context.Context, tx db.Tx, e event.WaitlistEntry, status event.WaitlistStatus, now time.Time) error {
	tx.Changed(event.Attendance.Of(e.EventID))
	tx.Queue(ctx, setEntryStmt, e.EventID, e.UserID, status, 0, now)
	if err := putEnded(ctx, tx, e, now); err != nil || e.Status != event.EntryOffered {
		return err
	}
	h, err := deleteHold(ctx, tx, e.EventID, e.UserID)
	if err != nil {
		return err
	}
	return seatsFreed(ctx, tx, now, freed{e.EventID, h.number, 0, h.party, true})
}

// putEnded queues the effects of an entry that ends without seats: its answers are deleted, webhooks are notified, and a job checks whether
// guests still wait.
func putEnded(ctx context.Context, tx db.Tx, e event.WaitlistEntry, now time.Time) error {
	var hasWebhook, hasQuestions bool
	if err := tx.One(ctx, entryEndStmt, e.EventID).Scan(&hasWebhook, &hasQuestions); err != nil {
		return err
	}
	if hasQuestions {
		question.Forget(ctx, tx, e.EventID, e.UserID)
	}
	if err := webhook.Put(ctx, tx, now, hasWebhook, entryChange(webhook.WaitlistEnded, e.EventID, e.Party)); err != nil {
		return err
	}
	return putDeal(ctx, tx, now, e.EventID, "")
}
