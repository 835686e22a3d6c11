// Package postings maintains the posting lists by which events are found: one
// row per term and one per map cell, each list in the order of starts_key,
// which identifies the event. Package event updates them in the transaction
// that lists, changes or unlists an event; discovery and feed read them. A
// restored backup does not contain them: Build builds them from the events.
package postings

import (
	"context"
	"encoding/binary"
	"slices"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/geo"
)

// Document is the fields by which one listed event is found.
type Document struct {
	StartsKey    int64
	Organizer    domain.UserID
	Title        string
	Category     *string
	City         *string
	LocationText *string
	Description  *string
	Lat, Lng     *float64 // degrees
	Price        string
}

// insertTermsStmt returns the terms that are new. It names no index in ON
// CONFLICT: of two transactions that insert the same new term at once,
// PostgreSQL would refuse one by the other unique index.
var insertTermsStmt = db.SQL("postings.insert_terms", `
	INSERT INTO terms (id, term, df)
	SELECT i.value, t.value, 1 FROM ints($1) AS i JOIN texts($2) AS t ON t.ord = i.ord WHERE TRUE ORDER BY i.value
	ON CONFLICT DO NOTHING RETURNING term`)

var addTermsStmt = db.SQL("postings.add_terms", `
	INSERT INTO event_terms (term_id, starts_key) SELECT i.value, $2 FROM ints($1) AS i`)

var removeTermsStmt = db.SQL("postings.remove_terms", `
	DELETE FROM event_terms WHERE starts_key = $2 AND term_id IN (SELECT value FROM ints($1) AS i)`)

var addCellsStmt = db.SQL("postings.add_cells", `
	INSERT INTO event_cells (cell, starts_key, leaf, organizer) SELECT i.value, $2, $3, $4 FROM ints($1) AS i`)

var removeCellsStmt = db.SQL("postings.remove_cells", `
	DELETE FROM event_cells WHERE starts_key = $2 AND cell IN (SELECT value FROM ints($1) AS i)`)

// Update replaces the postings of one event. before is nil if the event was not
// listed, after is nil if it is no longer listed. Terms that no other event has are deleted: see deleteUnused.
func Update(ctx context.Context, tx db.Tx, before, after *Document) error {
	old, current := before.postings(), after.postings()
	if old.key == current.key {
		old.terms, current.terms = without(old.terms, current.terms), without(current.terms, old.terms)
		if old.leaf == current.leaf {
			old.cells, current.cells = nil, nil
		}
	}
	if err := old.remove(ctx, tx); err != nil {
		return err
	}
	if err := current.add(ctx, tx); err != nil {
		return err
	}
	return deleteUnused(ctx, tx, termIDs(without(old.terms, current.terms)))
}

// postings are the rows of one event.
type postings struct {
	key   int64
	terms []string
	cells []int64
	leaf  int64 // that the cells contain

	organizer int64
}

// OrganizerKey identifies an organizer in the postings of cells: the last bytes of an id are
// random.
func OrganizerKey(id domain.UserID) int64 { return int64(binary.BigEndian.Uint64(id[8:])) }

func (d *Document) postings() (p postings) {
	if d == nil {
		return p
	}
	p.key, p.terms, p.organizer = d.StartsKey, d.Terms(), OrganizerKey(d.Organizer)
	if d.Lat != nil && d.Lng != nil { // the rows of a damaged backup may have only one
		p.cells, p.leaf = geo.CellsOf(*d.Lat, *d.Lng), geo.Leaf(*d.Lat, *d.Lng)
	}
	return p
}

func (p postings) remove(ctx context.Context, tx db.Tx) error {
	if len(p.terms) > 0 {
		if _, err := tx.Exec(ctx, removeTermsStmt, termIDs(p.terms), p.key); err != nil {
			return err
		}
	}
	if len(p.cells) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, removeCellsStmt, p.cells, p.key)
	return err
}

func (p postings) add(ctx context.Context, tx db.Tx) error {
	if len(p.terms) > 0 {
		ids := termIDs(p.terms)
		added, err := db.Values[string](ctx, tx, insertTermsStmt, ids, p.terms)
		if err != nil {
			return err
		}
		if err := AddDeletions(ctx, tx, added); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, addTermsStmt, ids, p.key); err != nil {
			return err
		}
	}
	if len(p.cells) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, addCellsStmt, p.cells, p.key, p.leaf, p.organizer)
	return err
}

// without returns the elements of a that are not in b.
func without[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return slices.Contains(b, x) })
}
