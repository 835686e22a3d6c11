// Package series makes the events of a recurrence rule ahead of time, as ordinary events of its organizer.
package series

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/recurrence"
)

// Status is the state of a series.
type Status string

// The states of a series. An ended one stays ended.
const (
	Active Status = "active"
	Paused Status = "paused"
	Ended  Status = "ended"
)

// Automatic is the value of publish for dates that are published when they are made; Manual for drafts.
const (
	Automatic = "automatic"
	Manual    = "manual"
)

// The limits of series (contract).
const (
	maxSeries      = 20   // of one organizer that still have dates to make
	maxMembers     = 2000 // of one series
	defaultHorizon = 56   // days
	previewed      = 10   // dates
	// step limits the events and the joins of one transaction, so that other writers are not blocked.
	step = 20
	// changeStep is how many events one transaction changes. On SQLite, a join waits for one (BenchmarkJoinBesideEdit).
	changeStep = 4
)

// DatesPerUserDay limits the dates that are made for one organizer. The others are made later.
var DatesPerUserDay = ratelimit.Limit{Name: "series_dates_per_user_day", Default: ratelimit.Quota{N: 200, Window: 24 * time.Hour},
	Open: true, What: "dates made for the series of one organizer; others are made later"}

// Series is a stored series. Dates are local, as recurrence.Layout.
type Series struct {
	ID         domain.SeriesID
	Owner      domain.UserID
	Status     Status
	Rule       string
	StartsAt   string
	Timezone   string
	Minutes    *int64 // the length of an event; nil: as without ends_at
	Publish    string
	Horizon    int64 // days
	Template   event.Template
	MadeUntil  string // the last date that was made or left out; empty: none
	EndsBefore string // the date from which another series continues it; empty: none
	Announced  bool   // followers were notified
	DueAt      *time.Time
	CreatedAt  time.Time

	// DraftsNotified: the organizer knows that new dates stay drafts.
	DraftsNotified bool

	// QuestionsOf is the event whose questions the first date has; nil: none. Later dates have those of the date before.
	QuestionsOf *domain.EventID

	Joined bool // the viewer is a member
}

// Service implements the use cases of series. Its methods return domain errors.
type Service struct {
	DB         *db.DB
	Clock      domain.Clock
	Events     *event.Service
	Attendance *attendance.Service
	Limits     *ratelimit.Limits // nil: none
}

// New is a request for a new series.
type New struct {
	Rule, StartsAt, Timezone string
	Minutes                  *int64
	Publish                  string
	Horizon                  int64
	Template                 event.Input
	QuestionsOf              *domain.EventID // an event that the viewer hosts; nil: the dates ask nothing
}

// schedule returns the dates of a series.
func (s Series) schedule() (*recurrence.Schedule, error) {
	r, err := recurrence.Parse(s.Rule)
	if err != nil {
		return nil, err
	}
	start, err := time.Parse(recurrence.Layout, s.StartsAt)
	if err != nil {
		return nil, err
	}
	return recurrence.New(r, start, location(s.Timezone))
}

// location returns the location of a stored zone.
func location(zone string) *time.Location {
	l, err := time.LoadLocation(zone)
	if err != nil {
		return time.UTC // the zone was removed since
	}
	return l
}

// checkSchedule reports what is wrong with the rule, the start and the zone of a request: prefix is "/" in a body and "?" in a query.
func checkSchedule(wrong *domain.Problems, prefix string, s Series, now time.Time) *recurrence.Schedule {
	if !event.KnownZone(s.Timezone) {
		wrong.Add(prefix+"timezone", "must be an IANA zone with a place, such as Europe/Moscow")
		return nil
	}
	if _, err := recurrence.Parse(s.Rule); err != nil {
		wrong.Add(prefix+"rrule", err.Error())
		return nil
	}
	if _, err := time.Parse(recurrence.Layout, s.StartsAt); err != nil {
		wrong.Add(prefix+"starts_at", "must be a date and time that exist, like 2026-12-03T19:00:00")
		return nil
	}
	dates, err := s.schedule()
	var start recurrence.StartError
	switch {
	case errors.As(err, &start):
		wrong.Add(prefix+"starts_at", err.Error(), prefix+"rrule")
	case err != nil:
		wrong.Add(prefix+"rrule", err.Error(), prefix+"starts_at")
	case !dates.From(time.Time{}, 1)[0].At.After(now):
		wrong.Add(prefix+"starts_at", "must be in the future")
	}
	return dates
}

// build returns the series of a request, or all invalid fields in one error.
func (s *Service) build(in New, now time.Time) (Series, error) {
	var wrong domain.Problems
	r := Series{Status: Active, Rule: in.Rule, StartsAt: in.StartsAt, Timezone: in.Timezone, Minutes: in.Minutes, Publish: in.Publish,
		Horizon: in.Horizon, CreatedAt: now, QuestionsOf: in.QuestionsOf}
	checkSchedule(&wrong, "/", r, now)
	var err error
	r.Template, err = s.Events.Rules.NewTemplate(in.Template)
	wrong.AddAll(err)
	return r, wrong.Err()
}

// Create stores a series of the viewer and makes its first dates.
func (s *Service) Create(ctx context.Context, v domain.Viewer, in New) (Series, error) {
	now := s.Clock.Now()
	r, err := s.build(in, now)
	if err != nil {
		return Series{}, err
	}
	var id domain.SeriesID
	err = db.RetryUnique(func() error {
		id = domain.NewIDIn[domain.SeriesKind](ctx, now)
		return idempotency.InTx(ctx, s.DB, now, &id, func(tx db.Tx) error {
			r.ID, r.Owner = id, v.UserID
			if err := r.mayCopyQuestions(ctx, tx, v, now); err != nil {
				return err
			}
			if err := s.mustHaveRoom(ctx, tx, v.UserID); err != nil {
				return err
			}
			insert(ctx, tx, r)
			return s.makeAndContinue(ctx, tx, id, now)
		})
	})
	if err != nil {
		return Series{}, err
	}
	r, err = s.Get(ctx, v, id)
	if errors.Is(err, domain.NotFound) { // its organizer has deleted their account since
		err = domain.Unauthorized
	}
	return r, err
}

// mayCopyQuestions returns Invalid unless the viewer hosts the event whose questions the dates have.
func (s Series) mayCopyQuestions(ctx context.Context, tx db.Tx, v domain.Viewer, now time.Time) error {
	if s.QuestionsOf == nil {
		return nil
	}
	f, err := access.Event(ctx, tx, v, *s.QuestionsOf, now)
	if errors.Is(err, domain.NotFound) || err == nil && f.MustHost() != nil {
		err = domain.Invalid("/questions_event_id", "must be an event that you host")
	}
	return err
}

// mustHaveRoom returns Forbidden if the organizer already has maxSeries series.
func (s *Service) mustHaveRoom(ctx context.Context, tx db.Tx, owner domain.UserID) error {
	var n int
	if err := tx.One(ctx, countStmt, owner).Scan(&n); err != nil {
		return err
	}
	if n >= maxSeries {
		return domain.Forbid(domain.BlockedByState)
	}
	return nil
}

// Get returns a series. Returns NotFound unless the viewer is its organizer or sees one of its events.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.SeriesID) (r Series, err error) {
	err = s.DB.One(ctx, seenStmt, id, v.UserID).ScanOr(domain.NotFound, append(columns.Vars(&r), &r.Joined)...)
	return r, err
}

const mineCursor = "my_series.1"

// position is the key of a series in the list of its organizer.
type position struct {
	at time.Time
	id domain.SeriesID
}

// beforeMine returns the position before which a page of Mine begins.
func beforeMine(cursor string) (before position, err error) {
	before.at = domain.EndOfTime
	if cursor != "" {
		err = domain.ReadCursor(cursor, mineCursor, &before.at, &before.id)
	}
	return before, err
}

// Mine returns a page of the series that the viewer organizes, the newest first.
func (s *Service) Mine(ctx context.Context, v domain.Viewer, limit int, cursor string) (page domain.Page[Series], err error) {
	before, err := beforeMine(cursor)
	if err != nil {
		return page, err
	}
	all, err := db.All(ctx, s.DB, scanViewed, mineStmt, limit+1, v.UserID, before.at, before.id)
	return domain.NewPage(all, limit, func(last Series) string { return domain.Cursor(mineCursor, last.CreatedAt, last.ID) }), err
}

// Preview returns the first dates of a rule, and the months or years between them that have none.
func (s *Service) Preview(rule, startsAt, timezone string) (dates []recurrence.Date, gaps []string, err error) {
	var wrong domain.Problems
	schedule := checkSchedule(&wrong, "?", Series{Rule: rule, StartsAt: startsAt, Timezone: timezone}, s.Clock.Now())
	if err := wrong.Err(); err != nil {
		return nil, nil, err
	}
	dates = schedule.From(time.Time{}, previewed)
	return dates, schedule.Gaps(dates), nil
}

// cursorName names the list of coming events in its cursors.
const cursorName = "series_events.1"

func readCursor(cursor string) (after int64, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, cursorName, &after)
	}
	return after, err
}

// ComingEvents returns a page of the events of a series that have not ended and that the viewer sees, the earliest first.
func (s *Service) ComingEvents(ctx context.Context, v domain.Viewer, id domain.SeriesID, limit int,
	cursor string) (page domain.Page[event.Card], err error) {
	after, err := readCursor(cursor)
	if err != nil {
		return page, err
	}
	if _, err := s.Get(ctx, v, id); err != nil {
		return page, err
	}
	cards, err := event.SeriesCards(ctx, s.DB, v, id, after, limit+1, s.Clock.Now())
	return domain.NewPage(cards, limit, func(last event.Card) string { return domain.Cursor(cursorName, last.StartsKey) }), err
}
