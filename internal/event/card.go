package event

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// The kinds of entities that show an event, for caches. Their ids are those of the event.
const (
	Content    db.Kind = "event"      // what its organizer writes, and its state
	Attendance db.Kind = "attendance" // who goes to it
	Ratings    db.Kind = "ratings"    // its reviews
)

// Card is an event as lists show it to one viewer (contract §4.1).
type Card struct {
	ID               domain.EventID
	StartsKey        int64
	Title            string
	StartsAt         time.Time
	EndsAt           *time.Time
	Timezone         string
	Status           access.Status
	Category         *string
	Price            string
	PriceAmount      *int64
	PriceCurrency    *string
	Visibility       access.Visibility
	DateMode         string
	OrganizerID      domain.UserID
	City             *string
	Lat, Lng         *float64
	ImageURL         *string
	ParticipantCount int64
	ViewerGoing      bool
	Organizer        *user.Public
}

// NextExpiry returns the earliest time after now at which the status of the
// event may change, zero when there is none. The event may outlast EndsAt
// while its date is voted on.
func (c Card) NextExpiry(now time.Time) time.Time {
	ends := []time.Time{c.StartsAt.Add(defaultLength)}
	if c.EndsAt != nil {
		ends = append(ends, *c.EndsAt)
	}
	var next time.Time
	for _, end := range ends {
		if end.After(now) && (next.IsZero() || end.Before(next)) {
			next = end
		}
	}
	return next
}

// cardColumns returns the SQL columns of a card of the events row e. viewer is the
// parameter of the viewer's id, or access.Anonymous; now is the parameter of the
// time. The statement must also contain cardJoins.
func cardColumns(viewer, now string) string {
	return `e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, ` + access.StatusSQL("e", now) + `,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		` + participantCount + `,
		` + access.Going("e", viewer) + `, ` + user.Columns("o")
}

const participantCount = `(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id)`

const cardJoins = ` LEFT JOIN profiles o ON o.user_id = e.organizer_id`

// columns appends the destinations for cardColumns to a list.
func (c *Card) columns(list []any, o *user.ProfileColumns) []any {
	list = append(list, &c.ID, &c.StartsKey, &c.Title, &c.StartsAt, &c.EndsAt, &c.Timezone, &c.Status,
		&c.Category, &c.Price, &c.PriceAmount, &c.PriceCurrency, &c.Visibility, &c.DateMode, &c.OrganizerID,
		&c.City, &c.Lat, &c.Lng, &c.ImageURL, &c.ParticipantCount, &c.ViewerGoing)
	return append(list, o.Dest()...)
}

// maxCardColumns is the capacity of a list of destinations: those of a card, and
// some more.
const maxCardColumns = 40

// SelectCards returns the SELECT and FROM clauses of a statement that reads cards of
// the events rows e. more lists additional columns, and from is the FROM clause that
// defines e. viewer is the parameter of the viewer's id, or access.Anonymous; now is
// the parameter of the time.
func SelectCards(viewer, now, more, from string) string {
	return `SELECT ` + cardColumns(viewer, now) + `, ` + more + ` FROM ` + from + cardJoins
}

// ScanCard reads a row of a SelectCards statement: the card and the additional
// columns.
func ScanCard(row db.Row, c *Card, more ...any) error {
	var organizer user.ProfileColumns
	var columns [maxCardColumns]any
	if err := row.Scan(append(c.columns(columns[:0], &organizer), more...)...); err != nil {
		return err
	}
	c.Organizer = organizer.Public()
	return nil
}

var cardsStmt = db.SQL("event.cards", `
	SELECT `+cardColumns("$2", "$3")+` FROM events e`+cardJoins+` WHERE e.id IN (SELECT value FROM ids($1) AS l)`)

// Cards returns the cards of events for a viewer, in no order. It does not
// check whether the viewer may see them.
func Cards(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.EventID, now time.Time) ([]Card, error) {
	scan := func(row db.Row, c *Card) error { return ScanCard(row, c) }
	return db.All(ctx, q, scan, cardsStmt, ids, v.UserID, now)
}
