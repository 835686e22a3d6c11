package eventtest

import (
	"context"
	"fmt"

	"moothall/internal/platform/db"
)

// seatFaults count what must not be, at any moment.
var seatFaults = []*db.Stmt{
	db.SQL("eventtest.miscounted", `
		SELECT COUNT(*) FROM events e
		WHERE (SELECT COALESCE(SUM(p.party), 0) FROM participants p WHERE p.event_id = e.id AND p.status = 'going')
			<> (SELECT COALESCE(SUM(s.n), 0) FROM event_slots s WHERE s.event_id = e.id)`),
	db.SQL("eventtest.misheld", `
		SELECT COUNT(*) FROM event_slots s
		WHERE s.held <> (SELECT COALESCE(SUM(h.party), 0) FROM seat_holds h WHERE h.event_id = s.event_id AND h.slot = s.slot)`),
	db.SQL("eventtest.holds_without_offer", `
		SELECT COUNT(*) FROM seat_holds h WHERE NOT EXISTS (SELECT 1 FROM waitlist_entries w
			WHERE w.event_id = h.event_id AND w.user_id = h.user_id AND w.status = 'offered' AND w.party = h.party)`),
	db.SQL("eventtest.offers_without_hold", `
		SELECT COUNT(*) FROM waitlist_entries w WHERE w.status = 'offered' AND NOT EXISTS (SELECT 1 FROM seat_holds h
			WHERE h.event_id = w.event_id AND h.user_id = w.user_id)`),
	db.SQL("eventtest.oversold_rows", `SELECT COUNT(*) FROM event_slots WHERE n + held + kept > cap AND cap > 0`),
	db.SQL("eventtest.oversold_events", `
		SELECT COUNT(*) FROM events e WHERE (SELECT SUM(s.n + s.held + s.kept) FROM event_slots s WHERE s.event_id = e.id) > e.capacity`),
}

// listFaults count what must not be after the jobs have run.
var listFaults = []*db.Stmt{
	db.SQL("eventtest.kept_seats", `SELECT COUNT(*) FROM event_slots WHERE kept > 0`),
	// Parties that wait although they fit into the seats that are free or kept.
	db.SQL("eventtest.waiting_beside_seats", `
		SELECT COUNT(*) FROM waitlist_entries w JOIN users u ON u.id = w.user_id JOIN events e ON e.id = w.event_id
		WHERE w.status = 'waiting' AND e.status = 'published' AND e.waitlist <> 'off' AND u.suspended_at IS NULL
			AND w.party <= (SELECT e.capacity - SUM(s.n + s.held) FROM event_slots s WHERE s.event_id = w.event_id)`),
	// Entries that got seats although an earlier one with a party as small still waits.
	db.SQL("eventtest.pushed_in", `
		SELECT COUNT(*) FROM waitlist_entries w JOIN waitlist_entries b ON b.event_id = w.event_id AND b.place < w.place AND b.party <= w.party
		WHERE w.status IN ('joined', 'offered') AND b.status = 'waiting'`),
}

// WrongSeats describes what is wrong with the seats of all events: wrong counts, holds without an offer, oversold seats. It returns "" if
// nothing is.
func WrongSeats(ctx context.Context, q db.Querier) (string, error) { return faults(ctx, q, seatFaults) }

// WrongLists describes what is wrong with the waiting lists of all events after the jobs have run: parties that wait beside seats that
// fit, and entries that got seats before others. It returns "" if nothing is. It expects entries that have not changed their party or
// missed an offer.
func WrongLists(ctx context.Context, q db.Querier) (string, error) { return faults(ctx, q, listFaults) }

func faults(ctx context.Context, q db.Querier, all []*db.Stmt) (wrong string, err error) {
	for _, stmt := range all {
		var n int
		if err := q.One(ctx, stmt).Scan(&n); err != nil {
			return "", err
		}
		if n > 0 {
			wrong += fmt.Sprintf("%s: %d\n", stmt.Name(), n)
		}
	}
	return wrong, nil
}
