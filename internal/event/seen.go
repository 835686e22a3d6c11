package event

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

// What people who are signed in are shown of a list is what everybody is shown,
// with their own going on it, unless something on it is hidden from them.

// everybodys is a page as it is shown to who is not signed in, and a card more
// when there are more. Nobody changes it.
type everybodys struct{ Page }

// Bytes is what the page takes in memory, about: addresses of pictures may be
// longer than all the rest.
func (p *everybodys) Bytes() int {
	bytes := 1 << 10
	for _, c := range p.Cards {
		bytes += 1 << 10
		if c.ImageURL != nil {
			bytes += len(*c.ImageURL)
		}
		if c.Organizer != nil && c.Organizer.AvatarURL != nil {
			bytes += len(*c.Organizer.AvatarURL)
		}
	}
	return bytes
}

// differs reports whether the filter itself asks for something else on behalf of
// another viewer: where somebody goes, and numbers in which blocks count.
func (f Filter) differs() bool { return f.Participant != nil || f.Zoom != nil }

// seen gives the cards of a page for a viewer, and one more when there are more.
func (s *Service) seen(ctx context.Context, v domain.Viewer, f Filter) (Page, error) {
	if s.Pages == nil || !v.SignedIn() || f.differs() {
		return s.find(ctx, v, f)
	}
	name, err := json.Marshal(f)
	if err != nil {
		return Page{}, fmt.Errorf("event.seen: %w", err)
	}
	key := respcache.Key{Kind: "cards", Of: string(name)}
	all, err := respcache.Of(ctx, s.Pages, key, func(ctx context.Context) (*everybodys, error) {
		p, err := s.find(ctx, domain.Viewer{}, f)
		return &everybodys{p}, err
	})
	if err != nil {
		return Page{}, err
	}
	cards, hidden, err := overlay(ctx, s.DB, v, all.Cards)
	if err != nil {
		return Page{}, err
	}
	// Both are of one moment when the page still holds.
	if still, ok := respcache.Find[*everybodys](s.Pages, key); hidden || !ok || still != all {
		return s.find(ctx, v, f)
	}
	return Page{Cards: cards, Next: all.Next}, nil
}

var overlayStmt = db.SQL("event.overlay", `
	SELECT p.event_id, FALSE FROM participants p WHERE p.user_id = $1 AND p.status = 'going' AND p.event_id IN (SELECT value FROM ids($2) AS l)
	UNION ALL SELECT b.blocked_id, TRUE FROM blocks b WHERE b.blocker_id = $1 AND b.blocked_id IN (SELECT value FROM ids($3) AS l)
	UNION ALL SELECT b.blocker_id, TRUE FROM blocks b WHERE b.blocked_id = $1 AND b.blocker_id IN (SELECT value FROM ids($3) AS l)`)

// overlay gives the cards with the viewer's own going on them, and whether a
// block hides one of them from the viewer.
func overlay(ctx context.Context, q db.Querier, v domain.Viewer, cards []Card) (own []Card, hidden bool, err error) {
	events, organizers := make([]domain.EventID, len(cards)), make([]domain.UserID, len(cards))
	for i, c := range cards {
		events[i], organizers[i] = c.ID, c.OrganizerID
	}
	own = slices.Clone(cards)
	for row, err := range q.Query(ctx, overlayStmt, v.UserID, events, organizers) {
		var id domain.EventID
		if err == nil {
			err = row.Scan(&id, &hidden)
		}
		if err != nil {
			return nil, false, fmt.Errorf("event.overlay: %w", err)
		}
		if hidden {
			return nil, true, nil
		}
		if i := slices.Index(events, id); i >= 0 {
			own[i].ViewerGoing = true
		}
	}
	return own, false, nil
}
