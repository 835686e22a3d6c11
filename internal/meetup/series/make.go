package series

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/recurrence"
)

// The kinds of the jobs. Each run is one transaction: a crash before its end changes nothing.
const (
	makeKind = "series.make" // makes the next dates of a series
	joinKind = "series.join" // lets the members of a series join a date that was made, and lists it
)

// retryAfter is the delay of dates beyond DatesPerUserDay, and of discarded jobs that run again.
const retryAfter = time.Hour

// afterAllDates is later than every local date.
const afterAllDates = "9999"

// maxDue is how many series one run of the periodic job looks at.
const maxDue = 100

type makeJob struct {
	Series domain.SeriesID
	Round  int
}

type joinJob struct {
	Series   domain.SeriesID
	Event    domain.EventID
	Announce bool
	After    domain.UserID // the last member who has joined
}

// RegisterJobs registers the jobs that make dates and let members join them.
func (s *Service) RegisterJobs(w *job.Workers) {
	job.InTx(w, makeKind, func(ctx context.Context, tx db.Tx, j makeJob) error {
		now := s.Clock.Now()
		var owner domain.UserID
		found, err := tx.One(ctx, ownerStmt, j.Series).Find(&owner)
		if err != nil || !found {
			return err
		}
		user.Share(ctx, tx, owner)
		more, err := s.make(ctx, tx, j.Series, now)
		if err != nil || !more {
			return err
		}
		return putMake(ctx, tx, j.Series, j.Round+1, now)
	})
	job.InTx(w, joinKind, s.joinMembers)
	w.Every(time.Minute, "series.due", s.queueDue)
}

// queueDue queues the jobs that make dates, and again those that were discarded: a series must not end because a job failed too often.
func (s *Service) queueDue(ctx context.Context) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		if err := job.RetryDiscarded(ctx, tx, now, now.Add(-retryAfter), makeKind, joinKind); err != nil {
			return err
		}
		ids, err := db.Values[domain.SeriesID](ctx, tx, dueStmt, now, maxDue)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := putMake(ctx, tx, id, 0, now); err != nil {
				return err
			}
		}
		return nil
	})
}

// putMake queues the next round of making dates. The key alternates, because a job cannot queue itself again.
func putMake(ctx context.Context, tx db.Tx, id domain.SeriesID, round int, now time.Time) error {
	key := id.String()
	if round%2 == 1 {
		key += ":more"
	}
	return job.PutIfAbsent(ctx, tx, now, job.Job{Kind: makeKind, Key: key, Payload: makeJob{id, round}})
}

// makeAndContinue makes the next dates in the transaction of a request, and queues a job if there are more.
func (s *Service) makeAndContinue(ctx context.Context, tx db.Tx, id domain.SeriesID, now time.Time) error {
	more, err := s.make(ctx, tx, id, now)
	if err != nil || !more {
		return err
	}
	return putMake(ctx, tx, id, 0, now)
}

// make makes the dates of a series that are due, at most step of them, and reports whether there are more. The account of the organizer
// is locked or shared. The lock of the series and the unique index of the events make each date once.
func (s *Service) make(ctx context.Context, tx db.Tx, id domain.SeriesID, now time.Time) (more bool, err error) {
	r, err := lock(ctx, tx, id)
	if errors.Is(err, domain.NotFound) { // its organizer has deleted their account
		return false, nil
	}
	if err != nil || r.Status != Active {
		return false, err
	}
	m := maker{s: s, tx: tx, now: now, series: r}
	if err := m.prepare(ctx); err != nil {
		return false, err
	}
	for _, d := range m.dates {
		if err := m.add(ctx, d); err != nil {
			return false, err
		}
	}
	m.series.DueAt, more = m.nextDue()
	update(ctx, tx, m.series, now)
	return more, nil
}

// maker makes the next dates of one series in one transaction.
type maker struct {
	s      *Service
	tx     db.Tx
	now    time.Time
	series Series

	dates     []recurrence.Date // due
	next      *recurrence.Date  // the first date after them; nil: none
	postponed bool              // the organizer may not get more dates now
	skips     map[string]bool
	publishes bool
	drafts    string          // why dates stay drafts, as notify.DraftsParam; empty: they do not, or need not say why
	members   bool            // the series has members
	questions *domain.EventID // the event whose questions the dates have; nil: none
}

// prepare finds the dates to make, and how they are published.
func (m *maker) prepare(ctx context.Context) error {
	schedule, err := m.series.schedule()
	if err != nil {
		return err
	}
	var suspended, verified bool
	var made int
	quota := m.s.datesPerDay()
	if err := m.tx.One(ctx, publisherStmt, m.series.Owner, m.now.Add(-quota.Window)).Scan(&suspended, &verified, &made); err != nil {
		return err
	}
	m.publishes = m.series.Publish == Automatic && verified && !suspended
	if m.series.Publish == Automatic && !verified && !suspended {
		m.drafts = notify.DraftsUnverified
	}
	if err := m.tx.One(ctx, hasMembersStmt, m.series.ID).Scan(&m.members); err != nil {
		return err
	}
	if m.questions, err = m.series.questionsBefore(ctx, m.tx, afterAllDates); err != nil {
		return err
	}
	skipped, err := db.Values[string](ctx, m.tx, skipsStmt, m.series.ID)
	if err != nil {
		return err
	}
	m.skips = map[string]bool{}
	for _, date := range skipped {
		m.skips[date] = true
	}
	limit := step
	if quota.N > 0 {
		limit = min(limit, max(0, quota.N-made))
	}
	m.choose(schedule, limit)
	m.postponed = limit < step && m.next != nil && len(m.dates) == limit
	return nil
}

// questionsBefore returns the event whose questions a date has that follows the made dates before one: the last of them. If there is none,
// it is the event that the organizer has named.
func (s Series) questionsBefore(ctx context.Context, tx db.Tx, date string) (*domain.EventID, error) {
	var last domain.EventID
	var asks bool
	found, err := tx.One(ctx, lastStmt, s.ID, date).Find(&last, &asks)
	switch {
	case err != nil || found && !asks:
		return nil, err
	case found:
		return &last, nil
	default:
		return s.QuestionsOf, nil
	}
}

// datesPerDay returns the quota of dates; zero without limits.
func (s *Service) datesPerDay() (q ratelimit.Quota) {
	if s.Limits != nil {
		q = s.Limits.Quota(DatesPerUserDay)
	}
	return q
}

// choose sets the dates to make, at most limit, and the next one.
func (m *maker) choose(schedule *recurrence.Schedule, limit int) {
	from := m.now.Add(-48 * time.Hour) // local times differ from UTC by less
	if last, err := time.Parse(recurrence.Layout, m.series.MadeUntil); err == nil && !last.Before(from) {
		from = last.Add(time.Second)
	}
	horizon := m.now.AddDate(0, 0, int(m.series.Horizon))
	for _, d := range schedule.From(from, limit+4) { // the next one, and at most three that have begun
		switch {
		case m.series.EndsBefore != "" && d.Local.Format(recurrence.Layout) >= m.series.EndsBefore:
			return
		case !d.At.After(m.now):
		case d.At.After(horizon) || len(m.dates) == limit:
			m.next = &d
			return
		default:
			m.dates = append(m.dates, d)
		}
	}
}

// add makes one date, publishes it and lets members join, unless it is skipped.
func (m *maker) add(ctx context.Context, d recurrence.Date) error {
	occurrence := d.Local.Format(recurrence.Layout)
	m.series.MadeUntil = occurrence
	if m.skips[occurrence] {
		return nil
	}
	date := event.SeriesDate{Series: &m.series.ID, OccurrenceAt: &occurrence}
	id, err := m.s.Events.MakeDate(ctx, m.tx, m.series.Owner, m.series.Template, date, m.series.timing(d.At), m.now)
	if err != nil {
		return err
	}
	if m.questions != nil {
		question.Copy(ctx, m.tx, *m.questions, id)
	}
	if !m.publishes {
		return m.notifyDrafts(ctx, id)
	}
	how := event.Listed
	switch {
	case m.members:
		how = event.Unlisted
	case !m.series.Announced:
		how = event.Announced
	}
	err = m.s.Events.PublishDate(ctx, m.tx, id, how, m.now)
	if errors.Is(err, domain.Forbidden) { // the organizer may not charge: all dates stay drafts
		m.publishes, m.drafts = false, notify.DraftsUnpaid
		return m.notifyDrafts(ctx, id)
	}
	if err != nil {
		return err
	}
	announce := !m.series.Announced
	m.series.Announced, m.series.DraftsNotified = true, false
	if !m.members {
		return nil
	}
	return putJoin(ctx, m.tx, joinJob{Series: m.series.ID, Event: id, Announce: announce}, m.now)
}

// notifyDrafts notifies the organizer that dates, of which this is one, stay drafts: once, until a date is published.
func (m *maker) notifyDrafts(ctx context.Context, date domain.EventID) error {
	if m.drafts == "" || m.series.DraftsNotified {
		return nil
	}
	m.series.DraftsNotified = true
	return notify.Put(ctx, m.tx, m.now, notify.Notification{To: m.series.Owner, Kind: notify.SeriesDrafts, Subject: m.series.ID.String(),
		Event: date, Params: map[string]string{notify.DraftsParam: m.drafts}})
}

// nextDue returns when the next date is made, and whether that is now. A series without a next date has no such time.
func (m *maker) nextDue() (due *time.Time, now bool) {
	switch {
	case m.next == nil:
		return nil, false
	case m.postponed:
		return new(m.now.Add(retryAfter)), false
	}
	due = new(m.next.At.AddDate(0, 0, -int(m.series.Horizon)))
	return due, !due.After(m.now)
}

func putJoin(ctx context.Context, tx db.Tx, j joinJob, now time.Time) error {
	return job.PutIfAbsent(ctx, tx, now, job.Job{Kind: joinKind, Key: j.Event.String() + ":" + j.After.String(), Payload: j})
}

// joinMembers lets the next members join a date, and queues itself for the others. After the last one, the date is listed.
func (s *Service) joinMembers(ctx context.Context, tx db.Tx, j joinJob) error {
	now := s.Clock.Now()
	users, err := db.Values[domain.UserID](ctx, tx, nextMembersStmt, j.Series, j.After, step)
	if err != nil {
		return err
	}
	user.Share(ctx, tx, users...)
	members, err := db.All(ctx, tx, scanMember, activeMembersStmt, j.Series, users)
	if err != nil {
		return err
	}
	answers, err := question.Earlier(ctx, tx, j.Event, users)
	if err != nil {
		return err
	}
	for _, m := range members {
		terms := attendance.SeriesTerms{Visibility: m.visibility, Answers: answers[m.user]}
		if _, err := s.Attendance.JoinDate(ctx, tx, domain.Viewer{UserID: m.user}, j.Event, terms, now); err != nil {
			return err
		}
	}
	if len(users) == step {
		j.After = users[len(users)-1]
		return putJoin(ctx, tx, j, now)
	}
	how := event.Listed
	if j.Announce {
		how = event.Announced
	}
	return s.Events.ListDate(ctx, tx, j.Event, how, now)
}
