package feed

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Service is what people do with their feed.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Preferences gives what the viewer prefers.
func (s *Service) Preferences(ctx context.Context, v domain.Viewer) (Preferences, error) {
	p, _, err := preferences(ctx, s.DB, v.UserID)
	return p, err
}

// SetPreferences changes what was sent and gives the preferences afterwards;
// it refuses with every wrong field.
func (s *Service) SetPreferences(ctx context.Context, v domain.Viewer, c Change) (p Preferences, err error) {
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
// from the top. At most seven statements answer it, however much there is.
func (s *Service) Feed(ctx context.Context, v domain.Viewer, limit int, cursor string) (page Page, err error) {
	now := s.Clock.Now()
	at, err := readPlace(cursor, now)
	if err != nil {
		return Page{}, err
	}
	err = s.DB.Read(ctx, func(q db.Querier) error {
		r, err := readerOf(ctx, q, v)
		if err == nil {
			page, err = r.page(ctx, q, at, now, limit)
		}
		return err
	})
	return page, err
}

func readerOf(ctx context.Context, q db.Querier, v domain.Viewer) (reader, error) {
	if !v.SignedIn() {
		return newReader(v, Preferences{Price: anyPrice}, background{}), nil
	}
	p, b, err := preferences(ctx, q, v.UserID)
	return newReader(v, p, b), err
}

// page gives the page that begins at the place.
func (r reader) page(ctx context.Context, q db.Querier, at place, now time.Time, limit int) (page Page, err error) {
	found, err := r.candidates(ctx, q, at)
	if err != nil {
		return Page{}, err
	}
	keepFound(ctx, found, now)
	if room := min(limit, mostRanked-len(at.shown)); at.rest == (position{}) && room > 0 {
		best, err := r.best(ctx, q, at, now, limit, at.left(rank(found)))
		if err != nil {
			return Page{}, err
		}
		shown := best[:min(len(best), room)]
		page.Items = r.items(shown, found)
		for _, l := range shown {
			at.shown = append(at.shown, mark(l.StartsKey))
		}
		if len(page.Items) == limit && len(best) > limit {
			page.Next = at.next()
			return page, nil
		}
	}
	others, more, err := r.rest(ctx, q, at, now, limit-len(page.Items))
	if err != nil {
		return Page{}, err
	}
	page.Items = append(page.Items, r.items(others, found)...)
	if len(others) > 0 {
		last := others[len(others)-1].StartsKey
		at.rest = position{begun: last <= at.moment.UnixNano(), after: last}
	}
	if more {
		page.Next = at.next()
	}
	return page, nil
}

// items tells of cards why they stand in the feed.
func (r reader) items(lines []line, found map[int64]candidate) []Item {
	items := make([]Item, len(lines))
	for i, l := range lines {
		items[i] = Item{Card: l.Card, Reasons: r.reasons(l.Card, found[l.StartsKey].reasons, l.followed)}
	}
	return items
}
