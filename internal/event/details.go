package event

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Details is everything about an event that one viewer may see (contract §4.2).
type Details struct {
	Card
	Description          *string
	Capacity             *int64
	SelectedDateOptionID *domain.DateOptionID
	ConferenceURL        *string // only for the organizer, participants and invitees who accepted
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

// CanJoin reports whether the event can be joined now: it is published and
// public, and neither full nor over.
func (d Details) CanJoin() bool {
	return d.Status == access.Published && d.Visibility == access.Public &&
		(d.Capacity == nil || d.ParticipantCount < *d.Capacity)
}

// CompletedAt returns when the event was completed, nil while it is not.
func (d Details) CompletedAt() *time.Time {
	if d.Status != access.Completed {
		return nil
	}
	return &d.OverAt
}

// seesConferenceURL reports whether the viewer may see how to join online.
func (d Details) seesConferenceURL(v domain.Viewer) bool {
	return d.ViewerIsOrganizer(v) || d.ViewerGoing || d.ViewerInvitation != nil && *d.ViewerInvitation == "accepted"
}

// The kinds of rows of the details statement. Each row has the columns of a card,
// which end with the columns of a person, and more columns. A row of a person has
// NULL in all other columns.
const (
	eventRow = iota
	participantRow
	followedRow

	beforePerson = 20 // columns of a card without its organizer
	afterPerson  = 17 // further columns
)

// newDetailsStmt returns the statement that reads the details of the event $1 at the
// time $2.
func newDetailsStmt(who, viewer string) *db.Stmt {
	return db.SQL("event.details_"+who, `
		SELECT `+strconv.Itoa(eventRow)+`, `+cardColumns(viewer, "$2")+`,
			e.description, e.capacity, e.selected_date_option_id, e.conference_url, e.created_at, e.updated_at,
			e.published_at, e.canceled_at, e.over_at, e.location_text, `+viewerColumns(viewer)+`, r.n, r.stars, NULL
		FROM events e`+cardJoins+` LEFT JOIN review_totals r ON r.event_id = e.id`+viewerJoins(viewer)+`
		WHERE e.id = $1 AND `+access.SeesEvent("e", viewer)+peopleRows(participantRow, participants(viewer))+peopleRows(followedRow, followedGoing(viewer)))
}

var (
	detailsSignedInStmt  = newDetailsStmt("signed_in", "$3")
	detailsAnonymousStmt = newDetailsStmt("anonymous", access.Anonymous)
)

// viewerColumns are the viewer's own participation and invitation. They need
// viewerJoins.
func viewerColumns(viewer string) string {
	if viewer == access.Anonymous {
		return `NULL, NULL, NULL, NULL`
	}
	return `p.status, p.visibility, i.status, CASE WHEN e.organizer_id = ` + viewer + ` THEN
		(SELECT COUNT(*) FROM participants h WHERE h.event_id = e.id AND h.status = 'going' AND h.visibility = 'incognito') END`
}

func viewerJoins(viewer string) string {
	if viewer == access.Anonymous {
		return ""
	}
	return ` LEFT JOIN participants p ON p.event_id = e.id AND p.user_id = ` + viewer + `
		LEFT JOIN invitations i ON i.event_id = e.id AND i.user_id = ` + viewer
}

// peopleRows adds rows of one kind to the statement. from is a query that selects
// the columns of a person and a number n.
func peopleRows(kind int, from string) string {
	if from == "" {
		return ""
	}
	return ` UNION ALL SELECT ` + strconv.Itoa(kind) + strings.Repeat(`, NULL`, beforePerson) + `, ` +
		user.Columns("w") + strings.Repeat(`, NULL`, afterPerson-1) + `, w.n FROM (` + from + `) AS w`
}

// columns appends the destinations for the row of the event to a list.
func (d *Details) columns(list []any, o *user.ProfileColumns) []any {
	return append(d.Card.columns(append(list, nil), o),
		&d.Description, &d.Capacity, &d.SelectedDateOptionID, &d.ConferenceURL, &d.CreatedAt, &d.UpdatedAt,
		&d.PublishedAt, &d.CanceledAt, &d.OverAt, &d.LocationText, &d.ViewerStatus, &d.ViewerVisibility, &d.ViewerInvitation,
		&d.IncognitoCount, db.OrZero(&d.Rating.Reviews), db.OrZero(&d.Rating.Stars), nil)
}

// add reads one row of the details statement.
func (d *Details) add(row db.Row) error {
	var kind, n int64
	var person user.ProfileColumns
	var columns [1 + beforePerson + 6 + afterPerson]any
	columns[0], columns[len(columns)-1] = &kind, db.OrZero(&n)
	copy(columns[1+beforePerson:], person.Dest())
	if err := row.Scan(columns[:]...); err != nil {
		return err
	}
	public := person.Public()
	switch kind {
	case participantRow:
		d.Participants = append(d.Participants, *public)
	case followedRow:
		d.FollowedGoing, d.FollowedGoingCount = append(d.FollowedGoing, *public), n
	default:
		d.Organizer = public
		return row.Scan(d.columns(columns[:0], &person)...)
	}
	return nil
}

// readDetails returns one event for a viewer, or domain.NotFound when it is
// unknown or hidden.
func readDetails(ctx context.Context, q db.Querier, v domain.Viewer, id domain.EventID, now time.Time) (Details, error) {
	stmt, args := detailsAnonymousStmt, []any{id, now}
	if v.SignedIn() {
		stmt, args = detailsSignedInStmt, append(args, v.UserID)
	}
	var d Details
	for row, err := range q.Query(ctx, stmt, args...) {
		if err == nil {
			err = d.add(row)
		}
		if err != nil {
			return Details{}, err
		}
	}
	if d.ID.IsZero() { // unknown or hidden: reveals nothing about attendance
		return Details{}, domain.NotFound
	}
	sortPeople(d.Participants)
	sortPeople(d.FollowedGoing)
	if d.Status != access.Completed { // only completed events are reviewed
		d.Rating = Rating{}
	}
	if !d.seesConferenceURL(v) {
		d.ConferenceURL = nil
	}
	return d, nil
}

// Social proof shows participants who go publicly and have no block with the
// viewer (policy "Incognito", "Block"). It takes the first participants by id, so
// that no statement sorts all of them.

// participants selects the first participants of the event $1.
func participants(viewer string) string {
	where := `p.event_id = $1 AND p.status = 'going' AND p.visibility = 'public'`
	if viewer != access.Anonymous {
		where += ` AND ` + access.NotBlocked("p.user_id", viewer)
	}
	return `SELECT ` + user.Columns("o") + `, 0 AS n FROM participants p JOIN profiles o ON o.user_id = p.user_id
		WHERE ` + where + ` ORDER BY p.user_id LIMIT 5`
}

// followedGoing selects the first participants of the event $1 whom the viewer
// follows, and their number. It scans the viewer's follows, which are few even
// where participants are many.
func followedGoing(viewer string) string {
	if viewer == access.Anonymous {
		return ""
	}
	return `SELECT ` + user.Columns("o") + `, f.n FROM (
		SELECT f.followed_id AS id, COUNT(*) OVER () AS n FROM follows f CROSS JOIN participants p
		WHERE f.follower_id = ` + viewer + ` AND p.event_id = $1 AND p.user_id = f.followed_id AND p.status = 'going' AND p.visibility = 'public' ORDER BY f.followed_id LIMIT 5) AS f
	JOIN profiles o ON o.user_id = f.id`
}

// Rating is the number and the sum of stars of the reviews of an event, without
// hidden reviews. It is the same for every viewer.
type Rating struct{ Reviews, Stars int64 }

// Average returns the average stars, rounded half up to two decimals, or nil
// without reviews.
func (r Rating) Average() *float64 {
	if r.Reviews == 0 {
		return nil
	}
	hundredths := (200*r.Stars + r.Reviews) / (2 * r.Reviews) // integers: no rounding error
	return new(float64(hundredths) / 100)
}

var ratingStmt = db.SQL("event.rating", `SELECT n, stars FROM review_totals WHERE event_id = $1`)

// RatingOf returns the rating of one event. It does not check who may see it.
func RatingOf(ctx context.Context, q db.Querier, id domain.EventID) (r Rating, err error) {
	_, err = q.One(ctx, ratingStmt, id).Find(&r.Reviews, &r.Stars)
	return r, err
}

// sortPeople sorts by id: a UNION guarantees no order.
func sortPeople(people []user.Public) {
	slices.SortFunc(people, func(a, b user.Public) int { return bytes.Compare(a.UserID[:], b.UserID[:]) })
}
