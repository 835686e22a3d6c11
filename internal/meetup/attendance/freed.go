package attendance

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// freed are seats of one seat row that are not taken or held any more.
type freed struct {
	event       domain.EventID
	number      int64
	taken, held int64
	waitlisted  bool // the event has or had a waiting list
}

const freedSQL = `(SELECT e.value AS event_id, r.value AS slot, n.value AS was_taken, h.value AS was_held
	FROM ids($1) AS e JOIN ints($2) AS r ON r.ord = e.ord JOIN ints($3) AS n ON n.ord = e.ord JOIN ints($4) AS h ON h.ord = e.ord) AS f
	WHERE event_slots.event_id = f.event_id AND event_slots.slot = f.slot`

var (
	lockFreedStmt = db.SQL("attendance.lock_freed", `
		SELECT f.was_taken FROM event_slots CROSS JOIN `+freedSQL+` ORDER BY event_slots.event_id, event_slots.slot
		FOR UPDATE OF event_slots`)

	freeSeatsStmt = db.SQL("attendance.free_seats", `
		UPDATE event_slots SET n = n - f.was_taken, held = held - f.was_held,
			kept = kept + CASE WHEN waiting THEN f.was_taken + f.was_held ELSE 0 END FROM `+freedSQL)
)

// seatsFreed queues what follows when seats are not taken or held any more: they are kept for the waiting list, which a
// job deals them to, or free if nobody waits. All seats are freed by it, except by the dealer itself.
// It locks the rows of several seats in their order, and writes no row of another user.
func seatsFreed(ctx context.Context, tx db.Tx, now time.Time, all ...freed) error {
	var events []domain.EventID
	var numbers, taken, held []int64
	for _, f := range all {
		tx.Changed(event.Attendance.Of(f.event))
		events, numbers, taken, held = append(events, f.event), append(numbers, f.number), append(taken, f.taken), append(held, f.held)
	}
	if len(all) > 1 {
		tx.Queue(ctx, lockFreedStmt, events, numbers, taken, held)
	}
	if len(all) > 0 {
		tx.Queue(ctx, freeSeatsStmt, events, numbers, taken, held)
	}
	for _, f := range all {
		if f.waitlisted {
			if err := putDeal(ctx, tx, now, f.event, ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// dealKind is the kind of the jobs that deal the kept seats of an event.
const dealKind = "attendance.deal"

// dealing is the payload of these jobs. A job that leaves something to do puts another, which has the other Round.
type dealing struct {
	Event domain.EventID
	Round string
}

// putDeal queues the job that deals the kept seats of an event, after the seat rows were written.
func putDeal(ctx context.Context, tx db.Tx, now time.Time, id domain.EventID, round string) error {
	return job.PutIfAbsent(ctx, tx, now, job.Job{Kind: dealKind, Key: id.String() + round, Payload: dealing{id, round}})
}
