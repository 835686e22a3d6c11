package event

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// SeriesDate says which date of a series an event is. Package series makes, publishes and changes such events by the functions of this
// file.
type SeriesDate struct {
	Series       *domain.SeriesID // nil: the event is in no series
	OccurrenceAt *string          // its local date and time by the rule, like 2026-12-03T19:00:00
	Detached     bool             // its organizer has changed it by hand
}

// detach notes that the organizer has changed a date of a series by hand.
func (e *Event) detach() { e.Detached = e.Series != nil }

// Template is a JSON object of the fields that the events of a series have when they are made, with the names of the contract.
type Template string

var templateColumns = fieldColumns.Without("starts_at", "ends_at", "timezone", "date_mode")

// newTemplate returns the template with the fields of a request, or its error, whose pointers then begin with /template.
func newTemplate(f Fields, err error) (Template, error) {
	var wrong domain.Problems
	wrong.AddAll(err)
	for i, w := range wrong {
		wrong[i].Pointer = "/template" + w.Pointer
		for n := range w.Needs {
			w.Needs[n] = "/template" + w.Needs[n]
		}
	}
	if len(wrong) > 0 {
		return "", wrong.Err()
	}
	object, encodingErr := templateColumns.JSON(&f)
	return Template(object), errors.Join(err, encodingErr)
}

// NewTemplate returns the template of a request, or all invalid fields in one error.
func (r Rules) NewTemplate(in Input) (Template, error) { return newTemplate(r.mergeNew(in)) }

// ChangeTemplate returns the template after a request with the changed fields, or all invalid fields in one error.
func (r Rules) ChangeTemplate(t Template, in Input) (Template, error) {
	f, err := t.Fields()
	if err != nil {
		return "", err
	}
	return newTemplate(r.mergeChange(f, in))
}

// Fields returns the fields of an event of the series, without times.
func (t Template) Fields() (f Fields, err error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(t), &values); err != nil {
		return f, err
	}
	f.DateMode, f.JoinPolicy = DateFixed, JoinOpen
	for _, c := range templateColumns {
		if value, has := values[c.Column]; has {
			if err := json.Unmarshal(value, c.Var(&f)); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

// Timing is the start and the length of an event in a zone; a length of nil is as without ends_at.
type Timing struct {
	Start  time.Time
	Length *time.Duration
	Zone   string
}

// MakeDate stores a draft for a date of a series. Only one event of a series can have its date: the unique index refuses another.
func (s *Service) MakeDate(ctx context.Context, tx db.Tx, owner domain.UserID, t Template, date SeriesDate, at Timing,
	now time.Time) (domain.EventID, error) {
	fields, err := t.Fields()
	if err != nil {
		return domain.EventID{}, err
	}
	if err := fields.keepGroup(ctx, tx, owner); err != nil {
		return domain.EventID{}, err
	}
	e := Event{Fields: fields, SeriesDate: date}
	e.StartsAt, e.Timezone = at.Start, at.Zone
	if at.Length != nil {
		e.EndsAt = new(at.Start.Add(*at.Length))
	}
	e.prepare(ctx, owner, now)
	return e.ID, s.storeIn(ctx, tx, e, now)
}

// Publication is how a date of a series is published.
type Publication int

// The ways to publish a date.
const (
	Unlisted  Publication = iota // only those who know its address find it, until ListDate
	Listed                       // without a notification of followers
	Announced                    // listed, and followers and members of its group are notified
	GroupTold                    // listed, and members of its group are notified
)

func (p Publication) tellsGroup() bool { return p == Announced || p == GroupTold }

// PublishDate publishes a draft of a series. Returns Forbidden if it has a price and its organizer may not charge.
func (s *Service) PublishDate(ctx context.Context, tx db.Tx, id domain.EventID, how Publication, now time.Time) error {
	e, err := lock(ctx, tx, id, now)
	if err != nil {
		return err
	}
	if err := s.mayCharge(ctx, tx, e); err != nil {
		return err
	}
	return s.publish(ctx, tx, e, how, now)
}

// ListDate lists an event that PublishDate has published without listing it.
func (s *Service) ListDate(ctx context.Context, tx db.Tx, id domain.EventID, how Publication, now time.Time) error {
	e, err := lock(ctx, tx, id, now)
	if err != nil || e.Listed || e.Status != access.Published {
		return err
	}
	if e.Visibility == access.Members && how == Announced {
		return e.notifyGroup(ctx, tx, now)
	}
	if e.Visibility != access.Public {
		return nil
	}
	e.Listed = true
	if err := update(ctx, tx, &e, false); err != nil {
		return err
	}
	return e.list(ctx, tx, how, now)
}

// list makes a listed event findable, and notifies followers and members of its group.
func (e Event) list(ctx context.Context, tx db.Tx, how Publication, now time.Time) error {
	if err := postings.Update(ctx, tx, nil, e.Document()); err != nil {
		return err
	}
	if how == Announced {
		if err := e.announce(ctx, tx, notify.FollowedUserEvent, notify.FollowersOf(e.OrganizerID), now); err != nil {
			return err
		}
	}
	if !how.tellsGroup() {
		return nil
	}
	return e.notifyGroup(ctx, tx, now)
}

// ChangeDate changes the fields of one date of a series as Update does, and reports whether they differ now. The event does not count as
// changed by hand. Its guests get one notification for all dates that are changed at the same time.
func (s *Service) ChangeDate(ctx context.Context, tx db.Tx, id domain.EventID, in Input, now time.Time) (changed bool, err error) {
	was, err := lock(ctx, tx, id, now)
	if err != nil {
		return false, err
	}
	was.notificationSubject = was.Series.String()
	_, changed, err = s.change(ctx, tx, domain.Viewer{UserID: was.OrganizerID}, was, in, "", now)
	return changed, err
}

// seriesCardsStmt takes the viewer, the time, the series, the starts_key after which the page begins, and the number of cards.
var seriesCardsStmt = db.SQL("event.series_cards", `
	SELECT `+cardColumns("$1", "$2")+` FROM events e`+cardJoins("$1")+`
	WHERE e.series_id = $3 AND e.starts_key > $4 AND e.over_at > $2 AND `+access.SeesEvent("e", "$1")+`
	ORDER BY e.starts_key LIMIT $5`)

// SeriesCards returns the first cards of the events of a series that have not ended and that the viewer sees, the earliest first.
func SeriesCards(ctx context.Context, q db.Querier, v domain.Viewer, id domain.SeriesID, after int64, limit int,
	now time.Time) ([]Card, error) {
	return db.All(ctx, q, scanCard, seriesCardsStmt, v.UserID, now, id, after, limit)
}

// Title returns the title of the template.
func (t Template) Title() (string, error) {
	f, err := t.Fields()
	return f.Title, err
}
