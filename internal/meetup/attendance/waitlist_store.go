package attendance

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

var waitFactsStmt = db.SQL("attendance.wait_facts", `
	SELECT `+access.FactsSQL("e", "$2", "$3")+`, e.waitlist, e.starts_at, `+access.Removed("e", "$2")+` FROM events e WHERE e.id = $1`)

// readWaitFacts returns NotFound if the viewer does not see the event.
func readWaitFacts(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (f waitFacts, err error) {
	err = f.Scan(tx.One(ctx, waitFactsStmt, id, v.UserID, now), &f.waitlist, &f.startsAt, &f.removed)
	return f, err
}

var (
	entryStmt = db.SQL("attendance.entry", `
		SELECT `+event.WaitlistColumns+` FROM waitlist_entries w WHERE w.event_id = $1 AND w.user_id = $2`)

	lockActiveStmt = db.SQL("attendance.lock_entry", `
		SELECT w.id, w.status, w.party, w.visibility, w.missed, w.place FROM waitlist_entries w
		WHERE w.event_id = $1 AND w.user_id = $2 AND w.status IN ('waiting', 'offered') FOR UPDATE`)

	lockOfferedStmt = db.SQL("attendance.lock_offered", `
		SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'offered'
		ORDER BY w.updated_at DESC, w.place DESC FOR UPDATE`)

	// enterStmt adds no entry if $7 wait already, or if the list was switched off before the seat rows were locked. The locks ensure that two
	// entries never have the same place.
	enterStmt = db.SQL("attendance.enter", `
		INSERT INTO waitlist_entries (event_id, user_id, id, status, party, visibility, missed, place, created_at, updated_at)
		SELECT CAST($1 AS UUID), CAST($2 AS UUID), CAST($3 AS UUID), 'waiting', CAST($4 AS BIGINT), CAST($5 AS TEXT), 0,
			(SELECT COALESCE(MAX(w.place), 0) + 1 FROM waitlist_entries w WHERE w.event_id = $1), CAST($6 AS BIGINT), CAST($6 AS BIGINT)
		WHERE (SELECT COUNT(*) FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting') < $7
			AND (SELECT e.waitlist FROM events e WHERE e.id = $1) <> 'off'
		ON CONFLICT (event_id, user_id) DO UPDATE SET status = 'waiting', party = excluded.party, visibility = excluded.visibility,
			missed = 0, place = excluded.place, created_at = excluded.created_at, updated_at = excluded.updated_at`)

	// changeEntryStmt moves the entry to the end if $5 is 1. Then the seat rows are locked.
	changeEntryStmt = db.SQL("attendance.change_entry", `
		UPDATE waitlist_entries SET party = $3, visibility = $4, updated_at = $6, place = CASE WHEN $5 = 1 THEN
			(SELECT MAX(w.place) + 1 FROM waitlist_entries w WHERE w.event_id = $1) ELSE place END
		WHERE event_id = $1 AND user_id = $2`)

	// setEntryStmt counts $4 missed offers. With one, the entry moves to the end; then the seat rows are locked.
	setEntryStmt = db.SQL("attendance.set_entry", `
		UPDATE waitlist_entries SET status = $3, missed = missed + $4, updated_at = $5, place = CASE WHEN $4 > 0 THEN
			(SELECT MAX(w.place) + 1 FROM waitlist_entries w WHERE w.event_id = $1) ELSE place END
		WHERE event_id = $1 AND user_id = $2`)

	setWaitingStmt = db.SQL("attendance.set_waiting", `UPDATE event_slots SET waiting = TRUE WHERE event_id = $1 AND NOT waiting`)

	entryEndStmt = db.SQL("attendance.entry_end", `
		SELECT `+access.HasWebhookSQL("e.organizer_id")+`, e.has_questions FROM events e WHERE e.id = $1`)
)

// readEntry returns the entry of a user; NotFound if there is none.
func readEntry(ctx context.Context, q db.Querier, id domain.EventID, user domain.UserID) (e event.WaitlistEntry, err error) {
	err = q.One(ctx, entryStmt, id, user).ScanOr(domain.NotFound, e.Columns()...)
	return e, err
}

// lockActive locks the entry of a user, if it is active.
func lockActive(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID) (e event.WaitlistEntry, active bool, err error) {
	e.EventID, e.UserID = id, user
	active, err = tx.One(ctx, lockActiveStmt, id, user).Find(&e.ID, &e.Status, &e.Party, &e.Visibility, &e.Missed, &e.Place)
	return e, active, err
}

// lockOffered locks the entries with offers, and returns their users: the latest offer first.
func lockOffered(ctx context.Context, tx db.Tx, id domain.EventID) ([]domain.UserID, error) {
	return db.Values[domain.UserID](ctx, tx, lockOfferedStmt, id)
}
