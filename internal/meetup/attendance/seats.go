package attendance

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Seats counts the people who go to events. The count of one event is divided
// among several seat rows (of event_slots), so that a popular event is not one hot row. Each
// seat row has a share of the capacity, and the statement that takes seats decides
// whether there are enough. A party is never split: one row counts all its seats.
//
// A seat is taken, held for a user (seat_holds), kept for the waiting list, or free.
//
// All transactions lock in the same order: accounts, event, invitation, participant, entries of the waiting list, seat
// rows by number, holds, notifications.
type Seats struct{}

// postgresSeatRows is the number of seat rows on PostgreSQL. SQLite has one writer and
// needs one seat row.
const postgresSeatRows = 16

// seatRowNumbers returns the numbers of the seat rows of an event.
func seatRowNumbers(q db.Querier) []int64 {
	if q.Engine() == db.SQLite {
		return []int64{0}
	}
	numbers := make([]int64, postgresSeatRows)
	for i := range numbers {
		numbers[i] = int64(i)
	}
	return numbers
}

// sharingRows returns how many of the first seat rows share a capacity; nil is no limit. Each share
// has room for several of the largest parties, so that few of them need seats of other rows.
func sharingRows(q db.Querier, capacity *int64, maxParty int64) int64 {
	n := int64(len(seatRowNumbers(q)))
	switch {
	case capacity == nil:
		return n
	case maxParty == 1:
		return min(n, max(1, *capacity))
	default:
		return min(n, max(1, *capacity/(8*maxParty)))
	}
}

// anySeatRow picks a random row of those that share the capacity.
func anySeatRow(q db.Querier, capacity *int64, maxParty int64) int64 {
	return rand.Int64N(sharingRows(q, capacity, maxParty))
}

// takeSeatsStmt sets n to NULL if the seat row has too few free seats: that violates NOT NULL and undoes
// the transaction (db.NullViolation).
var takeSeatsStmt = db.SQL("attendance.take_seats", `
	INSERT INTO event_slots (event_id, slot, n) VALUES ($1, $2, $3)
	ON CONFLICT (event_id, slot) DO UPDATE
		SET n = CASE WHEN event_slots.cap IS NULL OR event_slots.n + event_slots.held + event_slots.kept + excluded.n <= event_slots.cap
			THEN event_slots.n + excluded.n END`)

// takeFromSeatRow queues the taking of seats from the row p.seatRow, and locks no other.
func takeFromSeatRow(ctx context.Context, tx db.Tx, p *Participant, seats int64) {
	tx.Changed(event.Attendance.Of(p.EventID))
	tx.Queue(ctx, takeSeatsStmt, p.EventID, p.seatRow, seats)
}

var moveSeatStmt = db.SQL("attendance.move_seat", `UPDATE participants SET slot = $3 WHERE event_id = $1 AND user_id = $2`)

// takeFromAnySeatRow locks all seat rows and queues the taking of seats from one that has them, if necessary after it
// got free seats of other rows. If the user is going already, that is the row of their party.
// Returns Forbidden if all rows together have too few seats.
func takeFromAnySeatRow(ctx context.Context, tx db.Tx, p *Participant, seats int64, going bool) error {
	rows, err := lockSeatRows(ctx, tx, p.EventID)
	if err != nil {
		return err
	}
	if err := mustHaveFree(rows, seats); err != nil {
		return err
	}
	to := mostFree(rows)
	if going {
		to = slices.IndexFunc(rows, func(s seatRow) bool { return s.number == p.seatRow })
	} else {
		p.seatRow = rows[to].number
		tx.Queue(ctx, moveSeatStmt, p.EventID, p.UserID, p.seatRow)
	}
	if rows[to].free() < seats {
		setLimits(ctx, tx, p.EventID, rows, gather(rows, to, seats))
	}
	takeFromSeatRow(ctx, tx, p, seats)
	return nil
}

// mostFree returns the index of the row with the most free seats.
func mostFree(rows []seatRow) int {
	most := 0
	for i, s := range rows {
		if s.free() > rows[most].free() {
			most = i
		}
	}
	return most
}

// gather returns limits of the rows by which the row with index to has this number of free seats. All rows together must have them.
func gather(rows []seatRow, to int, seats int64) []int64 {
	limits := make([]int64, len(rows))
	missing := seats - rows[to].free()
	for i, s := range rows {
		limits[i] = s.used() + s.free()
		if i != to {
			moved := min(s.free(), missing)
			limits[i] -= moved
			missing -= moved
		}
	}
	limits[to] = rows[to].used() + seats
	return limits
}

type seatRow struct {
	number, n, held, kept int64
	limit                 *int64
}

// used is the number of seats that are not free.
func (s seatRow) used() int64 { return s.n + s.held + s.kept }

func (s seatRow) free() int64 {
	if s.limit == nil {
		return math.MaxInt32
	}
	return max(0, *s.limit-s.used())
}

// closed reports whether nobody may take a seat, even if one is returned. Every open
// event has a seat row that is not closed, because its capacity is at least 1.
func (s seatRow) closed() bool { return s.limit != nil && *s.limit == 0 }

func scanSeatRow(row db.Row, s *seatRow) error {
	return row.Scan(&s.number, &s.n, &s.held, &s.kept, &s.limit)
}

// mustHaveFree returns Forbidden if the rows together have too few free seats, because the event is full or has just been canceled.
func mustHaveFree(rows []seatRow, seats int64) error {
	var free int64
	for _, s := range rows {
		free += s.free()
	}
	switch {
	case free >= seats:
		return nil
	case slices.ContainsFunc(rows, func(s seatRow) bool { return !s.closed() }):
		return domain.Forbid(domain.EventFull)
	default:
		return domain.Forbid(domain.EventCanceled)
	}
}

const seatRowsSQL = `SELECT slot, n, held, kept, cap FROM event_slots WHERE event_id = $1 ORDER BY slot`

var (
	seatRowsStmt     = db.SQL("attendance.slots", seatRowsSQL)
	lockSeatRowsStmt = db.SQL("attendance.lock_slots", seatRowsSQL+` FOR UPDATE`)
)

// lockSeatRows locks all seat rows until the transaction ends, against joins and leaves.
func lockSeatRows(ctx context.Context, tx db.Tx, id domain.EventID) ([]seatRow, error) {
	return db.All(ctx, tx, scanSeatRow, lockSeatRowsStmt, id)
}

// mustHaveSeats returns Forbidden if the event has too few free seats. It locks nothing, so a full
// event refuses most joins without locking its seat rows.
func mustHaveSeats(ctx context.Context, q db.Querier, id domain.EventID, seats int64) error {
	rows, err := db.All(ctx, q, scanSeatRow, seatRowsStmt, id)
	if err != nil {
		return err
	}
	return mustHaveFree(rows, seats)
}
