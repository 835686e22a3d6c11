package discovery

import (
	"context"
	"encoding/json"
	"slices"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
)

// A signed-in viewer sees the anonymous page with their own participation on
// it, unless a block hides an event of the page from them. So all viewers share
// one cached page.

// anonymousPage is the page that anonymous viewers see, plus one look-ahead
// card. It must not be modified.
type anonymousPage struct{ Page }

// Bytes returns the approximate memory of the page. Addresses of pictures may be longer
// than everything else.
func (p *anonymousPage) Bytes() int {
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

// dependsOnViewer reports whether viewers may find different events or counts. The
// events of a participant depend on incognito attendance and blocks, the counts of
// clusters on blocks.
func (f Filter) dependsOnViewer() bool { return f.Participant != nil || f.Zoom != nil }

// page returns a page for a viewer, with a look-ahead card when there are more.
func (s *Service) page(ctx context.Context, v domain.Viewer, f Filter) (Page, error) {
	if s.Cache == nil || !v.SignedIn() || f.dependsOnViewer() {
		return s.find(ctx, v, f)
	}
	name, err := json.Marshal(f)
	if err != nil {
		return Page{}, err
	}
	key := respcache.Key{Kind: "cards", ID: string(name)}
	shared, err := respcache.GetOrCompute(ctx, s.Cache, key, func(ctx context.Context) (*anonymousPage, error) {
		p, err := s.find(ctx, domain.Viewer{}, f)
		return &anonymousPage{p}, err
	})
	if err != nil {
		return Page{}, err
	}
	cards, hidden, err := overlay(ctx, s.DB, v, shared.Cards)
	if err != nil {
		return Page{}, err
	}
	// If the page is still valid after the overlay was read, both are consistent.
	if current, ok := respcache.Get[*anonymousPage](s.Cache, key); hidden || !ok || current != shared {
		return s.find(ctx, v, f)
	}
	return Page{Cards: cards, Next: shared.Next}, nil
}

// overlayStmt returns the events $2 that the viewer $1 takes part in, and the
// organizers $3 who have a block with the viewer.
var overlayStmt = db.SQL("discovery.overlay", `
	SELECT e.id, FALSE FROM (SELECT value AS id FROM ids($2) AS l) AS e WHERE `+access.Going("e", "$1")+`
	UNION ALL SELECT o.id, TRUE FROM (SELECT value AS id FROM ids($3) AS l) AS o WHERE NOT (`+access.NotBlocked("o.id", "$1")+`)`)

// overlay returns the cards with the viewer's own participation, and whether a
// block hides one of them from the viewer.
func overlay(ctx context.Context, q db.Querier, v domain.Viewer, cards []event.Card) (own []event.Card, hidden bool, err error) {
	events, organizers := idsOf(cards)
	own = slices.Clone(cards)
	for row, err := range q.Query(ctx, overlayStmt, v.UserID, events, organizers) {
		var id domain.EventID
		if err == nil {
			err = row.Scan(&id, &hidden)
		}
		if err != nil {
			return nil, false, err
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

// idsOf returns the ids of the cards and of their organizers.
func idsOf(cards []event.Card) (events []domain.EventID, organizers []domain.UserID) {
	events, organizers = make([]domain.EventID, len(cards)), make([]domain.UserID, len(cards))
	for i, c := range cards {
		events[i], organizers[i] = c.ID, c.OrganizerID
	}
	return events, organizers
}
