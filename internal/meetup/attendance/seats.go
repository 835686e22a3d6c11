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
// among several rows (slots), so that a popular event is not one hot row. Each
// slot has a share of the capacity, and the statement that takes a seat decides
// whether there is one.
//
// All transactions lock in the same order: event, invitation, participant, slots
// by number, notifications.
type Seats struct{}

// postgresSlots is the number of slots on PostgreSQL. SQLite has one writer and
// needs one slot.
const postgresSlots = 16

func slotsOf(q db.Querier) []int64 {
	if q.Engine() == db.SQLite {
		return []int64{0}
	}
	slots := make([]int64, postgresSlots)
	for i := range slots {
		slots[i] = int64(i)
	}
	return slots
}

// anySlot picks a random slot. If the capacity is smaller than the number of
// slots, only the first ones have seats.
func anySlot(q db.Querier, capacity *int64) int64 {
	n := int64(len(slotsOf(q)))
	if capacity != nil {
		n = min(n, *capacity)
	}
	return rand.Int64N(n)
}

// takeSeatStmt sets n to NULL if the slot is full: that violates NOT NULL and undoes
// the transaction (db.NullViolation).
var takeSeatStmt = db.SQL("attendance.take_seat", `
	INSERT INTO event_slots (event_id, slot, n) VALUES ($1, $2, 1)
	ON CONFLICT (event_id, slot) DO UPDATE
		SET n = CASE WHEN event_slots.cap IS NULL OR event_slots.n < event_slots.cap THEN event_slots.n + 1 END`)

// takeFromSlot queues a seat from the slot of the participant, and locks no other.
func takeFromSlot(ctx context.Context, tx db.Tx, p *Participant) error {
	tx.Changed(event.Attendance.Of(p.EventID))
	tx.Queue(ctx, takeSeatStmt, p.EventID, p.slot)
	return nil
}

var moveSeatStmt = db.SQL("attendance.move_seat", `UPDATE participants SET slot = $3 WHERE event_id = $1 AND user_id = $2`)

// takeFromAnySlot locks all slots and queues a seat from one that is not full.
// Returns Forbidden if none has a seat.
func takeFromAnySlot(ctx context.Context, tx db.Tx, p *Participant) error {
	slots, err := lockSlots(ctx, tx, p.EventID)
	if err != nil {
		return err
	}
	free, err := freeSlot(slots)
	if err != nil {
		return err
	}
	p.slot = free.number
	tx.Queue(ctx, moveSeatStmt, p.EventID, p.UserID, p.slot)
	return takeFromSlot(ctx, tx, p)
}

var returnSeatsStmt = db.SQL("attendance.return_seats", `
	UPDATE event_slots SET n = n - 1 WHERE (event_id, slot) IN (
		SELECT e.value, s.value FROM ids($1) AS e JOIN ints($2) AS s ON s.ord = e.ord)`)

// returnSeats returns the seats of participants in different events.
func returnSeats(ctx context.Context, tx db.Tx, all []ended) {
	var events []domain.EventID
	var slots []int64
	for _, p := range all {
		tx.Changed(event.Attendance.Of(p.EventID))
		events, slots = append(events, p.EventID), append(slots, p.slot)
	}
	tx.Queue(ctx, returnSeatsStmt, events, slots)
}

type slot struct {
	number, n int64
	limit     *int64
}

func (s slot) free() bool { return s.limit == nil || s.n < *s.limit }

// closed reports whether nobody may take a seat, even if one is returned. Every open
// event has a slot that is not closed, because its capacity is at least 1.
func (s slot) closed() bool { return s.limit != nil && *s.limit == 0 }

func scanSlot(row db.Row, s *slot) error { return row.Scan(&s.number, &s.n, &s.limit) }

// freeSlot returns a slot with a seat. Returns Forbidden if there is none, because the
// event is full or has just been canceled.
func freeSlot(slots []slot) (slot, error) {
	if free := slices.IndexFunc(slots, slot.free); free >= 0 {
		return slots[free], nil
	}
	if slices.ContainsFunc(slots, func(s slot) bool { return !s.closed() }) {
		return slot{}, domain.Forbid(domain.EventFull)
	}
	return slot{}, domain.Forbid(domain.EventCanceled)
}

var (
	slotsStmt     = db.SQL("attendance.slots", `SELECT slot, n, cap FROM event_slots WHERE event_id = $1`)
	lockSlotsStmt = db.SQL("attendance.lock_slots", `SELECT slot, n, cap FROM event_slots WHERE event_id = $1 ORDER BY slot FOR UPDATE`)
)

// lockSlots locks all slots until the transaction ends, against joins and leaves.
func lockSlots(ctx context.Context, tx db.Tx, id domain.EventID) ([]slot, error) {
	return db.All(ctx, tx, scanSlot, lockSlotsStmt, id)
}

// mustHaveSeat returns Forbidden if no slot has a seat. It locks nothing, so a full
// event refuses most joins without locking its slots.
func mustHaveSeat(ctx context.Context, q db.Querier, id domain.EventID) error {
	slots, err := db.All(ctx, q, scanSlot, slotsStmt, id)
	if err != nil {
		return err
	}
	_, err = freeSlot(slots)
	return err
}

var makeSlotsStmt = db.SQL("attendance.make_slots", `
	INSERT INTO event_slots (event_id, slot, n) SELECT $1, l.value, 0 FROM ints($2) AS l WHERE TRUE ORDER BY l.value
	ON CONFLICT (event_id, slot) DO UPDATE SET n = event_slots.n`)

var shareStmt = db.SQL("attendance.share_capacity", `
	UPDATE event_slots SET cap = (SELECT c.value FROM ints($2) AS s JOIN ints($3) AS c ON c.ord = s.ord WHERE s.value = event_slots.slot)
	WHERE event_id = $1`)

// SetCapacity divides a capacity among the slots; nil removes the limit. Returns
// Invalid if more users are going.
func (Seats) SetCapacity(ctx context.Context, tx db.Tx, id domain.EventID, capacity *int64) error {
	numbers := slotsOf(tx)
	tx.Queue(ctx, makeSlotsStmt, id, numbers)
	slots, err := lockSlots(ctx, tx, id)
	if err != nil {
		return err
	}
	var limits []int64
	if capacity != nil {
		if limits = share(slots, *capacity); limits == nil {
			return domain.Invalid("/capacity", "must not be below the number of people who are going")
		}
	}
	tx.Queue(ctx, shareStmt, id, numbers, limits)
	return nil
}

// share returns the limit of each slot: its participants and an equal part of the
// free seats. Returns nil if there are more participants than seats.
func share(slots []slot, capacity int64) []int64 {
	free := capacity
	for _, s := range slots {
		free -= s.n
	}
	if free < 0 {
		return nil
	}
	limits := make([]int64, len(slots))
	each, remainder := free/int64(len(slots)), free%int64(len(slots))
	for i, s := range slots {
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
	tx.Queue(ctx, closeStmt, id, slotsOf(tx))
	return nil
}
