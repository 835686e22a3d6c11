package attendance

import (
	"context"
	"errors"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Answer answers the viewer's invitation to an event: an accepted one makes
// them a participant, the other answers end that (contract §4.7). domain.NotFound
// without an invitation; domain.Forbidden when the event is over, called off,
// full, or not paid for.
//
// Invitation, participant and seats change in one transaction, which holds the
// invitation first: whatever happens to one person's part in one event happens
// in some order.
func (s *Service) Answer(ctx context.Context, v domain.Viewer, id domain.EventID, a Answer) (i Invitation, err error) {
	err = s.seated(ctx, id, func(find seat) error {
		i, err = s.answer(ctx, v, id, a, find)
		return err
	})
	return i, err
}

// AnswerByID is Answer by the invitation's own id, for the calendar's door to
// it. Other people's invitations are domain.NotFound.
func (s *Service) AnswerByID(ctx context.Context, v domain.Viewer, id domain.InvitationID, status string) error {
	event, err := eventOfInvitation(ctx, s.DB, id, v.UserID)
	if err != nil {
		return err
	}
	_, err = s.Answer(ctx, v, event, Answer{Status: status})
	return err
}

func (s *Service) answer(ctx context.Context, v domain.Viewer, id domain.EventID, a Answer, find seat) (i Invitation, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		was, invited, err := lockInvitation(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		if !invited {
			return domain.NotFound
		}
		if !open(facts.Status) {
			return domain.Forbidden
		}
		if err := s.follow(ctx, tx, facts, v, a, find, now); err != nil {
			return err
		}
		if err := setAnswer(ctx, tx, was, a.Status, now); err != nil {
			return err
		}
		if was.Status != a.Status {
			if err := tellAnswered(ctx, tx, was, a.Status, now); err != nil {
				return err
			}
		}
		i, err = readInvitation(ctx, tx, id, v.UserID)
		return err
	})
	return i, err
}

// follow makes the participation what the answer says.
func (s *Service) follow(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer, a Answer, find seat, now time.Time) error {
	if a.Status != Accepted {
		_, _, err := end(ctx, tx, f.ID, v.UserID, now)
		if errors.Is(err, domain.NotFound) {
			return nil // there was nothing to end
		}
		return err
	}
	if err := s.mayAttend(ctx, tx, f, v); err != nil {
		return err
	}
	p, started, err := start(ctx, tx, f.ID, v.UserID, orNil(a.Visibility), anySlot(tx, f.Capacity), now)
	if err != nil {
		return err
	}
	if started {
		return find(ctx, tx, p)
	}
	_, err = show(ctx, tx, f, p, a.Visibility, now)
	return err
}

// end ends a participation, gives its seat back and takes back what told of
// it; ended is false when it had ended already. domain.NotFound when there never
// was one.
func end(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID, now time.Time) (p Participant, ended bool, err error) {
	p, ended, err = stop(ctx, tx, id, user, now)
	if err != nil || !ended {
		return p, ended, err
	}
	if err := giveBack(ctx, tx, id, p.slot); err != nil {
		return p, false, err
	}
	return p, true, takeBack(ctx, tx, p)
}
