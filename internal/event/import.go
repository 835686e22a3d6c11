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
	"moothall/internal/platform/db"
)

// Importer brings many finished events into the store at once, for seeding.
// It needs the store for itself.
type Importer struct {
	DB  *db.DB
	Now time.Time // events that are over by then are stored as completed
}

// Add stores events with their postings. The caller has chosen ids, states and
// keys: StartsKey is StartsAt in nanoseconds and a unique tie-breaker. The
// more at a time the faster; 10,000 need some 20 MB.
func (im *Importer) Add(ctx context.Context, events []Event) error {
	for i := range events {
		e := &events[i]
		e.Listed = e.Status == access.Published && e.Visibility == access.Public && im.Now.Before(e.OverAt())
	}
	columns := strings.Split(strings.Join(strings.Fields(eventColumns), ""), ",")
	if _, err := im.DB.Bulk(ctx, "events", append(columns, "over_at", "swept", "sequence"), im.eventRows(events)); err != nil {
		return fmt.Errorf("event.import: %w", err)
	}
	postings, df := termPostings(events)
	if _, err := im.DB.Bulk(ctx, "event_terms", []string{"term_id", "starts_key"}, termRows(postings)); err != nil {
		return fmt.Errorf("event.import: %w", err)
	}
	if err := im.countTerms(ctx, df); err != nil {
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

// termPostings gives the rows of the terms, and how many events have each.
func termPostings(events []Event) (postings []posting, df map[string]int64) {
	df = map[string]int64{}
	for _, e := range events {
		if !e.Listed {
			continue
		}
		for _, term := range termsOf(e.Fields) {
			df[term]++
			postings = append(postings, posting{list: termID(term), key: e.StartsKey})
		}
	}
	return inOrder(postings), df
}

func termRows(postings []posting) iter.Seq[[]any] {
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

var countedTermsStmt = db.SQL("event.counted_terms", `
	INSERT INTO terms (id, term, df)
	SELECT i.value, t.value, n.value FROM ints($1) AS i JOIN texts($2) AS t ON t.ord = i.ord JOIN ints($3) AS n ON n.ord = i.ord
	WHERE TRUE ORDER BY i.value
	ON CONFLICT (id) DO UPDATE SET df = terms.df + excluded.df
	RETURNING term, df`)

// countTerms adds to how common terms are. Lists of a hundred are what both
// engines join fast.
func (im *Importer) countTerms(ctx context.Context, df map[string]int64) error {
	return im.DB.InTx(ctx, func(tx db.Tx) error {
		for names := range slices.Chunk(slices.Sorted(maps.Keys(df)), 100) {
			var counts []int64
			for _, name := range names {
				counts = append(counts, df[name])
			}
			if err := countSome(ctx, tx, names, counts, df); err != nil {
				return err
			}
		}
		return nil
	})
}

// countSome adds the counts of some terms. One that has no more than that is new.
func countSome(ctx context.Context, tx db.Tx, names []string, counts []int64, df map[string]int64) error {
	var fresh []string
	for row, err := range tx.Query(ctx, countedTermsStmt, termIDs(names), names, counts) {
		var term string
		var total int64
		if err == nil {
			err = row.Scan(&term, &total)
		}
		if err != nil {
			return err
		}
		if total == df[term] {
			fresh = append(fresh, term)
		}
	}
	return postTypos(ctx, tx, fresh)
}
