package source

import (
	"context"
	"errors"
	"slices"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// stepSize is how many events one transaction writes.
const stepSize = 20

const day = 24 * time.Hour

var (
	errStale = errors.New("source: the calendar has ended, or another attempt has applied it")
	errTaken = errors.New("source: another attempt has made the event")
)

// run writes the steps of a plan, in transactions of stepSize events.
func (s *Service) run(ctx context.Context, p *plan) error {
	if len(p.steps) == 0 {
		return nil
	}
	for steps := range slices.Chunk(p.steps, stepSize) {
		err := db.RetryUnique(func() error { // with other keys and codes
			return s.DB.InTx(ctx, func(tx db.Tx) error { return s.write(ctx, tx, p, steps) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes some steps. It locks owner, group and calendar, so that none of them ends meanwhile.
func (s *Service) write(ctx context.Context, tx db.Tx, p *plan, steps []step) error {
	now := s.Clock.Now()
	user.Share(ctx, tx, p.owner)
	var owner domain.UserID
	if err := tx.One(ctx, shareGroupStmt, p.Group).ScanOr(errStale, &owner); err != nil {
		return err
	}
	var c calendar
	found, err := c.scan(tx.One(ctx, lockStmt, p.ID))
	if err != nil {
		return err
	}
	if !found || c.reads != p.reads || c.owner != p.owner || c.visibility != p.visibility || c.rests() != "" {
		return errStale
	}
	var coming, today int64
	if err := tx.One(ctx, madeStmt, p.ID, now, now.Add(-day)).Scan(&coming, &today); err != nil {
		return err
	}
	left := maxEvents - max(coming, today)
	how := event.Listed
	if c.toldAt == nil || now.Sub(*c.toldAt) >= day {
		how = event.GroupTold
	}
	for _, x := range steps {
		if x.action == create {
			if left--; left < 0 {
				p.limited = true
				continue
			}
			if how == event.GroupTold {
				tx.Queue(ctx, toldStmt, p.ID, now)
			}
		}
		if err := s.writeOne(ctx, tx, p, x, how, now); err != nil {
			return err
		}
		if x.action == create {
			how = event.Listed
		}
	}
	return nil
}

func (s *Service) writeOne(ctx context.Context, tx db.Tx, p *plan, x step, how event.Publication, now time.Time) error {
	switch x.action {
	case create:
		id, err := s.Events.MakeForeign(ctx, tx, p.owner, x.foreign, how, now)
		if err == nil {
			tx.Queue(ctx, putEventStmt, p.ID, x.uid, id, x.hash, x.starts, now).Require(errTaken)
		}
		return err
	case change:
		tx.Queue(ctx, changedStmt, p.ID, x.uid, x.hash, x.starts)
		return s.Events.ChangeForeign(ctx, tx, x.event, x.foreign, now)
	case find:
		tx.Queue(ctx, foundStmt, p.ID, x.uid)
	case miss:
		tx.Queue(ctx, missedStmt, p.ID, x.uid, p.reads)
	case cancel:
		tx.Queue(ctx, canceledStmt, p.ID, x.uid)
		err := s.Events.CancelIn(ctx, tx, x.event, now)
		if errors.Is(err, domain.Forbidden) { // it has ended since
			err = nil
		}
		return err
	case keep:
	}
	return nil
}
