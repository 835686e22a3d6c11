package postings

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/text"
)

// maxTerms limits the terms of one event. Price, category, city and title come first, so
// that only the end of a long text is not indexed.
const maxTerms = 60

// wordPrefix begins the terms that are words.
const wordPrefix = "word "

// termEnd ends a term that is only searched as a whole. No folded text contains it, so
// such a term is never the prefix of another.
const termEnd = "\n"

// WordTerm returns the term of a folded word.
func WordTerm(folded string) string { return wordPrefix + folded }

// Word returns the folded word of a term, and false for the term of a city, category or
// price.
func Word(term string) (folded string, ok bool) { return strings.CutPrefix(term, wordPrefix) }

// CityTerm returns the term of a city; case and accents do not matter.
func CityTerm(city string) string { return "city " + text.Fold(city) + termEnd }

// CategoryTerm returns the term of a category; case and accents do not matter.
func CategoryTerm(category string) string { return "category " + text.Fold(category) + termEnd }

// PriceTerm returns the term of a price, free or paid.
func PriceTerm(price string) string { return "price " + price + termEnd }

// TermID returns the key of a term in the posting lists: 63 bits of a hash, so
// that writing a posting needs no lookup. Two of a million terms share one
// with a probability of 1 in 18 million.
func TermID(term string) int64 {
	sum := sha256.Sum256([]byte(term))
	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

func termIDs(terms []string) []int64 {
	ids := make([]int64, len(terms))
	for i, term := range terms {
		ids[i] = TermID(term)
	}
	return ids
}

// Terms returns the terms by which the event is found, each once.
func (d *Document) Terms() (terms []string) {
	terms = append(terms, PriceTerm(d.Price))
	if d.Category != nil {
		terms = append(terms, CategoryTerm(*d.Category))
	}
	if d.City != nil {
		terms = append(terms, CityTerm(*d.City))
	}
	for _, field := range []*string{&d.Title, d.City, d.Category, d.LocationText, d.Description} {
		if field == nil {
			continue
		}
		for _, word := range text.Words(*field) {
			if len(terms) == maxTerms {
				return terms
			}
			if term := WordTerm(word); !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// MinTypoLength is the minimum length of a word that is corrected. A shorter word is
// one typo away from too many others.
const MinTypoLength = 5

// addDeletionsStmt names no index in ON CONFLICT, like insertTermsStmt.
var addDeletionsStmt = db.SQL("postings.add_deletions", `
	INSERT INTO term_typos (typo, term_id)
	SELECT t.value, i.value FROM texts($1) AS t JOIN ints($2) AS i ON i.ord = t.ord WHERE TRUE ORDER BY t.value, i.value
	ON CONFLICT DO NOTHING`)

// AddDeletions stores the deletions of new terms, so that a misspelt search
// finds them.
func AddDeletions(ctx context.Context, tx db.Tx, terms []string) error {
	var deletions []string
	var ids []int64
	for _, term := range terms {
		for _, deletion := range typosOf(term) {
			deletions, ids = append(deletions, deletion), append(ids, TermID(term))
		}
	}
	if len(deletions) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, addDeletionsStmt, deletions, ids)
	return err
}

// typosOf returns the deletions of a term that are stored: none if it is not a word, or too short.
func typosOf(term string) []string {
	word, ok := Word(term)
	if !ok || utf8.RuneCountInString(word) < MinTypoLength-1 {
		return nil
	}
	return Deletions(word)
}

// Deletions returns the word without each one of its letters. Two words that
// differ by one typo share a deletion, or one is a deletion of the other
// (symmetric delete spelling correction).
func Deletions(word string) []string {
	letters := []rune(word)
	var all []string
	for i := range letters {
		if i == 0 || letters[i] != letters[i-1] {
			all = append(all, string(letters[:i])+string(letters[i+1:]))
		}
	}
	return all
}

// The document frequency df of a term is an estimate for planning searches. A job
// counts it. If publishing updated it, all organizers of one city would wait for one
// row.

const (
	recountInterval = 10 * time.Minute
	recountBatch    = 200 // keeps the reads and writes of a recount short
)

// RegisterJobs registers the recount of document frequencies.
func RegisterJobs(w *job.Workers, d *db.DB) {
	w.Every(recountInterval, "postings.recount", func(ctx context.Context) error { return Recount(ctx, d) })
}

// maxFrequency is where counting stops: larger numbers do not change the plan.
const maxFrequency = 100_000

var countTermsStmt = db.SQL("postings.count_terms", `
	SELECT t.id, t.term, t.df, (SELECT COUNT(*) FROM (SELECT 1 AS one FROM event_terms p WHERE p.term_id = t.id
		LIMIT `+strconv.Itoa(maxFrequency)+`) AS counted)
	FROM terms t WHERE t.id > $1 ORDER BY t.id LIMIT $2`)

var setCountStmt = db.SQL("postings.set_count", `UPDATE terms SET df = $2 WHERE id = $1`)

var (
	deleteTermsStmt = db.SQL("postings.delete_terms", `
		DELETE FROM terms WHERE id IN (SELECT value FROM ints($1) AS i) AND NOT EXISTS (SELECT 1 FROM event_terms p WHERE p.term_id = terms.id)
		RETURNING term`)
	deleteTyposOfStmt = db.SQL("postings.delete_typos", `DELETE FROM term_typos WHERE term_id = $1
		AND typo IN (SELECT t.value FROM texts($2) AS t)`)
)

// deleteUnused deletes those of the terms that no event has, so that no text of an erased event
// remains in SQLite's file. On PostgreSQL, a concurrent transaction may add an event with
// the term and rely on the row: there the row stays.
func deleteUnused(ctx context.Context, tx db.Tx, ids []int64) error {
	if tx.Engine() != db.SQLite || len(ids) == 0 {
		return nil
	}
	deleted, err := db.Values[string](ctx, tx, deleteTermsStmt, ids)
	if err != nil {
		return err
	}
	for _, term := range deleted {
		if word, ok := Word(term); ok {
			tx.Queue(ctx, deleteTyposOfStmt, TermID(term), Deletions(word))
		}
	}
	return nil
}

// termCount is the stored and the actual document frequency of a term.
type termCount struct {
	id             int64
	term           string
	stored, actual int64
}

// Recount updates the document frequency of every term and deletes unused terms.
func Recount(ctx context.Context, d *db.DB) error {
	scan := func(row db.Row, c *termCount) error { return row.Scan(&c.id, &c.term, &c.stored, &c.actual) }
	for last := int64(-1); ; {
		counts, err := db.All(ctx, d, scan, countTermsStmt, last, recountBatch)
		if err != nil || len(counts) == 0 {
			return err
		}
		if err := storeCounts(ctx, d, counts); err != nil {
			return err
		}
		last = counts[len(counts)-1].id
	}
}

func storeCounts(ctx context.Context, d *db.DB, counts []termCount) error {
	return d.InTx(ctx, func(tx db.Tx) error {
		var unused []int64
		for _, c := range counts {
			if c.actual == 0 {
				unused = append(unused, c.id)
			}
		}
		if err := deleteUnused(ctx, tx, unused); err != nil {
			return err
		}
		for _, c := range counts {
			if c.stored == c.actual {
				continue
			}
			if _, err := tx.Exec(ctx, setCountStmt, c.id, c.actual); err != nil {
				return err
			}
		}
		return nil
	})
}
