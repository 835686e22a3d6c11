// Package datevote lets the organizer of an event offer dates, and others vote on them
// (specification §4.8, contract §7).
package datevote

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/idempotency"
	"moothall/internal/platform/text"
)

// Service manages the date options of events and the votes on them. Its methods
// return domain.NotFound if the viewer does not see the event or it has no such
// option, and domain.Forbidden as policy "Doing something" says.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
	// OnScheduled is called for an event that has a date again.
	OnScheduled func(ctx context.Context, tx db.Tx, e event.Event, now time.Time) error
}

// Option is one date an event may have, as a viewer sees it.
type Option struct {
	ID          domain.DateOptionID
	EventID     domain.EventID
	OrganizerID domain.UserID
	StartsAt    time.Time // whole seconds
	EndsAt      *time.Time
	Note        *string
	CreatedAt   time.Time
	VoteCount   int64 // votes of users who may vote now: not of those who have left or declined
	ViewerVoted bool  // the viewer's vote is in VoteCount
	Selected    bool
}

// Options are all options of an event, by start.
type Options struct {
	Items    []Option
	DateMode string
	Selected *domain.DateOptionID
}

// Vote is the viewer's approval of one option.
type Vote struct {
	ID        domain.DateVoteID
	EventID   domain.EventID
	OptionID  domain.DateOptionID
	UserID    domain.UserID
	CreatedAt time.Time
}

// Input is the request of an organizer to add an option.
type Input struct {
	StartsAt time.Time
	EndsAt   *time.Time
	Note     *string
}

// The limits of contract §7.
const (
	maxOptions = 20  // of one event
	maxNote    = 200 // graphemes
)

// normalize returns the input as it is stored.
func (in Input) normalize() (Input, error) {
	var problems domain.Problems
	in.StartsAt, in.EndsAt = event.Times(&problems, in.StartsAt, in.EndsAt)
	text.Clean(&problems, "/note", &in.Note, text.Block(0, maxNote))
	return in, problems.Err()
}

// mayVote allows hosts, participants, and invited users who have not declined,
// while the event's date is voted on. countedVotes is the same rule in SQL.
func mayVote(f access.EventFacts, dateMode string) error {
	voter := f.Hosts() || f.Going || f.Invited() && f.Invitation != access.Declined
	if !voter {
		return domain.Forbid(domain.NotParticipant)
	}
	if err := f.Status.MustBe(access.Open...); err != nil {
		return err
	}
	if dateMode != event.DateVote {
		return domain.Forbid(domain.BlockedByState)
	}
	return nil
}

// SetMode fixes the date of an event or opens a vote on it, for the organizer. The
// options and votes stay. Setting the same mode again changes nothing.
func (s *Service) SetMode(ctx context.Context, v domain.Viewer, id domain.EventID, mode string) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		e, err := event.LockOpen(ctx, tx, v, id, nil, now)
		if err != nil {
			return err
		}
		if err := event.SetDateMode(ctx, tx, e, mode, now); err != nil || mode == event.DateVote {
			return err
		}
		e.DateMode = mode
		return s.OnScheduled(ctx, tx, e, now)
	})
}

// Options lists the options of an event for every viewer who sees it.
func (s *Service) Options(ctx context.Context, v domain.Viewer, id domain.EventID) (list Options, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := access.Event(ctx, q, v, id, s.Clock.Now()); err != nil {
			return err
		}
		list, err = options(ctx, q, v, id)
		return err
	})
	return list, err
}

// Add adds an option for the organizer, in either mode. During a vote it notifies the
// users who may vote. It returns domain.InvalidRequest for the 21st option, and for a
// start and end that another option has.
func (s *Service) Add(ctx context.Context, v domain.Viewer, id domain.EventID, in Input) (o Option, err error) {
	in, invalid := in.normalize()
	now := s.Clock.Now()
	err = idempotency.InTx(ctx, s.DB, now, &o, func(tx db.Tx) error {
		e, err := event.LockOpen(ctx, tx, v, id, invalid, now)
		if err != nil {
			return err
		}
		option := domain.NewIDIn[domain.DateOptionKind](ctx, now)
		if err := insert(ctx, tx, id, option, in, now); err != nil {
			return err
		}
		if e.DateMode == event.DateVote {
			if err := notifyVoters(ctx, tx, e, notify.EventDateOptionAdded, option.String(), now); err != nil {
				return err
			}
		}
		o, err = readOption(ctx, tx, v, id, option)
		return err
	})
	return o, err
}

// Vote stores the viewer's approval of an option. Repeated, it returns the same vote.
func (s *Service) Vote(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID) (vote Vote, err error) {
	err = s.changeVote(ctx, v, id, option, func(tx db.Tx, now time.Time) { approve(ctx, tx, &vote, id, option, v.UserID, now) })
	return vote, err
}

// Withdraw removes the viewer's approval of an option, if there is one.
func (s *Service) Withdraw(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID) error {
	return s.changeVote(ctx, v, id, option, func(tx db.Tx, _ time.Time) { tx.Queue(ctx, withdrawStmt, id, option, v.UserID) })
}

// changeVote queues a change of the viewer's votes. It locks the event, so that the
// vote stays open until the commit.
func (s *Service) changeVote(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID,
	queue func(tx db.Tx, now time.Time)) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		var dateMode string
		if facts.Status, dateMode, err = lockVote(ctx, tx, id, option, now); err != nil {
			return err
		}
		if err := mayVote(facts, dateMode); err != nil {
			return err
		}
		queue(tx, now)
		return nil
	})
}

// Select moves an event to the date of an option for the organizer, ends the vote and
// notifies the users who could vote. Repeated, it changes nothing.
func (s *Service) Select(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID) (o Option, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		start, end, invalid := readTimes(ctx, tx, id, option)
		e, err := event.LockOpen(ctx, tx, v, id, invalid, now)
		if err != nil {
			return err
		}
		changed, err := event.SelectDate(ctx, tx, e, option, start, end, now)
		if err != nil {
			return err
		}
		if changed { // instead of event_updated
			e.StartsAt, e.DateMode = start, event.DateFixed
			if err := s.OnScheduled(ctx, tx, e, now); err != nil {
				return err
			}
			if err := notifyVoters(ctx, tx, e, notify.EventDateSelected, "", now); err != nil {
				return err
			}
		}
		o, err = readOption(ctx, tx, v, id, option)
		return err
	})
	return o, err
}

// notifyVoters notifies the users who may vote, except the organizer.
func notifyVoters(ctx context.Context, tx db.Tx, e event.Event, kind notify.Kind, subject string, now time.Time) error {
	n := notify.Notification{Kind: kind, Subject: subject, Actor: e.OrganizerID, Event: e.ID}
	return notify.Announce(ctx, tx, now, n, notify.GoingInvitedAndWaiting(e.ID))
}
