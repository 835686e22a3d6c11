package attendance

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const (
	// promoteUntil is how long before the start those who wait get offers only, because they may have other plans.
	promoteUntil = 48 * time.Hour

	// At night, an offer runs from the morning, unless the event begins soon.
	nightBegins, nightEnds = 22, 8 // hours in the zone of the event
	beginsSoon             = 24 * time.Hour
)

// offerEnd returns when an offer that is made now ends: at the start of the event at the latest.
func (l list) offerEnd(now time.Time) time.Time {
	from := now
	if l.startsAt.Sub(now) > beginsSoon {
		from = afterNight(now, l.timezone)
	}
	end := from.Add(time.Duration(l.minutes) * time.Minute)
	if end.After(l.startsAt) {
		return l.startsAt
	}
	return end
}

// afterNight returns the end of the night in a zone, or the time itself in the day.
func afterNight(at time.Time, zone string) time.Time {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC // the zone was removed since
	}
	local := at.In(location)
	day := local.Day()
	switch {
	case local.Hour() >= nightBegins:
		day++
	case local.Hour() >= nightEnds:
		return at
	}
	return time.Date(local.Year(), local.Month(), day, nightEnds, 0, 0, 0, location).UTC()
}

var (
	listStmt     = db.SQL("attendance.list", listOf(""))
	lockListStmt = db.SQL("attendance.lock_list", listOf(" FOR SHARE"))
)

func listOf(lock string) string {
	return `SELECT e.id, e.organizer_id, ` + access.StatusSQL("e", "$2") + `, e.visibility, e.starts_at, e.timezone, e.waitlist,
		e.waitlist_offer_minutes, e.price = 'paid', ` + access.HasWebhookSQL("e.organizer_id") + `, e.has_questions
		FROM events e WHERE e.id = $1` + lock
}

func readList(ctx context.Context, q db.Querier, stmt *db.Stmt, id domain.EventID, now time.Time) (l list, found bool, err error) {
	found, err = q.One(ctx, stmt, id, now).Find(&l.id, &l.organizer, &l.status, &l.visibility, &l.startsAt, &l.timezone, &l.mode, &l.minutes,
		&l.paid, &l.hasWebhook, &l.hasQuestions)
	return l, found, err
}

// usableSQL is the condition that the user of the entry w of the event $1, whose organizer is $2, may get seats: the account is not
// suspended, and sees the event.
var usableSQL = `EXISTS (SELECT 1 FROM users u WHERE u.id = w.user_id AND u.suspended_at IS NULL)
	AND ` + access.NotBlocked("w.user_id", "$2") + `
	AND EXISTS (SELECT 1 FROM events e WHERE e.id = w.event_id
		AND (e.visibility = 'public' OR e.visibility = 'members' AND ` + access.InGroup("e.group_id", "w.user_id") + `
			OR EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = w.event_id AND i.user_id = w.user_id)))`

var (
	// nextUsersStmt reads the first entries whose parties fit into $3 seats.
	nextUsersStmt = db.SQL("attendance.next_users", `
		SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting' AND w.party <= $3 AND `+usableSQL+`
		ORDER BY w.place LIMIT $4`)

	missedUsersStmt = db.SQL("attendance.missed_users", `
		SELECT h.user_id FROM seat_holds h JOIN waitlist_entries w ON w.event_id = h.event_id AND w.user_id = h.user_id
		WHERE h.event_id = $1 AND h.until <= $2 ORDER BY h.until, w.place LIMIT $3`)

	waitingUsersStmt = db.SQL("attendance.waiting_users", `
		SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting' ORDER BY w.place LIMIT $2`)

	activeUsersStmt = db.SQL("attendance.active_users", `
		SELECT w.user_id FROM waitlist_entries w WHERE w.event_id = $1 AND w.status IN ('waiting', 'offered') ORDER BY w.place LIMIT $2`)

	lockEntriesStmt = db.SQL("attendance.lock_entries", `
		SELECT w.id, w.user_id, w.status, w.party, w.visibility, w.missed, w.place FROM waitlist_entries w
		WHERE w.event_id = $1 AND w.user_id IN (SELECT l.value FROM ids($2) AS l) AND w.status IN ('waiting', 'offered')
		ORDER BY w.place FOR UPDATE`)

	// leftStmt reads whether anybody waits, and whether $3 seats fit a user who may get them.
	leftStmt = db.SQL("attendance.left_waiting", `
		SELECT EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting'),
			EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_id = $1 AND w.status = 'waiting' AND w.party <= $3 AND `+usableSQL+`)`)

	writeSeatRowsStmt = db.SQL("attendance.write_slots", `
		UPDATE event_slots SET n = f.new_n, held = f.new_held, kept = f.new_kept, waiting = $6
		FROM (SELECT r.value AS number, n.value AS new_n, h.value AS new_held, k.value AS new_kept
			FROM ints($2) AS r JOIN ints($3) AS n ON n.ord = r.ord JOIN ints($4) AS h ON h.ord = r.ord JOIN ints($5) AS k ON k.ord = r.ord) AS f
		WHERE event_slots.event_id = $1 AND event_slots.slot = f.number`)
)

func allUsers(ctx context.Context, q db.Querier, stmt *db.Stmt, args ...any) ([]domain.UserID, error) {
	return db.Values[domain.UserID](ctx, q, stmt, args...)
}
