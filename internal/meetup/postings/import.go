package postings

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"

	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

// Import adds the postings of many events at once, for seeding. Nothing else
// may write to the database meanwhile.
func Import(ctx context.Context, d *db.DB, documents []*Document) error {
	postings, frequencies := termPostings(documents)
	if _, err := d.Bulk(ctx, "event_terms", []string{"term_id", "starts_key"}, termRows(postings)); err != nil {
		return err
	}
	if err := addFrequencies(ctx, d, frequencies); err != nil {
		return err
	}
	_, err := d.Bulk(ctx, "event_cells", []string{"cell", "starts_key", "leaf", "organizer"}, cellRows(documents))
	return err
}

// posting is one row of a posting list. Rows are written in the order of the
// primary key, which is fastest on both engines.
type posting struct {
	list, key int64
	document  *Document
}

func sortPostings(postings []posting) {
	slices.SortFunc(postings, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(a.key, b.key))
	})
}

// termPostings returns the postings of all terms, and how many documents have each term.
func termPostings(documents []*Document) (postings []posting, frequencies map[string]int64) {
	frequencies = map[string]int64{}
	for _, d := range documents {
		for _, term := range d.Terms() {
			frequencies[term]++
			postings = append(postings, posting{list: TermID(term), key: d.StartsKey})
		}
	}
	sortPostings(postings)
	return postings, frequencies
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

func cellRows(documents []*Document) iter.Seq[[]any] {
	var postings []posting
	for _, d := range documents {
		if d.Lat == nil {
			continue
		}
		for _, cell := range geo.CellsOf(*d.Lat, *d.Lng) {
			postings = append(postings, posting{list: cell, key: d.StartsKey, document: d})
		}
	}
	sortPostings(postings)
	return func(yield func([]any) bool) {
		for _, p := range postings {
			if !yield([]any{p.list, p.key, geo.Leaf(*p.document.Lat, *p.document.Lng), OrganizerKey(p.document.Organizer)}) {
				return
			}
		}
	}
}

var addFrequenciesStmt = db.SQL("postings.add_frequencies", `
	INSERT INTO terms (id, term, df)
	SELECT i.value, t.value, n.value FROM ints($1) AS i JOIN texts($2) AS t ON t.ord = i.ord JOIN ints($3) AS n ON n.ord = i.ord
	WHERE TRUE ORDER BY i.value
	ON CONFLICT (id) DO UPDATE SET df = terms.df + excluded.df
	RETURNING term, df`)

// addFrequencies adds to the document frequencies of terms, in batches of 100, which
// both engines join fast.
func addFrequencies(ctx context.Context, d *db.DB, frequencies map[string]int64) error {
	return d.InTx(ctx, func(tx db.Tx) error {
		for terms := range slices.Chunk(slices.Sorted(maps.Keys(frequencies)), 100) {
			if err := addSomeFrequencies(ctx, tx, terms, frequencies); err != nil {
				return err
			}
		}
		return nil
	})
}

func addSomeFrequencies(ctx context.Context, tx db.Tx, terms []string, frequencies map[string]int64) error {
	counts := make([]int64, len(terms))
	for i, term := range terms {
		counts[i] = frequencies[term]
	}
	var added []string
	for row, err := range tx.Query(ctx, addFrequenciesStmt, termIDs(terms), terms, counts) {
		var term string
		var total int64
		if err == nil {
			err = row.Scan(&term, &total)
		}
		if err != nil {
			return err
		}
		if total == frequencies[term] { // the term is new
			added = append(added, term)
		}
	}
	return AddDeletions(ctx, tx, added)
}
