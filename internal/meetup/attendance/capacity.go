package attendance

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

var makeSeatRowsStmt = db.SQL("attendance.make_slots", `
	INSERT INTO event_slots (event_id, slot, n) SELECT $1, l.value, 0 FROM ints($2) AS l WHERE TRUE ORDER BY l.value
	ON CONFLICT (event_id, slot) DO UPDATE SET n = event_slots.n`)

var shareStmt = db.SQL("attendance.share_capacity", `
	UPDATE event_slots SET cap = (SELECT c.value FROM ints($2) AS s JOIN ints($3) AS c ON c.ord = s.ord WHERE s.value = event_slots.slot)
	WHERE event_id = $1`)

// setLimits queues the shares of the rows; nil removes them.
func setLimits(ctx context.Context, tx db.Tx, id domain.EventID, rows []seatRow, limits []int64) {
	numbers := make([]int64, len(rows))
	for i, s := range rows {
		numbers[i] = s.number
	}
	tx.Queue(ctx, shareStmt, id, numbers, limits)
}

// Set divides the capacity among the seat rows; without one, it removes the limit. Returns Invalid if more people are going.
// If a lower capacity leaves too few seats for the offers, Set withdraws the latest ones. A job then deals free seats to the
// waiting list.
func (Seats) Set(ctx context.Context, tx db.Tx, e event.SeatRules, now time.Time) error {
	tx.Queue(ctx, makeSeatRowsStmt, e.Event, seatRowNumbers(tx))
	var offered []domain.UserID
	var err error
	if e.Waitlisted {
		if offered, err = lockOffered(ctx, tx, e.Event); err != nil {
			return err
		}
	}
	rows, err := lockSeatRows(ctx, tx, e.Event)
	if err != nil {
		return err
	}
	if e.Waitlisted {
		if err := withdrawOffers(ctx, tx, e, rows, offered, now); err != nil {
			return err
		}
	}
	var limits []int64
	if e.Capacity != nil {
		if limits = share(rows, *e.Capacity, sharingRows(tx, e.Capacity, e.MaxParty)); limits == nil {
			return domain.Invalid("/capacity", "must not be below the number of people who are going")
		}
	}
	setLimits(ctx, tx, e.Event, rows, limits)
	if !e.Waitlisted {
		return nil
	}
	tx.Queue(ctx, keepFreeStmt, e.Event)
	return putDeal(ctx, tx, now, e.Event, "")
}

// keepFreeStmt keeps all free seats for those who wait.
var keepFreeStmt = db.SQL("attendance.keep_free", `
	UPDATE event_slots SET kept = CASE WHEN cap > n + held THEN cap - n - held ELSE 0 END WHERE event_id = $1 AND waiting AND cap IS NOT NULL`)

// withdrawOffers puts entries with offers back to their places, the latest offer first, until the seats that are taken and held are
// within the capacity. It locks nothing: the entries and the seat rows are locked.
func withdrawOffers(ctx context.Context, tx db.Tx, e event.SeatRules, rows []seatRow, offered []domain.UserID, now time.Time) error {
	var over int64
	for i, s := range rows {
		over += s.n + s.held
		rows[i].kept = 0
	}
	tx.Queue(ctx, dropKeptStmt, e.Event)
	if e.Capacity == nil {
		return nil
	}
	over -= *e.Capacity
	for _, user := range offered {
		if over <= 0 {
			return nil
		}
		h, err := deleteHold(ctx, tx, e.Event, user)
		if err != nil {
			return err
		}
		for i := range rows {
			if rows[i].number == h.number {
				rows[i].held -= h.party
			}
		}
		over -= h.party
		tx.Queue(ctx, unholdStmt, e.Event, h.number, h.party)
		tx.Queue(ctx, setEntryStmt, e.Event, user, event.EntryWaiting, 0, now)
		tx.Queue(ctx, setWaitingStmt, e.Event)
	}
	return nil
}

var (
	dropKeptStmt = db.SQL("attendance.drop_kept", `UPDATE event_slots SET kept = 0 WHERE event_id = $1 AND kept > 0`)

	unholdStmt = db.SQL("attendance.unhold", `UPDATE event_slots SET held = held - $3 WHERE event_id = $1 AND slot = $2`)
)

// share returns the limit of each seat row: its used seats and, in the sharing rows, an equal part of the
// free ones. Returns nil if more seats are used than there are.
func share(rows []seatRow, capacity, sharing int64) []int64 {
	free := capacity
	for _, s := range rows {
		free -= s.used()
	}
	if free < 0 {
		return nil
	}
	limits := make([]int64, len(rows))
	each, remainder := free/sharing, free%sharing
	for i, s := range rows {
		limits[i] = s.used()
		if int64(i) < sharing {
			limits[i] += each
		}
		if int64(i) < remainder {
			limits[i]++
		}
	}
	return limits
}

var closeStmt = db.SQL("attendance.close", `
	INSERT INTO event_slots (event_id, slot, n, cap) SELECT $1, l.value, 0, 0 FROM ints($2) AS l WHERE TRUE ORDER BY l.value
	ON CONFLICT (event_id, slot) DO UPDATE SET cap = 0`)

// Close refuses further joins. A concurrent join is counted before Close, or fails
// because there is no seat. A job closes the waiting list.
func (Seats) Close(ctx context.Context, tx db.Tx, e event.SeatRules, now time.Time) error {
	tx.Queue(ctx, closeStmt, e.Event, seatRowNumbers(tx))
	if !e.Waitlisted {
		return nil
	}
	return putDeal(ctx, tx, now, e.Event, "")
}
