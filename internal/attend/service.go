package attend

import (
	"context"
	"errors"
	"time"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/meet"
)

// Service is what people do about taking part.
type Service struct {
	DB    *db.DB
	Clock meet.Clock
}

// errElsewhere says that the slot tried first has no seat: another may.
var errElsewhere = errors.New("attend: no seat in this slot")

// Join makes the viewer a participant (contract §4.7). visibility is Public,
// Incognito or empty: then a new participation is public and an existing one
// stays as it is. meet.NotFound and meet.Forbidden as the contract says, the
// latter also when the event is full.
func (s *Service) Join(ctx context.Context, v meet.Viewer, id meet.EventID, visibility string) (p Participant, err error) {
	p, err = s.join(ctx, v, id, visibility, tryOne)
	if !errors.Is(err, errElsewhere) {
		return p, err
	}
	if full, err := isFull(ctx, s.DB, id); err != nil || full {
		return p, orForbidden(err)
	}
	return s.join(ctx, v, id, visibility, tryAll)
}

func orForbidden(err error) error {
	if err != nil {
		return err
	}
	return meet.Forbidden
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
		return meet.Forbidden
	}
	return moveSeat(ctx, tx, p, slot)
}

func (s *Service) join(ctx context.Context, v meet.Viewer, id meet.EventID, visibility string, find seat) (p Participant, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if err := mayJoin(facts); err != nil {
			return err
		}
		var started bool
		p, started, err = start(ctx, tx, id, v.UserID, orPublic(visibility), anySlot(tx, facts.Capacity), now)
		if err != nil {
			return err
		}
		if !started {
			p, err = show(ctx, tx, p, visibility, now)
			return err
		}
		if err := find(ctx, tx, p); err != nil {
			return err
		}
		return tellJoined(ctx, tx, facts, p, now)
	})
	return p, err
}

func orPublic(visibility string) string {
	if visibility == "" {
		return Public
	}
	return visibility
}

// show changes how an existing participation is shown, when that was asked.
// Going incognito takes back what told others of it.
func show(ctx context.Context, tx db.Tx, p Participant, visibility string, now time.Time) (Participant, error) {
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
	return p, tellFollowers(ctx, tx, p, now)
}

// Leave ends the viewer's participation; repeated, it gives the same row.
// meet.NotFound when there never was one.
func (s *Service) Leave(ctx context.Context, v meet.Viewer, id meet.EventID) (p Participant, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		var stopped bool
		p, stopped, err = stop(ctx, tx, id, v.UserID, now)
		if err != nil || !stopped {
			return err
		}
		if err := giveBack(ctx, tx, id, p.slot); err != nil {
			return err
		}
		return takeBack(ctx, tx, p)
	})
	return p, err
}

// firstTime reports whether the participant had never joined before.
func (p Participant) firstTime() bool { return p.CreatedAt.Equal(p.JoinedAt) }
