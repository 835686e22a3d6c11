package attendance

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// hold are seats that are held for one user. Only they can take them.
type hold struct {
	number, party int64
	until         time.Time // at most the start of the event
}

var (
	holdStmt = db.SQL("attendance.hold_seats", `
		INSERT INTO seat_holds (event_id, user_id, slot, party, reason, until) VALUES ($1, $2, $3, $4, 'offer', $5)`)

	shrinkHoldStmt = db.SQL("attendance.shrink_hold", `
		UPDATE seat_holds SET party = $3 WHERE event_id = $1 AND user_id = $2 RETURNING slot`)

	deleteHoldStmt = db.SQL("attendance.delete_hold", `
		DELETE FROM seat_holds WHERE event_id = $1 AND user_id = $2
		RETURNING slot, party, (SELECT CASE WHEN seat_holds.until < e.starts_at THEN seat_holds.until ELSE e.starts_at END
			FROM events e WHERE e.id = seat_holds.event_id)`)

	// claimStmt takes held seats. A canceled event has no seats: then it sets n to NULL, which undoes the transaction.
	claimStmt = db.SQL("attendance.claim_seats", `
		UPDATE event_slots SET held = held - $3, n = CASE WHEN cap IS NULL OR n + held + kept <= cap THEN n + $3 END
		WHERE event_id = $1 AND slot = $2`)
)

// deleteHold ends the hold of a user, whose entry is locked. The caller takes or frees the seats, which are none if there is no hold.
func deleteHold(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID) (h hold, err error) {
	_, err = tx.One(ctx, deleteHoldStmt, id, user).Find(&h.number, &h.party, &h.until)
	return h, err
}

// joinFromWaitlist ends the entry of a user who joins, and returns its terms. If seats are held for them, the function that it returns
// takes these, and frees those that a smaller party does not need. Otherwise it returns take.
func joinFromWaitlist(ctx context.Context, tx db.Tx, f access.EventFacts, p *Participant, t Terms, take takeSeats,
	now time.Time) (waited Terms, taker takeSeats, err error) {
	if !f.Waitlisted {
		return Terms{}, take, nil
	}
	e, active, err := lockActive(ctx, tx, p.EventID, p.UserID)
	if err != nil || !active {
		return Terms{}, take, err
	}
	waited = Terms{Visibility: e.Visibility, Party: e.Party}
	tx.Queue(ctx, setEntryStmt, p.EventID, p.UserID, event.EntryJoined, 0, now)
	if e.Status != event.EntryOffered {
		return waited, take, nil
	}
	h, err := deleteHold(ctx, tx, p.EventID, p.UserID)
	switch {
	case err != nil:
		return waited, nil, err
	case !now.Before(h.until):
		return waited, take, seatsFreed(ctx, tx, now, freed{p.EventID, h.number, 0, h.party, true})
	case t.Party > h.party:
		return waited, nil, domain.Forbid(domain.BlockedByState)
	}
	return waited, func(ctx context.Context, tx db.Tx, p *Participant, seats int64, _ bool) error {
		p.seatRow = h.number
		tx.Changed(event.Attendance.Of(p.EventID))
		tx.Queue(ctx, moveSeatStmt, p.EventID, p.UserID, h.number)
		tx.Queue(ctx, claimStmt, p.EventID, h.number, seats)
		if seats == h.party {
			return nil
		}
		return seatsFreed(ctx, tx, now, freed{p.EventID, h.number, 0, h.party - seats, true})
	}, nil
}
