package feed

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Service implements the use cases of feeds. Its methods return domain errors.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Preferences returns the viewer's feed preferences.
func (s *Service) Preferences(ctx context.Context, v domain.Viewer) (Preferences, error) {
	p, _, err := readPreferences(ctx, s.DB, v.UserID)
	return p, err
}

// SetPreferences changes the fields that were sent and returns the preferences
// afterwards. Its error names all invalid fields.
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

// Feed returns a page of the viewer's feed. An empty cursor means the first page. It
// runs at most seven statements.
func (s *Service) Feed(ctx context.Context, v domain.Viewer, limit int, from string) (page Page, err error) {
	now := s.Clock.Now()
	at, err := parseCursor(from, now)
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
	p, b, err := readPreferences(ctx, q, v.UserID)
	return newReader(v, p, b), err
}

// page returns the page that begins at the cursor.
func (r reader) page(ctx context.Context, q db.Querier, at cursor, now time.Time, limit int) (page Page, err error) {
	found, err := r.candidates(ctx, q, at)
	if err != nil {
		return Page{}, err
	}
	limitByCandidates(ctx, found, now)
	if free := min(limit, maxRanked-len(at.shown)); at.filler == (fillerPosition{}) && free > 0 {
		best, err := r.best(ctx, q, at, now, limit, at.notShown(rank(found)))
		if err != nil {
			return Page{}, err
		}
		shown := best[:min(len(best), free)]
		page.Items = r.items(shown, found)
		for _, l := range shown {
			at.shown = append(at.shown, tieOf(l.StartsKey))
		}
		if len(page.Items) == limit && len(best) > limit {
			page.Next = at.encode()
			return page, nil
		}
	}
	others, more, err := r.filler(ctx, q, at, now, limit-len(page.Items))
	if err != nil {
		return Page{}, err
	}
	page.Items = append(page.Items, r.items(others, found)...)
	if len(others) > 0 {
		last := others[len(others)-1].StartsKey
		at.filler = fillerPosition{begun: last <= at.moment.UnixNano(), after: last}
	}
	if more {
		page.Next = at.encode()
	}
	return page, nil
}

// items adds the reasons to cards.
func (r reader) items(cards []feedCard, found map[int64]candidate) []Item {
	items := make([]Item, len(cards))
	for i, c := range cards {
		items[i] = Item{Card: c.Card, Reasons: r.reasons(c.Card, found[c.StartsKey].reasons, c.followed)}
	}
	return items
}
