package attendance

import (
	"context"
	"errors"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/user"
)

// Service is what people do about taking part.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Phones user.PhoneRules
	Limits *ratelimit.Limits
	// Paid reports whether the user has paid for the event. Nil: nobody can.
	Paid func(ctx context.Context, q db.Querier, event domain.EventID, user domain.UserID) (bool, error)
}

// errElsewhere says that the slot tried first has no seat: another may.
var errElsewhere = errors.New("attend: no seat in this slot")

// Join makes the viewer a participant (contract §4.7). visibility is Public,
// Incognito or empty: then a new participation is public and an existing one
// stays as it is. domain.NotFound and domain.Forbidden as the contract says, the
// latter also when the event is full or not paid for.
func (s *Service) Join(ctx context.Context, v domain.Viewer, id domain.EventID, visibility string) (p Participant, err error) {
	p, done, err := s.joinAtOnce(ctx, v, id, orPublic(visibility))
	if done || err != nil {
		return p, err
	}
	err = s.seated(ctx, id, func(find seat) error {
		p, err = s.join(ctx, v, id, visibility, find)
		return err
	})
	return p, err
}

// seated runs a transaction that takes a seat: at first as one that asks a
// single slot, so that the many who come to a popular event seldom meet, and
// once more with all slots held when that one had no seat and others may.
func (s *Service) seated(ctx context.Context, id domain.EventID, run func(find seat) error) error {
	err := run(tryOne)
	if !errors.Is(err, errElsewhere) {
		return err
	}
	if full, err := isFull(ctx, s.DB, id); err != nil || full {
		return orForbidden(err)
	}
	return run(tryAll)
}

func orForbidden(err error) error {
	if err != nil {
		return err
	}
	return domain.Forbidden
}

// seat finds a seat for a participant who has just been written.
type seat func(ctx context.Context, tx db.Tx, p Participant) error

// tryOne asks the slot that was picked and holds no other.
func tryOne(ctx context.Context, tx db.Tx, p Participant) error {
	ok, err := take(ctx, tx, p.EventID, p.slot)
	if err == nil && !ok {
		return errElsewhere
	}
	return err
}

// tryAll decides, with all slots held, whether the event is full.
func tryAll(ctx context.Context, tx db.Tx, p Participant) error {
	slot, ok, err := takeAny(ctx, tx, p.EventID)
	if err != nil {
		return err
	}
	if !ok {
		return domain.Forbidden
	}
	return moveSeat(ctx, tx, p, slot)
}

func (s *Service) join(ctx context.Context, v domain.Viewer, id domain.EventID, visibility string, find seat) (p Participant, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if err := mayJoin(facts); err != nil {
			return err
		}
		if err := s.mayAttend(ctx, tx, facts, v); err != nil {
			return err
		}
		if err := comeInvited(ctx, tx, facts, v, now); err != nil {
			return err
		}
		var started bool
		p, started, err = start(ctx, tx, id, v.UserID, new(orPublic(visibility)), anySlot(tx, facts.Capacity), now)
		if err != nil {
			return err
		}
		if !started {
			p, err = show(ctx, tx, facts, p, visibility, now)
			return err
		}
		if err := find(ctx, tx, p); err != nil {
			return err
		}
		return tellJoined(ctx, tx, facts, p, now)
	})
	return p, err
}

// mayAttend refuses who has not paid for a paid event.
func (s *Service) mayAttend(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer) error {
	if !f.Paid {
		return nil
	}
	if s.Paid == nil {
		return domain.Forbidden
	}
	paid, err := s.Paid(ctx, tx, f.ID, v.UserID)
	if err == nil && !paid {
		return domain.Forbidden
	}
	return err
}

// comeInvited accepts the invitation of somebody who joins: a private draft
// with invitations may have been published for everybody.
func comeInvited(ctx context.Context, tx db.Tx, f access.EventFacts, v domain.Viewer, now time.Time) error {
	if !f.Invited() {
		return nil
	}
	i, invited, err := lockInvitation(ctx, tx, f.ID, v.UserID)
	if err != nil || !invited || i.Status == Accepted {
		return err
	}
	return setAnswer(ctx, tx, i, Accepted, now)
}

func orPublic(visibility string) string {
	if visibility == "" {
		return Public
	}
	return visibility
}

// show changes how an existing participation is shown, when that was asked.
// Going incognito takes back what told others of it.
func show(ctx context.Context, tx db.Tx, f access.EventFacts, p Participant, visibility string, now time.Time) (Participant, error) {
	if visibility == "" || visibility == p.Visibility {
		return p, nil
	}
	p, err := setVisibility(ctx, tx, p, visibility, now)
	if err != nil {
		return p, err
	}
	if visibility == Incognito {
		return p, takeBack(ctx, tx, p)
	}
	if f.Visibility == access.Private {
		return p, nil
	}
	return p, tellFollowers(ctx, tx, p, now)
}

// Leave ends the viewer's participation and declines the invitation behind it;
// repeated, it gives the same row. domain.NotFound when there never was one.
func (s *Service) Leave(ctx context.Context, v domain.Viewer, id domain.EventID) (p Participant, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		i, invited, err := lockInvitation(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		var ended bool
		p, ended, err = end(ctx, tx, id, v.UserID, now)
		if err != nil || !ended || !invited {
			return err
		}
		return setAnswer(ctx, tx, i, Declined, now)
	})
	return p, err
}

// firstTime reports whether the participant had never joined before.
func (p Participant) firstTime() bool { return p.CreatedAt.Equal(p.JoinedAt) }
