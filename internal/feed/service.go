package feed

import (
	"context"
	"time"

	"moothall/internal/db"
	"moothall/internal/event"
	"moothall/internal/meet"
)

// Service is what people do with their feed.
type Service struct {
	DB    *db.DB
	Clock meet.Clock
}

// Preferences gives what the viewer prefers.
func (s *Service) Preferences(ctx context.Context, v meet.Viewer) (Preferences, error) {
	p, _, err := preferences(ctx, s.DB, v.UserID)
	return p, err
}

// SetPreferences changes what was sent and gives the preferences afterwards;
// it refuses with every wrong field.
func (s *Service) SetPreferences(ctx context.Context, v meet.Viewer, c Change) (p Preferences, err error) {
	if c.isEmpty() {
		return s.Preferences(ctx, v)
	}
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		p, err = setPreferences(ctx, tx, v.UserID, c, now)
		return err
	})
	return p, err
}

// Feed gives a page of the viewer's feed from a cursor or, when it is empty,
// from the top. At most six statements answer it, however much there is.
func (s *Service) Feed(ctx context.Context, v meet.Viewer, limit int, cursor string) (page Page, err error) {
	now := s.Clock.Now()
	at, err := readPlace(cursor, now)
	if err != nil {
		return Page{}, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		r, err := readerOf(ctx, q, v)
		if err != nil {
			return err
		}
		shown, next, err := r.choose(ctx, q, at, now, limit)
		if err != nil {
			return err
		}
		page.Next = next
		page.Items, err = items(ctx, q, v, shown, now)
		return err
	})
	return page, err
}

func readerOf(ctx context.Context, q db.Querier, v meet.Viewer) (reader, error) {
	if !v.SignedIn() {
		return newReader(v, Preferences{Price: anyPrice}, nil), nil
	}
	p, interests, err := preferences(ctx, q, v.UserID)
	return newReader(v, p, interests), err
}

// choose gives the events of a page and the cursor of the next, nil after the
// last.
func (r reader) choose(ctx context.Context, q db.Querier, at place, now time.Time, limit int) (shown []ranked, next *string, err error) {
	candidates, err := r.candidates(ctx, q, at, now)
	if err != nil {
		return nil, nil, err
	}
	if at.rest == (position{}) {
		left := at.left(r.rank(candidates))
		shown = left[:min(len(left), limit)]
		for _, c := range shown {
			at.shown = append(at.shown, mark(c.id))
		}
		if len(left) > limit {
			return shown, at.next(), nil
		}
	}
	others, more, err := r.rest(ctx, q, at, now, limit-len(shown))
	if err != nil {
		return nil, nil, err
	}
	noted := notes(candidates)
	for _, c := range others {
		at.rest = position{begun: c.key <= at.moment.UnixNano(), after: c.key}
		c.followedGoing, c.followedRepost = noted[c.id].followedGoing, noted[c.id].followedRepost
		shown = append(shown, ranked{candidate: c, reasons: r.reasons(c)})
	}
	if !more {
		return shown, nil, nil
	}
	return shown, at.next(), nil
}

// left gives the ranked events that are still to be shown.
func (p place) left(all []ranked) []ranked {
	var left []ranked
	for _, c := range all {
		if len(p.shown)+len(left) < mostRanked && !p.has(c.id) {
			left = append(left, c)
		}
	}
	return left
}

// notes finds candidates by their events.
func notes(candidates []candidate) map[meet.EventID]candidate {
	noted := make(map[meet.EventID]candidate, len(candidates))
	for _, c := range candidates {
		noted[c.id] = c
	}
	return noted
}

// items reads the cards of the events of a page.
func items(ctx context.Context, q db.Querier, v meet.Viewer, shown []ranked, now time.Time) ([]Item, error) {
	ids := make([]meet.EventID, len(shown))
	for i, c := range shown {
		ids[i] = c.id
	}
	cards, err := event.Cards(ctx, q, v, ids, now)
	if err != nil {
		return nil, err
	}
	byID := make(map[meet.EventID]event.Card, len(cards))
	for _, card := range cards {
		byID[card.ID] = card
	}
	items := make([]Item, len(shown))
	for i, c := range shown {
		items[i] = Item{Card: byID[c.id], Reasons: c.reasons}
	}
	return items, nil
}
