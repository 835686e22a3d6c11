package event

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Details is an event as its page shows it to one viewer (contract §4.2).
type Details struct {
	Card
	Description          *string
	Capacity             *int64
	SelectedDateOptionID *domain.DateOptionID
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
	FollowedGoing      []user.Public
	Participants       []user.Public
	Rating             Rating
}

// ViewerIsOrganizer reports whether the details were read by the organizer.
func (d Details) ViewerIsOrganizer(v domain.Viewer) bool { return d.OrganizerID == v.UserID }

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
func (d Details) comes(v domain.Viewer) bool {
	return d.ViewerIsOrganizer(v) || d.ViewerGoing || d.ViewerInvitation != nil && *d.ViewerInvitation == "accepted"
}

// The parts of a page: its rows have the columns of a card, in the middle of
// them those of a person, and more. What a part has not is NULL.
const (
	eventPart = iota
	participantPart
	followedPart

	beforePerson = 20 // columns of a card
	afterPerson  = 17
)

// pageStmt reads an event with everything on its page, at $2, in one statement.
func pageStmt(who, viewer string) *db.Stmt {
	return db.SQL("event.page_"+who, `
		SELECT `+strconv.Itoa(eventPart)+`, `+cardColumns(viewer, "$2")+`,
			e.description, e.capacity, e.selected_date_option_id, e.conference_url, e.created_at, e.updated_at,
			e.published_at, e.canceled_at, e.over_at, e.location_text, `+ownColumns(viewer)+`, r.n, r.stars, NULL
		FROM events e`+cardJoins+` LEFT JOIN review_totals r ON r.event_id = e.id`+ownJoins(viewer)+`
		WHERE e.id = $1 AND `+access.SeesEvent("e", viewer)+people(participantPart, participants(viewer))+people(followedPart, followedGoing(viewer)),
		db.Key{Table: "events", Param: 1}, db.Key{Table: "event_slots", Param: 1}, db.Key{Table: "review_totals", Param: 1},
		db.Key{Table: "participants", Param: 1})
}

var (
	pageSignedInStmt  = pageStmt("signed_in", "$3")
	pageSignedOutStmt = pageStmt("signed_out", access.Anonymous)
)

// ownColumns are how the viewer stands to the event; ownJoins belong to them.
func ownColumns(viewer string) string {
	if viewer == access.Anonymous {
		return `NULL, NULL, NULL, NULL`
	}
	return `p.status, p.visibility, i.status, CASE WHEN e.organizer_id = ` + viewer + ` THEN
		(SELECT COUNT(*) FROM participants h WHERE h.event_id = e.id AND h.status = 'going' AND h.visibility = 'incognito') END`
}

func ownJoins(viewer string) string {
	if viewer == access.Anonymous {
		return ""
	}
	return ` LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = ` + viewer + `
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = ` + viewer
}

// people adds the rows of a part, a SELECT of a person's columns and a number
// n, to the statement of a page.
func people(part int, from string) string {
	if from == "" {
		return ""
	}
	return ` UNION ALL SELECT ` + strconv.Itoa(part) + strings.Repeat(`, NULL`, beforePerson) + `, ` +
		user.Columns("w") + strings.Repeat(`, NULL`, afterPerson-1) + `, w.n FROM (` + from + `) AS w`
}

// columns adds the destinations for a row of the event to a list.
func (d *Details) columns(list []any, o *user.Columned) []any {
	return append(d.Card.columns(append(list, nil), o),
		&d.Description, &d.Capacity, &d.SelectedDateOptionID, &d.ConferenceURL, &d.CreatedAt, &d.UpdatedAt,
		&d.PublishedAt, &d.CanceledAt, &d.OverAt, &d.LocationText, &d.ViewerStatus, &d.ViewerVisibility, &d.ViewerInvitation,
		&d.IncognitoCount, db.OrZero(&d.Rating.Reviews), db.OrZero(&d.Rating.Stars), nil)
}

// add takes in a row of the page.
func (d *Details) add(row db.Row) error {
	var part, n int64
	var person user.Columned
	var columns [1 + beforePerson + 6 + afterPerson]any
	columns[0], columns[len(columns)-1] = &part, db.OrZero(&n)
	copy(columns[1+beforePerson:], person.Dest())
	if err := row.Scan(columns[:]...); err != nil {
		return err
	}
	who := person.Public()
	switch part {
	case participantPart:
		d.Participants = append(d.Participants, *who)
	case followedPart:
		d.FollowedGoing, d.FollowedGoingCount = append(d.FollowedGoing, *who), n
	default:
		d.Organizer = who
		return row.Scan(d.columns(columns[:0], &person)...)
	}
	return nil
}

// details reads one event for a viewer; domain.NotFound when it is unknown or hidden.
func details(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (Details, error) {
	stmt, args := pageSignedOutStmt, []any{id, now}
	if v.SignedIn() {
		stmt, args = pageSignedInStmt, append(args, v.UserID)
	}
	var d Details
	for row, err := range q.Query(ctx, stmt, args...) {
		if err == nil {
			err = d.add(row)
		}
		if err != nil {
			return Details{}, fmt.Errorf("event.page %s: %w", id, err)
		}
	}
	if d.ID.IsZero() { // whoever goes there is nobody's business
		return Details{}, domain.NotFound
	}
	db.Narrow(ctx, stmt, "profiles", d.people())
	sortPeople(d.Participants)
	sortPeople(d.FollowedGoing)
	if d.Status != access.Completed { // nothing else is reviewed
		d.Rating = Rating{}
	}
	if !d.comes(v) {
		d.ConferenceURL = nil
	}
	return d, nil
}

// people are those whom the page names.
func (d *Details) people() []domain.UserID {
	named := []domain.UserID{d.OrganizerID}
	for _, p := range slices.Concat(d.Participants, d.FollowedGoing) {
		named = append(named, p.UserID)
	}
	return named
}
