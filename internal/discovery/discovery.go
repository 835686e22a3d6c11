// Package discovery finds events by list, place, text and map (specification
// §4.5). It reads the posting lists of package postings.
package discovery

import (
	"cmp"
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Service finds events. Its methods return domain errors. Several instances may
// work on one database.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Cards    *event.ListedCards
	Profiles *user.Profiles
	// MaxScanned limits how many postings a search reads, even if its page is not
	// full; 5000 when zero. A map reads four times as many.
	MaxScanned int
}

// Page is one page of a list; Next is nil on the last one. An earlier page may be
// short, even empty. Clusters is nil if the filter has no Zoom.
type Page struct {
	Cards    []event.Card
	Next     *time.Time
	Clusters []Cluster
}

// List returns published public events in the order of their start. Returns
// domain.InvalidRequest if From is after To.
func (s *Service) List(ctx context.Context, v domain.Viewer, f Filter) (Page, error) {
	if f.From != nil && f.To != nil && f.From.After(*f.To) {
		return Page{}, domain.Invalid("?starts_to", "must not be earlier than starts_from")
	}
	p, err := s.find(ctx, v, f)
	if err == nil && len(p.Cards) > f.Limit {
		p.Cards = p.Cards[:f.Limit]
		p.Next = new(event.KeyTime(p.Cards[f.Limit-1].StartsKey))
	}
	return p, err
}

// find reads a page for a viewer from the database, with a look-ahead card when there
// are more.
func (s *Service) find(ctx context.Context, v domain.Viewer, f Filter) (p Page, err error) {
	read := s.DB.Read
	if !f.hasTerms() && f.Zoom == nil {
		read = func(_ context.Context, fn func(db.Querier) error) error { return fn(s.DB) } // one statement needs no snapshot
	}
	err = read(ctx, func(q db.Querier) error {
		groups, err := findTerms(ctx, q, f)
		if err != nil {
			return err
		}
		plan, now := newPlan(f, groups), s.Clock.Now()
		if plan.empty {
			cache.Until(ctx, time.Time{})
			return nil
		}
		list := search{Filter: f, plan: plan, viewer: v, now: now, maxScanned: s.maxScanned(f)}
		if p, err = list.run(ctx, q); err != nil || f.Zoom == nil {
			return err
		}
		areas := search{Filter: f, plan: plan, viewer: v, now: now}
		p.Clusters, err = areas.clusters(ctx, q)
		return err
	})
	return p, err
}

// A search reads at most maxScanned postings, because few postings of a long list may
// match the other conditions. A map has no next page, so it reads mapFactor times as
// many.
const (
	maxScanned = 5000
	mapFactor  = 4
)

// maxScanned returns how many postings a search of the filter reads at most.
func (s *Service) maxScanned(f Filter) int {
	n := cmp.Or(s.MaxScanned, maxScanned)
	if f.Placed {
		n *= mapFactor
	}
	return n
}
