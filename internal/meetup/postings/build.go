package postings

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"moothall/internal/platform/db"
)

// Tables are the tables that Build fills: their rows follow from the listed events.
var Tables = []string{"event_terms", "event_cells", "terms", "term_typos"}

var areFullStmt = db.SQL("postings.are_full", `
	SELECT EXISTS (SELECT 1 FROM event_terms), EXISTS (SELECT 1 FROM event_cells), EXISTS (SELECT 1 FROM terms),
		EXISTS (SELECT 1 FROM term_typos)`)

// Build fills those of Tables that are empty. documents are all listed events, in any order. No other program may write
// meanwhile. Each table is filled in one transaction, so that an interrupted Build can be repeated. Document frequencies are
// those that Recount would store.
//
// Postings are sorted in temporary files in a folder, of about 650 MB for a million events with 26 terms each. Terms are sorted in
// memory.
//
// Build calls report for each event that it reads, and for each row that it inserts into another table.
func Build(
	ctx context.Context, d *db.DB, folder string, documents iter.Seq2[*Document, error], report func(table string),
) (err error) {
	var full [4]bool
	if err := d.One(ctx, areFullStmt).Scan(&full[0], &full[1], &full[2], &full[3]); err != nil {
		return err
	}
	if !slices.Contains(full[:], false) {
		return nil
	}
	b := builder{newSorter(folder, 2), newSorter(folder, 4), map[int64]*termCount{}}
	defer func() { err = errors.Join(err, b.postings.close(), b.cells.close()) }()
	for document, err := range documents {
		if err == nil {
			err = b.add(document)
		}
		if err != nil {
			return err
		}
		report("events")
	}
	columns := [][]string{{"term_id", "starts_key"}, {"cell", "starts_key", "leaf", "organizer"}, {"id", "term", "df"}, {"typo", "term_id"}}
	rows := []iter.Seq2[[]any, error]{b.postings.rows(), b.cells.rows(), b.termRows(), b.typoRows()}
	for i, table := range Tables {
		if full[i] {
			continue
		}
		if _, err := d.CopyRows(ctx, table, columns[i], reported(rows[i], func() { report(table) })); err != nil {
			return err
		}
	}
	return nil
}

// builder collects the rows of the tables.
type builder struct {
	postings, cells *sorter
	terms           map[int64]*termCount // by id
}

func (b *builder) add(d *Document) error {
	p := d.postings()
	for _, term := range p.terms {
		id := TermID(term)
		if b.terms[id] == nil {
			b.terms[id] = &termCount{id: id, term: term}
		}
		b.terms[id].actual++
		if err := b.postings.add(entry{id, p.key}); err != nil {
			return err
		}
	}
	for _, cell := range p.cells {
		if err := b.cells.add(entry{cell, p.key, p.leaf, p.organizer}); err != nil {
			return err
		}
	}
	return nil
}

// termRows returns the rows of terms in the order of the primary key, which is the fastest on both engines.
func (b *builder) termRows() iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, id := range slices.Sorted(maps.Keys(b.terms)) {
			if t := b.terms[id]; !yield([]any{id, t.term, min(t.actual, maxFrequency)}, nil) {
				return
			}
		}
	}
}

// typoRows returns the rows of term_typos in the order of the primary key.
func (b *builder) typoRows() iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		type row struct {
			typo string
			id   int64
		}
		var all []row
		for id, t := range b.terms {
			for _, typo := range typosOf(t.term) {
				all = append(all, row{typo, id})
			}
		}
		slices.SortFunc(all, func(a, b row) int { return cmp.Or(cmp.Compare(a.typo, b.typo), cmp.Compare(a.id, b.id)) })
		for _, r := range slices.Compact(all) {
			if !yield([]any{r.typo, r.id}, nil) {
				return
			}
		}
	}
}

// reported calls report for each row.
func reported(rows iter.Seq2[[]any, error], report func()) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for row, err := range rows {
			if !yield(row, err) {
				return
			}
			report()
		}
	}
}
