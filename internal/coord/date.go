package coord

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// DateOption is one date an event may have, as a viewer sees it (contract §7).
// StartsAt is a whole second. VoteCount counts the approvals of those who may
// vote now: the vote of somebody who leaves or declines rests until they are back.
type DateOption struct {
	ID          domain.DateOptionID
	EventID     domain.EventID
	OrganizerID domain.UserID
	StartsAt    time.Time
	EndsAt      *time.Time
	Note        *string
	CreatedAt   time.Time
	VoteCount   int64
	ViewerVoted bool // and the vote counts
	Selected    bool
}

// DateOptions are all options of an event, by start.
type DateOptions struct {
	Items    []DateOption
	DateMode string
	Selected *domain.DateOptionID
}

// DateVote is the viewer's approval of one option.
type DateVote struct {
	ID        domain.DateVoteID
	EventID   domain.EventID
	OptionID  domain.DateOptionID
	UserID    domain.UserID
	CreatedAt time.Time
}

// mostOptions is how many options one event may have (contract §7).
const mostOptions = 20

// DateInput is what an organizer says of a new option.
type DateInput struct {
	StartsAt time.Time
	EndsAt   *time.Time
	Note     *string
}

// checked gives the input as it is stored.
func (in DateInput) checked() (DateInput, error) {
	var wrong domain.Problems
	in.StartsAt, in.EndsAt = event.Times(&wrong, in.StartsAt, in.EndsAt)
	text.Clean(&wrong, "/note", &in.Note, text.Block(0, 200))
	return in, wrong.Err()
}

// SetDateMode fixes the date of an event or opens a vote on it; the same mode
// again changes nothing. Options and votes stay.
func (s *Service) SetDateMode(ctx context.Context, v domain.Viewer, id domain.EventID, mode string) error {
	return s.change(ctx, v, id, nil, func(tx db.Tx, e event.Event, now time.Time) error {
		return event.SetDateMode(ctx, tx, e, mode, now)
	})
}

// DateOptions lists the options of an event for everybody who sees it.
func (s *Service) DateOptions(ctx context.Context, v domain.Viewer, id domain.EventID) (found DateOptions, err error) {
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		st, err := look(ctx, q, v, id, now)
		if err != nil {
			return err
		}
		found = DateOptions{DateMode: st.dateMode, Selected: st.selected}
		found.Items, err = options(ctx, q, v, id)
		return err
	})
	return found, err
}

// AddDateOption adds an option, in either mode. domain.InvalidRequest for the
// 21st, and for a start and end that the event has among its options already.
func (s *Service) AddDateOption(ctx context.Context, v domain.Viewer, id domain.EventID, in DateInput) (o DateOption, err error) {
	in, wrong := in.checked()
	err = s.change(ctx, v, id, wrong, func(tx db.Tx, e event.Event, now time.Time) error {
		option := domain.NewID[domain.DateOptionKind](now)
		if err := addOption(ctx, tx, id, option, in, now); err != nil {
			return err
		}
		if e.DateMode == event.DateVote {
			if err := tellOptionAdded(ctx, tx, e, option, now); err != nil {
				return err
			}
		}
		o, err = oneOption(ctx, tx, v, id, option)
		return err
	})
	return o, err
}

// Vote approves of an option; repeated, it gives the same vote.
func (s *Service) Vote(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID) (vote DateVote, err error) {
	err = s.ballot(ctx, v, id, option, func(tx db.Tx, now time.Time) error {
		vote, err = approve(ctx, tx, id, option, v.UserID, now)
		return err
	})
	return vote, err
}

// Withdraw takes the viewer's approval back, if there is one.
func (s *Service) Withdraw(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID) error {
	return s.ballot(ctx, v, id, option, func(tx db.Tx, _ time.Time) error {
		return disapprove(ctx, tx, id, option, v.UserID)
	})
}

// ballot runs a change of the viewer's votes, while nobody closes the voting.
func (s *Service) ballot(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID, do func(tx db.Tx, now time.Time) error) error {
	now := s.Clock.Now()
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		st, err := hold(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if _, err := timesOf(ctx, tx, id, option); err != nil {
			return err
		}
		if !st.mayVote() || !st.open() || st.dateMode != event.DateVote {
			return domain.Forbidden
		}
		return do(tx, now)
	})
}

// Select gives the event the date of an option, ends the vote and tells those
// who could vote. Repeated, it changes nothing and tells nobody.
func (s *Service) Select(ctx context.Context, v domain.Viewer, id domain.EventID, option domain.DateOptionID) (o DateOption, err error) {
	in, wrong := timesOf(ctx, s.DB, id, option) // an option stays as it is
	if wrong != nil && !errors.Is(wrong, domain.NotFound) {
		return o, wrong
	}
	err = s.change(ctx, v, id, wrong, func(tx db.Tx, e event.Event, now time.Time) error {
		changed, err := event.SelectDate(ctx, tx, e, option, in.StartsAt, in.EndsAt, now)
		if err != nil {
			return err
		}
		if changed {
			if err := tellSelected(ctx, tx, e, now); err != nil {
				return err
			}
		}
		o, err = oneOption(ctx, tx, v, id, option)
		return err
	})
	return o, err
}
