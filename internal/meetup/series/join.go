package series

import (
	"cmp"
	"context"
	"errors"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// Joined is how many coming dates of a series the viewer goes to and waits for, and those that they could not join.
type Joined struct {
	Joined, Waiting int
	Refused         []domain.EventID
}

// Terms are how a user joins a series. An empty visibility is public at first, and unchanged later.
type Terms struct {
	Visibility string
	Answers    []question.Answer // to the questions of the dates; nil: none
}

// Join makes the viewer a member of a series, and a participant of its coming dates, in transactions of step dates. Returns Invalid for
// answers that do not fit.
func (s *Service) Join(ctx context.Context, v domain.Viewer, id domain.SeriesID, t Terms) (j Joined, err error) {
	var after domain.EventID
	for {
		var dates []domain.EventID
		before := j
		run := func(tx db.Tx) (err error) {
			j = before // the transaction may run again
			dates, err = s.joinStep(ctx, tx, v, id, t, after, &j)
			return err
		}
		err := s.DB.InTx(ctx, run)
		if db.NullViolation(err) { // a date was canceled at the same time
			err = s.DB.InTx(ctx, run)
		}
		if err != nil || len(dates) < step {
			return j, err
		}
		after = dates[len(dates)-1]
	}
}

// joinStep lets the viewer join the next dates after one, and returns them.
func (s *Service) joinStep(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.SeriesID, t Terms, after domain.EventID,
	j *Joined) ([]domain.EventID, error) {
	now := s.Clock.Now()
	var r Series
	if err := tx.One(ctx, seenStmt, id, v.UserID).ScanOr(domain.NotFound, append(columns.Vars(&r), &r.Joined)...); err != nil {
		return nil, err
	}
	r, err := lock(ctx, tx, id) // so that no date is made meanwhile
	if err != nil {
		return nil, err
	}
	if err := r.mustBeJoinable(); err != nil {
		return nil, err
	}
	var is member
	wasMember, err := tx.One(ctx, memberStmt, id, v.UserID).Find(&is.visibility)
	if err != nil {
		return nil, err
	}
	n, err := tx.Exec(ctx, putMemberStmt, id, v.UserID, t.Visibility, now, maxMembers)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, domain.Forbid(domain.BlockedByState)
	}
	dates, err := db.Values[domain.EventID](ctx, tx, madeStmt, id, now, "", after, step)
	if err != nil {
		return nil, err
	}
	for _, d := range dates {
		terms := attendance.SeriesTerms{Visibility: cmp.Or(t.Visibility, is.visibility), Answers: t.Answers, Again: true,
			Notifies: !wasMember && j.Joined == 0}
		outcome, err := s.Attendance.JoinDate(ctx, tx, v, d, terms, now)
		if err != nil {
			return nil, err
		}
		switch outcome {
		case attendance.DateJoined:
			j.Joined++
		case attendance.DateWaiting:
			j.Waiting++
		case attendance.DateRefused:
			j.Refused = append(j.Refused, d)
		}
	}
	return dates, nil
}

// mustBeJoinable refuses those who see the series but may not join it.
func (s Series) mustBeJoinable() error {
	f, err := s.Template.Fields()
	switch {
	case err != nil:
		return err
	case f.Visibility == access.Private:
		return domain.Forbid(domain.EventPrivate)
	case f.Price == event.Paid:
		return domain.Forbid(domain.PaymentRequired)
	case f.JoinPolicy == event.JoinApproval:
		return domain.Forbid(domain.BlockedByState)
	default:
		return nil
	}
}

// Leave ends the viewer's membership. With dates, it also ends their attendance of coming dates, and their places in waiting lists.
// Returns NotFound if the viewer is no member.
func (s *Service) Leave(ctx context.Context, v domain.Viewer, id domain.SeriesID, dates bool) error {
	n, err := s.DB.Exec(ctx, deleteMemberStmt, id, v.UserID)
	if err != nil {
		return err
	}
	if n == 0 {
		return domain.NotFound
	}
	if !dates {
		return nil
	}
	coming, err := db.Values[domain.EventID](ctx, s.DB, madeStmt, id, s.Clock.Now(), "", domain.EventID{}, maxDates)
	if err != nil {
		return err
	}
	for _, d := range coming {
		_, err := s.Attendance.Leave(ctx, v, d)
		if errors.Is(err, domain.NotFound) { // not a participant
			err = s.Attendance.LeaveWaitlist(ctx, v, d)
		}
		if err != nil && !errors.Is(err, domain.NotFound) {
			return err
		}
	}
	return nil
}

// maxDates is more than the coming dates of a series: the longest horizon has 180 days.
const maxDates = 500
