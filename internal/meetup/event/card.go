package event

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
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
	Code             *string // of its address
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
	ImageAlt         *string
	Capacity         *int64 // nil: unlimited
	ParticipantCount int64  // people, companions included
	UsedSeats        int64  // those that are not free; 0 without a capacity
	ViewerGoing      bool
	Organizer        *user.Public
	Group            *GroupRef // nil: none, or hidden from the viewer
	External
}

// lastsUntil returns a time until which the event is not over. It may be earlier than Event.OverAt.
func (c Card) lastsUntil() time.Time {
	byDefault := c.StartsAt.Add(defaultLength)
	if c.EndsAt != nil && c.EndsAt.Before(byDefault) {
		return *c.EndsAt
	}
	return byDefault
}

// Address returns what the address of the event's page depends on.
func (c Card) Address() address.Event {
	return address.Event{ID: c.ID, Code: c.Code, Title: c.Title, Private: c.Visibility != access.Public}
}

// seatsLeft returns how many more people can go to an event; nil if its capacity is unlimited.
func seatsLeft(capacity *int64, used int64) *int64 {
	if capacity == nil {
		return nil
	}
	return new(max(0, *capacity-used))
}

// cardColumns returns the SQL columns of a card of the events row e. viewer is the
// parameter of the viewer's id, or access.Anonymous; now is the parameter of the
// time. The statement must also contain cardJoins.
func cardColumns(viewer, now string) string {
	return `e.id, e.code, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, ` + access.StatusSQL("e", now) + `,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url, e.image_alt, e.source_host, e.external_url, e.capacity,
		` + seatCounts + `,
		` + access.Going("e", viewer) + `, ` + groupColumns + `, ` + user.Columns("o")
}

const participantCount = `(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id)`

// seatCounts are the participantCount of the events row e, and how many of its seats are not free; 0 without a capacity.
const seatCounts = participantCount + `, CASE WHEN e.capacity IS NULL THEN 0 ELSE ` + access.UsedSeats + ` END`

// waitlistCount is the number of entries that wait for seats of the events row e.
const waitlistCount = `CASE WHEN e.waitlisted THEN
	(SELECT COUNT(*) FROM waitlist_entries w WHERE w.event_id = e.id AND w.status = 'waiting') ELSE 0 END`

// cardJoins joins what cardColumns read.
func cardJoins(viewer string) string {
	return ` LEFT JOIN profiles o ON o.user_id = e.organizer_id` + groupJoin(viewer)
}

// columns appends the destinations for cardColumns to a list.
func (c *Card) columns(list []any, g *groupDest, o *user.ProfileColumns) []any {
	list = append(list, &c.ID, &c.Code, &c.StartsKey, &c.Title, &c.StartsAt, &c.EndsAt, &c.Timezone, &c.Status,
		&c.Category, &c.Price, &c.PriceAmount, &c.PriceCurrency, &c.Visibility, &c.DateMode, &c.OrganizerID,
		&c.City, &c.Lat, &c.Lng, &c.ImageURL, &c.ImageAlt, &c.SourceHost, &c.ExternalURL, &c.Capacity,
		&c.ParticipantCount, &c.UsedSeats, &c.ViewerGoing)
	list = append(list, g.dest()...)
	return append(list, o.Dest()...)
}

// maxCardColumns is the capacity of a list of destinations.
const maxCardColumns = 40

var cardsStmt = db.SQL("event.cards", `
	SELECT `+cardColumns("$2", "$3")+` FROM events e`+cardJoins("$2")+` WHERE e.id IN (SELECT value FROM ids($1) AS l)`)

// Cards returns the cards of events for a viewer, in no order. It does not
// check whether the viewer may see them.
func Cards(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.EventID, now time.Time) ([]Card, error) {
	return db.All(ctx, q, scanCard, cardsStmt, ids, v.UserID, now)
}

func scanCard(row db.Row, c *Card) error {
	var organizer user.ProfileColumns
	var group groupDest
	var columns [maxCardColumns]any
	err := row.Scan(c.columns(columns[:0], &group, &organizer)...)
	c.Organizer, c.Group = organizer.Public(), group.ref()
	return err
}
