// Package discovery finds events by list, place, text and map (specification
// §4.5). It walks the posting lists of package postings for keys, and takes the cards of
// these keys from a cache.
package discovery

import (
	"cmp"
	"context"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// Service finds events. Its methods return domain errors. Several instances may
// work on one database.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Cards    *event.ListedCards
	Profiles *user.Profiles
	// MaxScanned limits how many postings a search reads, even if its page is not
	// full; 1500 when zero. A map reads twelve times as many. The last chunk may exceed it.
	MaxScanned int
}

// Page is one page of a list; Next is nil on the last one. An earlier page may be
// short, even empty. Clusters is nil if the filter has no Zoom.
type Page struct {
	Cards    []event.ShownCard
	Next     *time.Time
	Clusters []Cluster
}

// List returns published public events in the order of their start.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (Page, error) {
	groups, err := findTerms(ctx, s.DB, f)
	if err != nil {
		return Page{}, err
	}
	cache.Until(ctx, time.Time{})
	q := search{Service: s, Filter: f, plan: newPlan(f, v, groups), viewer: v, now: s.Clock.Now()}
	if q.empty {
		return Page{}, nil
	}
	p, err := q.page(ctx)
	if err == nil && f.Zoom != nil {
		p.Clusters, err = q.clusters(ctx)
	}
	return p, err
}

// A search reads at most maxScanned postings, because few postings of a long list may
// match the other conditions. A map has no next page, so it reads mapFactor times as
// many.
const (
	maxScanned = 1500
	mapFactor  = 12
)

// maxScanned returns how many postings a search of the filter reads at most.
func (s *Service) maxScanned(f Filter) int {
	n := cmp.Or(s.MaxScanned, maxScanned)
	if f.Placed {
		n *= mapFactor
	}
	return n
}

// search finds the events of one filter for one viewer.
type search struct {
	*Service
	Filter
	plan
	viewer domain.Viewer
	now    time.Time
}

// page returns the page of the filter. If it stops at maxScanned, the next page begins
// after the last posting that was read.
func (s *search) page(ctx context.Context) (p Page, err error) {
	w := s.walk()
	for len(p.Cards) <= s.Limit && !w.done && w.scanned < s.maxScanned(s.Filter) {
		keys, err := w.next(ctx, s.DB)
		if err != nil {
			return Page{}, err
		}
		for n := s.Limit + 1 - len(p.Cards); len(keys) > 0 && len(p.Cards) <= s.Limit; n *= 2 {
			n = min(n, len(keys))
			cards, err := s.show(ctx, keys[:n])
			if err != nil {
				return Page{}, err
			}
			p.Cards, keys = append(p.Cards, cards...), keys[n:]
		}
	}
	limitValidity(ctx, p.Cards)
	switch {
	case len(p.Cards) > s.Limit:
		p.Cards = p.Cards[:s.Limit]
		p.Next = new(event.KeyTime(p.Cards[s.Limit-1].StartsKey))
	case !w.done:
		p.Next = new(event.KeyTime(w.after))
	}
	return p, nil
}

// walk returns the walk of the page. Its first chunk has one key more than the page.
func (s *search) walk() *walk {
	w := &walk{plan: s.plan, mayContain: s.leafTest(), after: s.lowerBound(s.now), upTo: s.upperBound()}
	for chunkSizes[w.chunk] <= s.Limit {
		w.chunk++
	}
	return w
}

// show returns the cards of those keys that match the filter and that the viewer may see.
func (s *search) show(ctx context.Context, keys []int64) ([]event.ShownCard, error) {
	cards, err := s.Cards.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	matching := cards[:0]
	for _, c := range cards {
		if s.matches(c, s.now) {
			matching = append(matching, c)
		}
	}
	return event.Show(ctx, s.DB, s.viewer, matching)
}

// limitValidity lets the page be cached until the first of its events is over.
func limitValidity(ctx context.Context, cards []event.ShownCard) {
	var until time.Time
	for _, c := range cards {
		if until.IsZero() || c.OverAt.Before(until) {
			until = c.OverAt
		}
	}
	cache.Until(ctx, until)
}
