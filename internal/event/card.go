package event

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/meet"
	"moothall/internal/profile"
)

// cardColumns are what a card shows of the row e, for the viewer's parameter
// (or access.Anonymous) at the parameter now; cardJoins belong to them.
func cardColumns(viewer, now string) string {
	return `e.id, e.starts_key, e.title, e.starts_at, e.ends_at, e.timezone, ` + access.StatusSQL("e", now) + `,
		e.category, e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id,
		e.city, e.lat, e.lng, e.image_url,
		(SELECT CAST(COALESCE(SUM(s.n), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id),
		` + access.Going("e", viewer) + `, ` + profile.Columns("o")
}

var cardsStmt = db.SQL("event.cards", `
	SELECT `+cardColumns("$2", "$3")+` FROM events e`+cardJoins+` WHERE e.id IN (SELECT value FROM ids($1) AS l)`)

// Cards reads the cards of events for a viewer, in no order. Whether the
// viewer may see them is for the caller to say.
func Cards(ctx context.Context, q db.Querier, v meet.Viewer, ids []meet.EventID, now time.Time) ([]Card, error) {
	cards, err := db.All(ctx, q, scanCard, cardsStmt, ids, v.UserID, now)
	if err != nil {
		return nil, fmt.Errorf("event.cards: %w", err)
	}
	return cards, nil
}

const cardJoins = ` LEFT JOIN profiles o ON o.user_id = e.organizer_id`

// columns adds the destinations for cardColumns to a list.
func (c *Card) columns(list []any, o *profile.Columned) []any {
	list = append(list, &c.ID, &c.StartsKey, &c.Title, &c.StartsAt, &c.EndsAt, &c.Timezone, &c.Status,
		&c.Category, &c.Price, &c.PriceAmount, &c.PriceCurrency, &c.Visibility, &c.DateMode, &c.OrganizerID,
		&c.City, &c.Lat, &c.Lng, &c.ImageURL, &c.ParticipantCount, &c.ViewerGoing)
	return append(list, o.Dest()...)
}

// mostColumns is room for the columns of a card or a page, so that the list of
// their destinations need not grow.
const mostColumns = 48

// SelectCards begins a statement that reads cards of the events rows e: the
// columns of a card for the viewer's parameter, or access.Anonymous, at the
// parameter now, and more ones after them. from says where e comes from.
func SelectCards(viewer, now, more, from string) string {
	return `SELECT ` + cardColumns(viewer, now) + `, ` + more + ` FROM ` + from + cardJoins
}

// ScanCard reads a card, and into more what SelectCards was told to read more.
func ScanCard(row db.Row, c *Card, more ...any) error {
	var organizer profile.Columned
	var columns [mostColumns]any
	if err := row.Scan(append(c.columns(columns[:0], &organizer), more...)...); err != nil {
		return err
	}
	c.Organizer = organizer.Public()
	return nil
}

func scanCard(row db.Row, c *Card) error { return ScanCard(row, c) }

// Details is an event as its page shows it to one viewer (contract §4.2).
type Details struct {
	Card
	Description          *string
	Capacity             *int64
	SelectedDateOptionID *meet.DateOptionID
	ConferenceURL        *string // only for the organizer and people who come
	CreatedAt, UpdatedAt time.Time
	PublishedAt          *time.Time
	CanceledAt           *time.Time
	OverAt               time.Time
	LocationText         *string

	ViewerStatus     *string // participation: going, left
	ViewerVisibility *string // participation: public, incognito
	ViewerInvitation *string
	IncognitoCount   *int64 // only for the organizer

	FollowedGoingCount int64
	FollowedGoing      []profile.Public
	Participants       []profile.Public
	Rating             Rating
}

// ViewerIsOrganizer reports whether the details were read by the organizer.
func (d Details) ViewerIsOrganizer(v meet.Viewer) bool { return d.OrganizerID == v.UserID }

// CanJoin reports whether somebody could join now: published, public, not
// full, not ended.
func (d Details) CanJoin() bool {
	return d.Status == access.Published && d.Visibility == access.Public &&
		(d.Capacity == nil || d.ParticipantCount < *d.Capacity)
}

// CompletedAt is the moment of completion of a completed event.
func (d Details) CompletedAt() *time.Time {
	if d.Status != access.Completed {
		return nil
	}
	return &d.OverAt
}

// comes reports whether the viewer may know how to come in online.
func (d Details) comes(v meet.Viewer) bool {
	return d.ViewerIsOrganizer(v) || d.ViewerGoing || d.ViewerInvitation != nil && *d.ViewerInvitation == "accepted"
}

var detailsStmt = db.SQL("event.details", `
	SELECT `+cardColumns("$2", "$3")+`,
		e.description, e.capacity, e.selected_date_option_id, e.conference_url, e.created_at, e.updated_at,
		e.published_at, e.canceled_at, e.over_at, e.location_text, p.status, p.visibility, i.status,
		CASE WHEN e.organizer_id = $2 THEN
			(SELECT COUNT(*) FROM participants h WHERE h.event_id = e.id AND h.status = 'going' AND h.visibility = 'incognito') END
	FROM events e`+cardJoins+`
	LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = $2
	LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = $2
	WHERE e.id = $1 AND `+access.SeesEvent("e", "$2"),
	db.Key{Table: "events", Param: 1}, db.Key{Table: "event_slots", Param: 1},
	db.Key{Table: "participants", Param: 1}, db.Key{Table: "invitations", Param: 1})

func (d *Details) columns(list []any, o *profile.Columned) []any {
	return append(d.Card.columns(list, o),
		&d.Description, &d.Capacity, &d.SelectedDateOptionID, &d.ConferenceURL, &d.CreatedAt, &d.UpdatedAt,
		&d.PublishedAt, &d.CanceledAt, &d.OverAt, &d.LocationText, &d.ViewerStatus, &d.ViewerVisibility, &d.ViewerInvitation,
		&d.IncognitoCount)
}

// details reads one event for a viewer; meet.NotFound when it is unknown or hidden.
func details(ctx context.Context, q db.Querier, v meet.Viewer, id meet.EventID, now time.Time) (Details, error) {
	var d Details
	var organizer profile.Columned
	err := q.One(ctx, detailsStmt, id, v.UserID, now).Scan(d.columns(nil, &organizer)...)
	if errors.Is(err, db.ErrNoRow) {
		return Details{}, meet.NotFound
	}
	if err != nil {
		return Details{}, fmt.Errorf("event.details %s: %w", id, err)
	}
	d.Organizer = organizer.Public()
	db.Narrow(ctx, detailsStmt, "profiles", []meet.UserID{d.OrganizerID})
	if !d.comes(v) {
		d.ConferenceURL = nil
	}
	return d, d.readProof(ctx, q, v)
}
