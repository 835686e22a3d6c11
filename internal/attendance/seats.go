package attendance

import (
	"context"
	"fmt"
	"math/rand/v2"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Seats counts who goes. The count of one event is spread over slots, so that
// a popular event is not one hot row; a capacity is shared out over them, and
// the statement that takes a seat decides whether there is one. Locks are
// taken in one order everywhere: event, invitation, participant, slots by
// number, and then what tells others of it.
type Seats struct{}

// postgresSlots spread the count on PostgreSQL; SQLite has one writer and
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

// anySlot picks a slot for a first try. The first slots of a small capacity
// are those that have seats.
func anySlot(q db.Querier, capacity *int64) int64 {
	n := int64(len(slotsOf(q)))
	if capacity != nil {
		n = min(n, *capacity)
	}
	return rand.Int64N(n)
}

var takeStmt = db.SQL("attendance.take_seat", `
	INSERT INTO event_slots (event_id, slot, n) VALUES ($1, $2, 1)
	ON CONFLICT (event_id, slot) DO UPDATE SET n = event_slots.n + 1
	WHERE event_slots.cap IS NULL OR event_slots.n < event_slots.cap`, db.Key{Table: "event_slots", Param: 1})

// take takes a seat of one slot and reports whether it had one.
func take(ctx context.Context, tx db.Tx, id domain.EventID, slot int64) (bool, error) {
	n, err := tx.Exec(ctx, takeStmt, id, slot)
	if err != nil {
		return false, fmt.Errorf("attendance.take %s: %w", id, err)
	}
	return n == 1, nil
}

var giveBackStmt = db.SQL("attendance.give_seat_back", `UPDATE event_slots SET n = n - 1 WHERE event_id = $1 AND slot = $2`, db.Key{Table: "event_slots", Param: 1})

func giveBack(ctx context.Context, tx db.Tx, id domain.EventID, slot int64) error {
	if _, err := tx.Exec(ctx, giveBackStmt, id, slot); err != nil {
		return fmt.Errorf("attendance.give_back %s: %w", id, err)
	}
	return nil
}

var giveAllBackStmt = db.SQL("attendance.give_seats_back", `
	UPDATE event_slots SET n = n - 1 WHERE (event_id, slot) IN (
		SELECT e.value, s.value FROM ids($1) AS e JOIN ints($2) AS s ON s.ord = e.ord)`, db.Key{Table: "event_slots", Param: 1})

// giveAllBack gives back the seats of those who went, each in another event.
func giveAllBack(ctx context.Context, tx db.Tx, all []Participant) error {
	var events []domain.EventID
	var slots []int64
	for _, p := range all {
		events, slots = append(events, p.EventID), append(slots, p.slot)
	}
	if len(events) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, giveAllBackStmt, events, slots); err != nil {
		return fmt.Errorf("attendance.give_seats_back: %w", err)
	}
	return nil
}

type slot struct {
	number, n int64
	limit     *int64
}

func (s slot) free() bool { return s.limit == nil || s.n < *s.limit }

var lockSlotsStmt = db.SQL("attendance.lock_slots", `SELECT slot, n, cap FROM event_slots WHERE event_id = $1 ORDER BY slot FOR UPDATE`)

// lockSlots holds every slot until the transaction ends: nobody comes or goes.
func lockSlots(ctx context.Context, tx db.Tx, id domain.EventID) ([]slot, error) {
	scan := func(row db.Row, s *slot) error { return row.Scan(&s.number, &s.n, &s.limit) }
	slots, err := db.All(ctx, tx, scan, lockSlotsStmt, id)
	if err != nil {
		return nil, fmt.Errorf("attendance.lock_slots %s: %w", id, err)
	}
	return slots, nil
}

// takeAny looks through all slots while nobody else can change them, and
// reports whether there was a seat, and in which slot.
func takeAny(ctx context.Context, tx db.Tx, id domain.EventID) (number int64, ok bool, err error) {
	slots, err := lockSlots(ctx, tx, id)
	if err != nil {
		return 0, false, err
	}
	for _, s := range slots {
		if s.free() {
			ok, err = take(ctx, tx, id, s.number)
			return s.number, ok, err
		}
	}
	return 0, false, nil
}

var fullStmt = db.SQL("attendance.full", `SELECT NOT EXISTS (SELECT 1 FROM event_slots WHERE event_id = $1 AND (cap IS NULL OR n < cap))`)

// isFull reports whether at this moment no slot has a seat. It spares a popular
// event that is full the locking of all its slots for every refusal.
func isFull(ctx context.Context, q db.Querier, id domain.EventID) (full bool, err error) {
	if err := q.One(ctx, fullStmt, id).Scan(&full); err != nil {
		return false, fmt.Errorf("attendance.full %s: %w", id, err)
	}
	return full, nil
}

var makeSlotsStmt = db.SQL("attendance.make_slots", `
	INSERT INTO event_slots (event_id, slot, n) SELECT $1, l.value, 0 FROM ints($2) AS l WHERE TRUE ORDER BY l.value
	ON CONFLICT (event_id, slot) DO UPDATE SET n = event_slots.n`, db.Key{Table: "event_slots", Param: 1})

var shareOutStmt = db.SQL("attendance.share_out", `
	UPDATE event_slots SET cap = (SELECT c.value FROM ints($2) AS s JOIN ints($3) AS c ON c.ord = s.ord WHERE s.value = event_slots.slot)
	WHERE event_id = $1`, db.Key{Table: "event_slots", Param: 1})

// SetCapacity shares a capacity out over the slots, nil lifts it. It refuses a
// capacity below the number of people who are going.
func (Seats) SetCapacity(ctx context.Context, tx db.Tx, id domain.EventID, capacity *int64) error {
	numbers := slotsOf(tx)
	if _, err := tx.Exec(ctx, makeSlotsStmt, id, numbers); err != nil {
		return fmt.Errorf("attendance.set_capacity %s: %w", id, err)
	}
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
	if _, err := tx.Exec(ctx, shareOutStmt, id, numbers, limits); err != nil {
		return fmt.Errorf("attendance.set_capacity %s: %w", id, err)
	}
	return nil
}

// share gives each slot what it has already and an equal part of the rest, or
// nil when more are going than may.
func share(slots []slot, capacity int64) []int64 {
	rest := capacity
	for _, s := range slots {
		rest -= s.n
	}
	if rest < 0 {
		return nil
	}
	limits := make([]int64, len(slots))
	each, over := rest/int64(len(slots)), rest%int64(len(slots))
	for i, s := range slots {
		limits[i] = s.n + each
		if int64(i) < over {
			limits[i]++
		}
	}
	return limits
}

var closeStmt = db.SQL("attendance.close", `
	INSERT INTO event_slots (event_id, slot, n, cap) SELECT $1, l.value, 0, 0 FROM ints($2) AS l WHERE TRUE ORDER BY l.value
	ON CONFLICT (event_id, slot) DO UPDATE SET cap = 0`, db.Key{Table: "event_slots", Param: 1})

// Close lets nobody in any more. A join that runs at the same moment either
// counts before it or finds no seat.
func (Seats) Close(ctx context.Context, tx db.Tx, id domain.EventID) error {
	if _, err := tx.Exec(ctx, closeStmt, id, slotsOf(tx)); err != nil {
		return fmt.Errorf("attendance.close %s: %w", id, err)
	}
	return nil
}
