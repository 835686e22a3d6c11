package event

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"moothall/internal/db"
)

// Postings are how events are found: one row per term and one per S2 level, in
// the order of starts_key, which stands for the event. They are written in the
// transaction that lists, changes or unlists it.

var countTermsStmt = db.SQL("event.count_terms", `
	INSERT INTO terms (id, term, df)
	SELECT i.value, t.value, n.value FROM ints($1) AS i JOIN texts($2) AS t ON t.ord = i.ord JOIN ints($3) AS n ON n.ord = i.ord
	WHERE TRUE ORDER BY i.ord
	ON CONFLICT (id) DO UPDATE SET df = terms.df + excluded.df`)

var uncountTermsStmt = db.SQL("event.uncount_terms", `
	UPDATE terms SET df = df - 1 WHERE id IN (
		SELECT id FROM terms WHERE id IN (SELECT value FROM ints($1) AS i) ORDER BY id FOR UPDATE)`)

var postTermsStmt = db.SQL("event.post_terms", `
	INSERT INTO event_terms (term_id, starts_key) SELECT i.value, $2 FROM ints($1) AS i`)

var unpostTermsStmt = db.SQL("event.unpost_terms", `
	DELETE FROM event_terms WHERE starts_key = $2 AND term_id IN (SELECT value FROM ints($1) AS i)`)

var postCellsStmt = db.SQL("event.post_cells", `
	INSERT INTO event_cells (cell, starts_key, x, y, z) SELECT i.value, $2, $3, $4, $5 FROM ints($1) AS i`)

var unpostCellsStmt = db.SQL("event.unpost_cells", `
	DELETE FROM event_cells WHERE starts_key = $2 AND cell IN (SELECT value FROM ints($1) AS i)`)

// post makes the event findable.
func post(ctx context.Context, tx db.Tx, e Event) error {
	ids, names := termKeys(e.Fields)
	if _, err := tx.Exec(ctx, countTermsStmt, ids, names, slices.Repeat([]int64{1}, len(ids))); err != nil {
		return fmt.Errorf("event.post %s: %w", e.ID, err)
	}
	if _, err := tx.Exec(ctx, postTermsStmt, ids, e.StartsKey); err != nil {
		return fmt.Errorf("event.post %s: %w", e.ID, err)
	}
	if e.Lat == nil {
		return nil
	}
	p := point(*e.Lat, *e.Lng)
	if _, err := tx.Exec(ctx, postCellsStmt, cellsOf(*e.Lat, *e.Lng), e.StartsKey, p.X, p.Y, p.Z); err != nil {
		return fmt.Errorf("event.post %s: %w", e.ID, err)
	}
	return nil
}

// unpost takes back what post wrote for the same event.
func unpost(ctx context.Context, tx db.Tx, e Event) error {
	ids, _ := termKeys(e.Fields)
	if _, err := tx.Exec(ctx, uncountTermsStmt, ids); err != nil {
		return fmt.Errorf("event.unpost %s: %w", e.ID, err)
	}
	if _, err := tx.Exec(ctx, unpostTermsStmt, ids, e.StartsKey); err != nil {
		return fmt.Errorf("event.unpost %s: %w", e.ID, err)
	}
	if e.Lat == nil {
		return nil
	}
	if _, err := tx.Exec(ctx, unpostCellsStmt, cellsOf(*e.Lat, *e.Lng), e.StartsKey); err != nil {
		return fmt.Errorf("event.unpost %s: %w", e.ID, err)
	}
	return nil
}

// termKeys gives the event's terms with their ids, in the order of the ids:
// everybody locks shared terms in that order.
func termKeys(f Fields) (ids []int64, names []string) {
	names = termsOf(f)
	slices.SortFunc(names, byTermID)
	for _, name := range names {
		ids = append(ids, termID(name))
	}
	return ids, names
}

func byTermID(a, b string) int { return cmp.Compare(termID(a), termID(b)) }
