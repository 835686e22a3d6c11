package attendance

import (
	"context"
	"math/rand/v2"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Seats counts the participants of events. The count of one event is divided
// among several seat rows (of event_slots), so that a popular event is not one hot row. Each
// seat row has a share of the capacity, and the statement that takes a seat decides
// whether there is one.
//
// All transactions lock in the same order: event, invitation, participant, seat rows
// by number, notifications.
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

// anySeatRow picks a random seat row. If the capacity is smaller than the number of
// seat rows, only the first ones have seats.
func anySeatRow(q db.Querier, capacity *int64) int64 {
	n := int64(len(seatRowNumbers(q)))
	if capacity != nil {
		n = min(n, *capacity)
	}
	return rand.Int64N(n)
}

// takeSeatStmt sets n to NULL if the seat row is full: that violates NOT NULL and undoes
// the transaction (db.NullViolation).
var takeSeatStmt = db.SQL("attendance.take_seat", `
	INSERT INTO event_slots (event_id, slot, n) VALUES ($1, $2, 1)
	ON CONFLICT (event_id, slot) DO UPDATE
		SET n = CASE WHEN event_slots.cap IS NULL OR event_slots.n < event_slots.cap THEN event_slots.n + 1 END`)

// takeFromSeatRow queues a seat from the row p.seatRow, and locks no other.
func takeFromSeatRow(ctx context.Context, tx db.Tx, p *Participant) error {
	tx.Changed(event.Attendance.Of(p.EventID))
	tx.Queue(ctx, takeSeatStmt, p.EventID, p.seatRow)
	return nil
}

var moveSeatStmt = db.SQL("attendance.move_seat", `UPDATE participants SET slot = $3 WHERE event_id = $1 AND user_id = $2`)

// takeFromAnySeatRow locks all seat rows and queues a seat from one that is not full.
// Returns Forbidden if none has a seat.
func takeFromAnySeatRow(ctx context.Context, tx db.Tx, p *Participant) error {
	rows, err := lockSeatRows(ctx, tx, p.EventID)
	if err != nil {
		return err
	}
	free, err := freeSeatRow(rows)
	if err != nil {
		return err
	}
	p.seatRow = free.number
	tx.Queue(ctx, moveSeatStmt, p.EventID, p.UserID, p.seatRow)
	return takeFromSeatRow(ctx, tx, p)
}

var returnSeatsStmt = db.SQL("attendance.return_seats", `
	UPDATE event_slots SET n = n - 1 WHERE (event_id, slot) IN (
		SELECT e.value, s.value FROM ids($1) AS e JOIN ints($2) AS s ON s.ord = e.ord)`)

// returnSeats returns the seats of participants in different events.
func returnSeats(ctx context.Context, tx db.Tx, all []ended) {
	var events []domain.EventID
	var numbers []int64
	for _, p := range all {
		tx.Changed(event.Attendance.Of(p.EventID))
		events, numbers = append(events, p.EventID), append(numbers, p.seatRow)
	}
	tx.Queue(ctx, returnSeatsStmt, events, numbers)
}

type seatRow struct {
	number, n int64
	limit     *int64
}

func (s seatRow) free() bool { return s.limit == nil || s.n < *s.limit }

// closed reports whether nobody may take a seat, even if one is returned. Every open
// event has a seat row that is not closed, because its capacity is at least 1.
func (s seatRow) closed() bool { return s.limit != nil && *s.limit == 0 }

func scanSeatRow(row db.Row, s *seatRow) error { return row.Scan(&s.number, &s.n, &s.limit) }

// freeSeatRow returns a seat row with a seat. Returns Forbidden if there is none, because the
// event is full or has just been canceled.
func freeSeatRow(rows []seatRow) (seatRow, error) {
	if free := slices.IndexFunc(rows, seatRow.free); free >= 0 {
		return rows[free], nil
	}
	if slices.ContainsFunc(rows, func(s seatRow) bool { return !s.closed() }) {
		return seatRow{}, domain.Forbid(domain.EventFull)
	}
	return seatRow{}, domain.Forbid(domain.EventCanceled)
}

var (
	seatRowsStmt     = db.SQL("attendance.slots", `SELECT slot, n, cap FROM event_slots WHERE event_id = $1`)
	lockSeatRowsStmt = db.SQL("attendance.lock_slots", `SELECT slot, n, cap FROM event_slots WHERE event_id = $1 ORDER BY slot FOR UPDATE`)
)

// lockSeatRows locks all seat rows until the transaction ends, against joins and leaves.
func lockSeatRows(ctx context.Context, tx db.Tx, id domain.EventID) ([]seatRow, error) {
	return db.All(ctx, tx, scanSeatRow, lockSeatRowsStmt, id)
}

// mustHaveSeat returns Forbidden if no seat row has a seat. It locks nothing, so a full
// event refuses most joins without locking its seat rows.
func mustHaveSeat(ctx context.Context, q db.Querier, id domain.EventID) error {
	rows, err := db.All(ctx, q, scanSeatRow, seatRowsStmt, id)
	if err != nil {
		return err
	}
	_, err = freeSeatRow(rows)
	return err
}

var makeSeatRowsStmt = db.SQL("attendance.make_slots", `
	INSERT INTO event_slots (event_id, slot, n) SELECT $1, l.value, 0 FROM ints($2) AS l WHERE TRUE ORDER BY l.value
	ON CONFLICT (event_id, slot) DO UPDATE SET n = event_slots.n`)

var shareStmt = db.SQL("attendance.share_capacity", `
	UPDATE event_slots SET cap = (SELECT c.value FROM ints($2) AS s JOIN ints($3) AS c ON c.ord = s.ord WHERE s.value = event_slots.slot)
	WHERE event_id = $1`)

// SetCapacity divides a capacity among the seat rows; nil removes the limit. Returns
// Invalid if more users are going.
func (Seats) SetCapacity(ctx context.Context, tx db.Tx, id domain.EventID, capacity *int64) error {
	numbers := seatRowNumbers(tx)
	tx.Queue(ctx, makeSeatRowsStmt, id, numbers)
	rows, err := lockSeatRows(ctx, tx, id)
	if err != nil {
		return err
	}
	var limits []int64
	if capacity != nil {
		if limits = share(rows, *capacity); limits == nil {
			return domain.Invalid("/capacity", "must not be below the number of people who are going")
		}
	}
	tx.Queue(ctx, shareStmt, id, numbers, limits)
	return nil
}

// share returns the limit of each seat row: its participants and an equal part of the
// free seats. Returns nil if there are more participants than seats.
func share(rows []seatRow, capacity int64) []int64 {
	free := capacity
	for _, s := range rows {
		free -= s.n
	}
	if free < 0 {
		return nil
	}
	limits := make([]int64, len(rows))
	each, remainder := free/int64(len(rows)), free%int64(len(rows))
	for i, s := range rows {
		limits[i] = s.n + each
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
// because there is no seat.
func (Seats) Close(ctx context.Context, tx db.Tx, id domain.EventID) error {
	tx.Queue(ctx, closeStmt, id, seatRowNumbers(tx))
	return nil
}
