package discovery

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// maxExpansions limits the terms of one word: the word itself and the most common words
// that begin with it. If there are none, they are the words that differ by one typo. A
// single character and an attribute match only themselves.
const maxExpansions = 16

// maxWords limits the cost of one search. If a query has more words, the search uses
// the longest, which are usually the rarest.
const maxWords = 8

// Bounds of the range of terms that begin with a prefix, and of the term itself.
const (
	prefixEnd = "\U0010FFFF"
	exactEnd  = "\x01"
)

var termsStmt = db.SQL("discovery.terms", `
	SELECT ord, id, df FROM (
		SELECT l.ord AS ord, t.id AS id, t.df AS df,
			ROW_NUMBER() OVER (PARTITION BY l.ord ORDER BY CASE WHEN t.term = l.value THEN 0 ELSE 1 END, t.df DESC, t.id) AS rank
		FROM unseen_texts($1) AS l JOIN unseen_texts($2) AS h ON h.ord = l.ord JOIN terms t ON t.term >= l.value AND t.term < h.value) AS found
	WHERE rank <= `+strconv.Itoa(maxExpansions)+` ORDER BY ord, rank`)

// findTerms returns the groups of a filter: first its words, then its attributes.
func findTerms(ctx context.Context, q db.Querier, f Filter) ([]group, error) {
	words := queryWords(f.Query)
	if len(words) == 0 && strings.TrimSpace(f.Query) != "" {
		return []group{{}}, nil // only punctuation, which no event has
	}
	attributes := f.attributes()
	if len(words) == 0 && len(attributes) < 2 && f.Circle == nil && f.Box == nil { // the plan does not depend on their frequency
		return lone(attributes), nil
	}
	from, to := termRanges(words, attributes)
	if len(from) == 0 {
		return nil, nil
	}
	groups := make([]group, len(from))
	for row, err := range q.Query(ctx, termsStmt, from, to) {
		var ord, id, df int64
		if err == nil {
			err = row.Scan(&ord, &id, &df)
		}
		if err != nil {
			return nil, err
		}
		g := &groups[ord-1]
		g.terms = append(g.terms, id)
		g.df += df
	}
	return groups, correctTypos(ctx, q, words, groups)
}

// queryWords returns the words of a query that the search uses.
func queryWords(q string) []string {
	words := text.Words(q)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return words[:min(len(words), maxWords)]
}

// attributes returns the terms of the fields that match as a whole.
func (f Filter) attributes() (terms []string) {
	if f.City != nil {
		terms = append(terms, postings.CityTerm(*f.City))
	}
	if f.Category != nil {
		terms = append(terms, postings.CategoryTerm(*f.Category))
	}
	if f.Price != "" {
		terms = append(terms, postings.PriceTerm(f.Price))
	}
	return terms
}

// lone returns the groups of at most one attribute.
func lone(attributes []string) (groups []group) {
	for _, attribute := range attributes {
		groups = append(groups, group{terms: []int64{postings.TermID(attribute)}})
	}
	return groups
}

// termRanges returns the ranges of terms for the words, then the attributes.
func termRanges(words, attributes []string) (from, to []string) {
	for _, word := range words {
		end := prefixEnd
		if utf8.RuneCountInString(word) == 1 {
			end = exactEnd
		}
		from, to = append(from, postings.WordTerm(word)), append(to, postings.WordTerm(word)+end)
	}
	for _, attribute := range attributes {
		from, to = append(from, attribute), append(to, attribute+exactEnd)
	}
	return from, to
}

// neighboursStmt returns the terms that share a deletion with a word. $1 lists the words
// and their deletions, $2 the index of the word for each of them.
var neighboursStmt = db.SQL("discovery.neighbours", `
	SELECT o.value, t.id, t.term, t.df FROM texts($1) AS v JOIN ints($2) AS o ON o.ord = v.ord
		JOIN term_typos y ON y.typo = v.value JOIN terms t ON t.id = y.term_id
	UNION SELECT o.value, t.id, t.term, t.df FROM texts($1) AS v JOIN ints($2) AS o ON o.ord = v.ord
		JOIN terms t ON t.term = 'word ' || v.value
	ORDER BY 4 DESC, 2 LIMIT 1000`)

// correctTypos fills the groups of words that have no terms with the most common terms
// that are one typo away: a letter missing, added or replaced, or two neighbours
// exchanged. The cost does not grow with the number of terms. groups begins with the
// groups of the words.
func correctTypos(ctx context.Context, q db.Querier, words []string, groups []group) error {
	var deletions []string
	var owners []int64
	for i, word := range words {
		if len(groups[i].terms) > 0 || utf8.RuneCountInString(word) < postings.MinTypoLength {
			continue
		}
		for _, deletion := range append(postings.Deletions(word), word) {
			deletions, owners = append(deletions, deletion), append(owners, int64(i))
		}
	}
	if len(deletions) == 0 {
		return nil
	}
	for row, err := range q.Query(ctx, neighboursStmt, deletions, owners) {
		var owner, id, df int64
		var term string
		if err == nil {
			err = row.Scan(&owner, &id, &term, &df)
		}
		if err != nil {
			return err
		}
		word, _ := postings.Word(term)
		if g := &groups[owner]; len(g.terms) < maxExpansions && text.IsOneTypo(words[owner], word) {
			g.terms, g.df = append(g.terms, id), g.df+df
		}
	}
	return nil
}
