package event

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// cardColumns are what a card shows of the row e, for the viewer's parameter
// (or access.Anonymous) at the parameter now; cardJoins belong to them.
func cardColumns(viewer, now string) string {
	return `e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, ` + access.StatusSQL("e", now) + `,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		` + access.Going("e", viewer) + `, ` + user.Columns("o")
}

var cardsStmt = db.SQL("event.cards", `
	SELECT `+cardColumns("$2", "$3")+` FROM events e`+cardJoins+` WHERE e.id IN (SELECT value FROM ids($1) AS l)`)

// Cards reads the cards of events for a viewer, in no order. Whether the
// viewer may see them is for the caller to say.
func Cards(ctx context.Context, q db.Querier, v domain.Viewer, ids []domain.EventID, now time.Time) ([]Card, error) {
	cards, err := db.All(ctx, q, scanCard, cardsStmt, ids, v.UserID, now)
	if err != nil {
		return nil, fmt.Errorf("event.cards: %w", err)
	}
	return cards, nil
}

const cardJoins = ` LEFT JOIN profiles o ON o.user_id = e.organizer_id`

// columns adds the destinations for cardColumns to a list.
func (c *Card) columns(list []any, o *user.Columned) []any {
	list = append(list, &c.ID, &c.StartsKey, &c.Title, &c.StartsAt, &c.EndsAt, &c.Timezone, &c.Status,
		&c.Category, &c.Price, &c.PriceAmount, &c.PriceCurrency, &c.Visibility, &c.DateMode, &c.OrganizerID,
		&c.City, &c.Lat, &c.Lng, &c.ImageURL, &c.ParticipantCount, &c.ViewerGoing)
	return append(list, o.Dest()...)
}

// mostColumns is room for the columns of a card and some more, so that the list
// of their destinations need not grow.
const mostColumns = 40

// SelectCards begins a statement that reads cards of the events rows e: the
// columns of a card for the viewer's parameter, or access.Anonymous, at the
// parameter now, and more ones after them. from says where e comes from.
func SelectCards(viewer, now, more, from string) string {
	return `SELECT ` + cardColumns(viewer, now) + `, ` + more + ` FROM ` + from + cardJoins
}

// ScanCard reads a card, and into more what SelectCards was told to read more.
func ScanCard(row db.Row, c *Card, more ...any) error {
	var organizer user.Columned
	var columns [mostColumns]any
	if err := row.Scan(append(c.columns(columns[:0], &organizer), more...)...); err != nil {
		return err
	}
	c.Organizer = organizer.Public()
	return nil
}

func scanCard(row db.Row, c *Card) error { return ScanCard(row, c) }
