package attendance

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/webhook"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/db"
)

// DateOutcome is what became of a user at a date of a series that they join.
type DateOutcome int

// The outcomes of JoinDate.
const (
	DateRefused DateOutcome = iota // the user may not join, or there is no seat
	DateJoined                     // by this call or before
	DateWaiting                    // in the waiting list
)

// SeriesTerms say how a user joins the dates of a series.
type SeriesTerms struct {
	Visibility string            // Public or Incognito
	Answers    []question.Answer // to the questions of all dates
	Again      bool              // also dates that the user has left
	Notifies   bool              // the organizer and followers, as a single join does
}

func (t SeriesTerms) terms() Terms {
	return Terms{Visibility: t.Visibility, Answers: t.Answers, fitting: true}
}

// JoinDate makes a user, whose account is locked or shared, a participant of one date of a series. If it is full, they enter its waiting
// list. A refusal changes nothing, and is no error: the transaction goes on with other dates. Returns Invalid for wrong answers. If the
// event is canceled at the same time, the transaction may fail with db.NullViolation: repeat it.
func (s *Service) JoinDate(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, t SeriesTerms,
	now time.Time) (DateOutcome, error) {
	f, err := readJoinFacts(ctx, tx, v, id, now)
	switch {
	case errors.Is(err, domain.NotFound):
		return DateRefused, nil
	case err != nil:
		return DateRefused, err
	case f.Going:
		return DateJoined, nil
	case f.MustBeJoinable() != nil, f.Paid, f.Approval, f.participated && !t.Again:
		return DateRefused, nil //nolint:nilerr // a refusal
	}
	if f.HasQuestions {
		answers := question.Answers{Event: id, User: v.UserID, List: t.Answers, Party: 1, Fitting: true}
		if err := question.Check(ctx, tx, answers, now); err != nil { // before anything is written
			if errors.Is(err, domain.Forbid(domain.AnswersRequired)) {
				err = nil
			}
			return DateRefused, err
		}
	}
	p := Participant{EventID: id, UserID: v.UserID}
	if f.participated {
		if err := lockParticipant(ctx, tx, &p); err != nil {
			return DateRefused, err
		}
		if p.Status == statusRemoved {
			return DateRefused, nil
		}
	}
	take := takeFromAnySeatRow
	if f.Capacity == nil {
		take = func(ctx context.Context, tx db.Tx, p *Participant, seats int64, _ bool) error {
			takeFromSeatRow(ctx, tx, p, seats)
			return nil
		}
	} else {
		full, err := s.waitIfFull(ctx, tx, f, v, t, now)
		if full != DateJoined || err != nil {
			return full, err
		}
	}
	terms := t.terms()
	terms.announces = t.Notifies && f.announces()
	terms, err = attend(ctx, tx, f.EventFacts, &p, terms, Public, take, now)
	if err != nil {
		return DateRefused, err
	}
	s.OnChange(ctx, tx, id, v.UserID, now)
	if t.Notifies {
		return DateJoined, notifyJoined(ctx, tx, f, p, terms.Visibility, now)
	}
	return DateJoined, webhook.Put(ctx, tx, now, f.HasWebhook, webhook.Change{Kind: webhook.AttendanceJoined, Event: id, User: v.UserID})
}

// waitIfFull returns DateJoined if an event has a free seat, which stays free until the transaction ends. Otherwise the user enters the
// waiting list if they may.
func (s *Service) waitIfFull(ctx context.Context, tx db.Tx, f joinFacts, v domain.Viewer, t SeriesTerms,
	now time.Time) (DateOutcome, error) {
	if _, waits, err := lockActive(ctx, tx, f.ID, v.UserID); err != nil || waits {
		return DateWaiting, err
	}
	rows, err := lockSeatRows(ctx, tx, f.ID)
	if err != nil || mustHaveFree(rows, 1) == nil {
		return DateJoined, err
	}
	wait, err := readWaitFacts(ctx, tx, v, f.ID, now)
	if err != nil || wait.mustBeWaitable(now) != nil {
		return DateRefused, err
	}
	entry := event.WaitlistEntry{EventID: f.ID, UserID: v.UserID, Visibility: Public, Party: 1}
	err = s.enter(ctx, tx, wait, entry, t.terms(), now)
	if errors.Is(err, domain.Forbid(domain.WaitlistFull)) || errors.Is(err, domain.Forbid(domain.EventCanceled)) {
		return DateRefused, nil
	}
	return DateWaiting, err
}
