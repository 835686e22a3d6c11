package event

import (
	"context"
	"fmt"
	"slices"

	"moothall/internal/platform/db"
)

// Postings are how events are found: one row per term and one per S2 level, in
// the order of starts_key, which stands for the event. They are written in the
// transaction that lists, changes or unlists it. How common a term is, df, is
// an estimate for planning: counting it in these transactions would make
// everybody who publishes in one city wait for one row. See RecountTerms.

// nameTermsStmt names no index in ON CONFLICT: PostgreSQL would refuse the
// same new word from two transactions at once by the other one. It gives the
// words that are new.
var nameTermsStmt = db.SQL("event.name_terms", `
	INSERT INTO terms (id, term, df)
	SELECT i.value, t.value, 1 FROM ints($1) AS i JOIN texts($2) AS t ON t.ord = i.ord WHERE TRUE ORDER BY i.value
	ON CONFLICT DO NOTHING RETURNING term`)

var postTermsStmt = db.SQL("event.post_terms", `
	INSERT INTO event_terms (term_id, starts_key) SELECT i.value, $2 FROM ints($1) AS i`)

var unpostTermsStmt = db.SQL("event.unpost_terms", `
	DELETE FROM event_terms WHERE starts_key = $2 AND term_id IN (SELECT value FROM ints($1) AS i)`)

var postCellsStmt = db.SQL("event.post_cells", `
	INSERT INTO event_cells (cell, starts_key, x, y, z) SELECT i.value, $2, $3, $4, $5 FROM ints($1) AS i`)

var unpostCellsStmt = db.SQL("event.unpost_cells", `
	DELETE FROM event_cells WHERE starts_key = $2 AND cell IN (SELECT value FROM ints($1) AS i)`)

// repost turns the postings of an event as it was into those of what it is;
// one that is not listed, such as the zero Event, has none.
func repost(ctx context.Context, tx db.Tx, was, is Event) error {
	before, after := was.postings(), is.postings()
	if was.StartsKey == is.StartsKey {
		before.terms, after.terms = without(before.terms, after.terms), without(after.terms, before.terms)
		if before.place == after.place {
			before.cells, after.cells = nil, nil
		}
	}
	if err := before.remove(ctx, tx, was.StartsKey); err != nil {
		return fmt.Errorf("event.unpost %s: %w", was.ID, err)
	}
	if err := after.add(ctx, tx, is.StartsKey); err != nil {
		return fmt.Errorf("event.post %s: %w", is.ID, err)
	}
	return nil
}

// postings are what one event has in the lists.
type postings struct {
	terms []string
	cells []int64
	place [2]float64 // latitude and longitude of the cells
}

func (e Event) postings() (p postings) {
	if !e.Listed {
		return p
	}
	p.terms = termsOf(e.Fields)
	if e.Lat != nil {
		p.cells, p.place = cellsOf(*e.Lat, *e.Lng), [2]float64{*e.Lat, *e.Lng}
	}
	return p
}

func (p postings) remove(ctx context.Context, tx db.Tx, key int64) error {
	if len(p.terms) > 0 {
		if _, err := tx.Exec(ctx, unpostTermsStmt, termIDs(p.terms), key); err != nil {
			return err
		}
	}
	if len(p.cells) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, unpostCellsStmt, p.cells, key)
	return err
}

func (p postings) add(ctx context.Context, tx db.Tx, key int64) error {
	if len(p.terms) > 0 {
		ids := termIDs(p.terms)
		scan := func(row db.Row, term *string) error { return row.Scan(term) }
		fresh, err := db.All(ctx, tx, scan, nameTermsStmt, ids, p.terms)
		if err != nil {
			return err
		}
		if err := postTypos(ctx, tx, fresh); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, postTermsStmt, ids, key); err != nil {
			return err
		}
	}
	if len(p.cells) == 0 {
		return nil
	}
	at := point(p.place[0], p.place[1])
	_, err := tx.Exec(ctx, postCellsStmt, p.cells, key, at.X, at.Y, at.Z)
	return err
}

func termIDs(terms []string) []int64 {
	ids := make([]int64, len(terms))
	for i, term := range terms {
		ids[i] = termID(term)
	}
	return ids
}

// without gives the elements of a that b has not.
func without[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return slices.Contains(b, x) })
}
