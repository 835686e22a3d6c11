package event

import (
	"context"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// PublicDetails is the cache of the details of public events, which anonymous viewers
// see. Neither drafts nor private events are in it, so the time of a response does not
// distinguish them from unknown events.
type PublicDetails = cache.Entries[domain.EventID, *sharedDetails]

// sharedDetails are the details of an event that are the same for all its viewers. The
// status is as stored. There is no conference URL, because not every viewer sees it.
type sharedDetails struct {
	Event
	participantCount int64
	usedSeats        int64
	waiting          int64
	rating           Rating
	participants     []domain.UserID // the first who go publicly, by id
	hosts            []domain.UserID // beside the organizer, the oldest first
}

// Entities implements cache.Value.
func (d *sharedDetails) Entities() []db.Entity {
	return []db.Entity{Content.Of(d.ID), Attendance.Of(d.ID), Ratings.Of(d.ID)}
}

// Bytes implements cache.Value.
func (d *sharedDetails) Bytes() int {
	n := 700 + len(d.Title)
	for _, c := range fieldColumns {
		if text, isText := c.Var(&d.Fields).(**string); isText && *text != nil {
			n += len(**text)
		}
	}
	return n
}

// nextExpiry returns the time after now at which the status changes, zero if there is
// none.
func (d *sharedDetails) nextExpiry(now time.Time) time.Time {
	if over := d.OverAt(); d.Status == access.Published && now.Before(over) {
		return over
	}
	return time.Time{}
}

// publicDetailsShare is the share of the memory of all caches.
const publicDetailsShare = 0.35

// NewPublicDetails returns a cache of the events in a database. m may be nil.
func NewPublicDetails(m *cache.Memory, d *db.DB) *PublicDetails {
	return cache.NewEntries(m, "details", publicDetailsShare, cache.IDKey[domain.EventID],
		func(ctx context.Context, ids []domain.EventID) (map[domain.EventID]*sharedDetails, error) {
			details := make(map[domain.EventID]*sharedDetails, len(ids))
			for _, id := range ids { // one: a request shows one event
				shared, err := readShared(ctx, d, publicStmt, id)
				if err != nil {
					return nil, err
				}
				if shared != nil {
					details[id] = shared
				}
			}
			return details, nil
		})
}

// sharedSQL reads the shared details of the event $1. It returns the row of the event and
// a row for each of its first participants, with their ids in the first column.
func sharedSQL(condition string) string {
	return `
		SELECT NULL, ` + eventColumns + `, ` + seatCounts + `,
			` + waitlistCount + `,
			r.n, r.stars
		FROM events e LEFT JOIN review_totals r ON r.event_id = e.id WHERE e.id = $1 AND ` + condition + `
		UNION ALL SELECT p.user_id` + strings.Repeat(`, NULL`, sharedColumns-1) + ` FROM (
			SELECT p.user_id FROM participants p WHERE ` + goingPublicly + ` ORDER BY p.user_id LIMIT 5) AS p`
}

// goingPublicly is the condition on the participants row p of the event $1 to be shown.
// Statements take the first by id, so that none sorts all participants (policy
// "Incognito").
const goingPublicly = `p.event_id = $1 AND p.status = 'going' AND p.visibility = 'public'`

// sharedColumns is the number of columns of sharedSQL.
var sharedColumns = len(columns) + 6

var (
	publicStmt = db.SQL("event.public_details", sharedSQL(access.SeesEvent("e", access.Anonymous)))
	sharedStmt = db.SQL("event.details", sharedSQL("TRUE"))
)

var hostsStmt = db.SQL("event.hosts", `
	SELECT h.user_id FROM event_hosts h WHERE h.event_id = $1 AND h.status = 'active' ORDER BY h.joined_at, h.user_id`)

// readShared returns nil if the statement finds no event.
func readShared(ctx context.Context, q db.Querier, stmt *db.Stmt, id domain.EventID) (*sharedDetails, error) {
	var d sharedDetails
	for row, err := range q.Query(ctx, stmt, id) {
		if err == nil {
			err = d.add(row)
		}
		if err != nil {
			return nil, err
		}
	}
	if d.ID.IsZero() {
		return nil, nil
	}
	sortByID(d.participants)
	if d.HasTeam {
		var err error
		if d.hosts, err = db.Values[domain.UserID](ctx, q, hostsStmt, id); err != nil {
			return nil, err
		}
	}
	return &d, nil
}

// add reads one row.
func (d *sharedDetails) add(row db.Row) error {
	var participant domain.UserID
	dest := make([]any, sharedColumns)
	dest[0] = db.OrZero(&participant)
	if err := row.Scan(dest...); err != nil {
		return err
	}
	if !participant.IsZero() {
		d.participants = append(d.participants, participant)
		return nil
	}
	dest = append(append(dest[:0], nil), columns.Vars(&d.Event)...)
	err := row.Scan(append(dest, //nolint:makezero // it was emptied
		&d.participantCount, &d.usedSeats, &d.waiting, db.OrZero(&d.rating.Reviews), db.OrZero(&d.rating.Stars))...)
	d.ConferenceURL = nil
	return err
}
