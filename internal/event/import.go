package event

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"moothall/internal/access"
	"moothall/internal/db"
)

// Importer brings many finished events into the store at once, for seeding.
// It needs the store for itself.
type Importer struct {
	DB  *db.DB
	Now time.Time // events that are over by then are stored as completed

	df map[string]int64
}

// Add stores events with their postings. The caller has chosen ids, states and
// keys: StartsKey is StartsAt in nanoseconds and a unique tie-breaker. Some
// 100,000 at a time are fast and need some 200 MB.
func (im *Importer) Add(ctx context.Context, events []Event) error {
	for i := range events {
		e := &events[i]
		e.Listed = e.Status == access.Published && e.Visibility == access.Public && im.Now.Before(e.OverAt())
	}
	columns := strings.Split(strings.Join(strings.Fields(eventColumns), ""), ",")
	if _, err := im.DB.Bulk(ctx, "events", append(columns, "over_at", "swept", "sequence"), im.eventRows(events)); err != nil {
		return fmt.Errorf("event.import: %w", err)
	}
	if _, err := im.DB.Bulk(ctx, "event_terms", []string{"term_id", "starts_key"}, im.termRows(events)); err != nil {
		return fmt.Errorf("event.import: %w", err)
	}
	if _, err := im.DB.Bulk(ctx, "event_cells", []string{"cell", "starts_key", "x", "y", "z"}, cellRows(events)); err != nil {
		return fmt.Errorf("event.import: %w", err)
	}
	return nil
}

func (im *Importer) eventRows(events []Event) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i := range events {
			over := events[i].OverAt()
			if !yield(append(values(&events[i]), over, !im.Now.Before(over), 0)) {
				return
			}
		}
	}
}

// posting is one row of a posting list; rows are written in the order of the
// primary key, which both engines take fastest.
type posting struct {
	list, key int64
	event     int
}

func inOrder(postings []posting) []posting {
	slices.SortFunc(postings, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(a.key, b.key))
	})
	return postings
}

func (im *Importer) termRows(events []Event) iter.Seq[[]any] {
	if im.df == nil {
		im.df = map[string]int64{}
	}
	var postings []posting
	for _, e := range events {
		if !e.Listed {
			continue
		}
		for _, term := range termsOf(e.Fields) {
			im.df[term]++
			postings = append(postings, posting{list: termID(term), key: e.StartsKey})
		}
	}
	inOrder(postings)
	return func(yield func([]any) bool) {
		for _, p := range postings {
			if !yield([]any{p.list, p.key}) {
				return
			}
		}
	}
}

func cellRows(events []Event) iter.Seq[[]any] {
	var postings []posting
	for i, e := range events {
		if !e.Listed || e.Lat == nil {
			continue
		}
		for _, cell := range cellsOf(*e.Lat, *e.Lng) {
			postings = append(postings, posting{list: cell, key: e.StartsKey, event: i})
		}
	}
	inOrder(postings)
	return func(yield func([]any) bool) {
		for _, posted := range postings {
			e := events[posted.event]
			p := point(*e.Lat, *e.Lng)
			if !yield([]any{posted.list, posted.key, p.X, p.Y, p.Z}) {
				return
			}
		}
	}
}

var importTermStmt = db.SQL("event.import_term", `
	INSERT INTO terms (id, term, df) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET df = terms.df + $3`)

// Finish stores how common the terms of all added events are. Searches by word
// find nothing before.
func (im *Importer) Finish(ctx context.Context) error {
	for chunk := range slices.Chunk(slices.Sorted(maps.Keys(im.df)), 10_000) {
		err := im.DB.InTx(ctx, func(tx db.Tx) error {
			for _, term := range chunk {
				if _, err := tx.Exec(ctx, importTermStmt, termID(term), term, im.df[term]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("event.import: %w", err)
		}
	}
	return nil
}
