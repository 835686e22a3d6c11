package review

import (
	"context"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
)

// Service is what can be done with reviews.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// List reads a page of the reviews of an event that the viewer sees. cursor is
// the Next of the page before, or empty.
func (s *Service) List(ctx context.Context, v domain.Viewer, id domain.EventID, limit int, cursor string) (p Page, err error) {
	now := s.Clock.Now()
	err = s.DB.Read(ctx, func(q db.Querier) error {
		if _, err := access.Event(ctx, q, v, id, now); err != nil {
			return err
		}
		after, err := readCursor(cursor)
		if err != nil {
			return err
		}
		if p, err = page(ctx, q, v, id, limit, after); err != nil {
			return err
		}
		if p.Own, err = own(ctx, q, v, id); err != nil {
			return err
		}
		p.Rating, err = event.RatingOf(ctx, q, id)
		return err
	})
	return p, err
}

// Write stores the viewer's review of an event, or replaces it; what moderation
// has hidden stays hidden. domain.Forbidden for whom did not go, or not yet.
func (s *Service) Write(ctx context.Context, v domain.Viewer, id domain.EventID, d Draft) (r Review, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		facts, err := access.Event(ctx, tx, v, id, now)
		if err != nil {
			return err
		}
		if err := d.clean(); err != nil {
			return err
		}
		went, err := wentTo(ctx, tx, v, id)
		if err != nil {
			return err
		}
		if err := mayWrite(facts, went); err != nil {
			return err
		}
		if err := write(ctx, tx, v, facts, d, now); err != nil {
			return err
		}
		found, err := own(ctx, tx, v, id)
		if err == nil {
			r = *found
		}
		return err
	})
	return r, err
}

// write decides by the statement whether this is the first review of its
// author: of that the organizer is told.
func write(ctx context.Context, tx db.Tx, v domain.Viewer, f access.EventFacts, d Draft, now time.Time) error {
	first, err := insert(ctx, tx, v, f.ID, d, now)
	if err != nil {
		return err
	}
	if !first {
		return replace(ctx, tx, v, f.ID, d, now)
	}
	if err := count(ctx, tx, f.ID, d.Rating); err != nil {
		return err
	}
	return notify.Put(ctx, tx, now, notify.Notification{To: f.OrganizerID, Kind: notify.EventReview, Actor: v.UserID, Event: f.ID})
}

// See refuses with domain.NotFound a review that the viewer does not see: of an
// event that is hidden from them, by somebody they know it is of and a block
// parts them from, or hidden by moderation.
func See(ctx context.Context, q db.Querier, v domain.Viewer, id domain.ReviewID, now time.Time) error {
	of, err := eventOf(ctx, q, v, id)
	if err != nil {
		return err
	}
	_, err = access.Event(ctx, q, v, of, now)
	return err
}
