package event

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// A word of a search stands for itself and for the commonest words it begins, and
// where there are none for those it may be a typo of; a single character and an
// attribute stand for themselves alone.
const mostExpansions = 16

// mostWords bounds what one search costs: of more words the longest decide,
// which are the rarest as a rule.
const mostWords = 8

// The bounds of the terms that begin with a prefix, and of the term itself.
const (
	afterEvery  = "\U0010FFFF"
	afterItself = "\x01"
)

var lookupStmt = db.SQL("event.lookup", `
	SELECT ord, id, df FROM (
		SELECT l.ord AS ord, t.id AS id, t.df AS df,
			ROW_NUMBER() OVER (PARTITION BY l.ord ORDER BY CASE WHEN t.term = l.value THEN 0 ELSE 1 END, t.df DESC, t.id) AS place
		FROM texts($1) AS l JOIN texts($2) AS h ON h.ord = l.ord JOIN terms t ON t.term >= l.value AND t.term < h.value) AS found
	WHERE place <= `+strconv.Itoa(mostExpansions)+` ORDER BY ord, place`)

// wordsOf gives the words of a search that decide.
func wordsOf(q string) []string {
	words := text.Words(q)
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return words[:min(len(words), mostWords)]
}

// asked are the terms that a filter asks for, and the end of the range of each.
func (f Filter) asked(words []string) (from, to []string) {
	for _, word := range words {
		end := afterEvery
		if utf8.RuneCountInString(word) == 1 {
			end = afterItself
		}
		from, to = append(from, wordTerm(word)), append(to, wordTerm(word)+end)
	}
	for _, attribute := range f.attributes() {
		from, to = append(from, attribute), append(to, attribute+afterItself)
	}
	return from, to
}

func (f Filter) attributes() (terms []string) {
	if f.City != nil {
		terms = append(terms, cityTerm(*f.City))
	}
	if f.Category != nil {
		terms = append(terms, categoryTerm(*f.Category))
	}
	return terms
}

// lookUp gives the groups of a filter's words and attributes.
func lookUp(ctx context.Context, q db.Querier, f Filter) ([]group, error) {
	words := wordsOf(f.Query)
	if len(words) == 0 && strings.TrimSpace(f.Query) != "" {
		return []group{{}}, nil // signs alone: nothing has them
	}
	from, to := f.asked(words)
	if len(from) == 0 {
		return nil, nil
	}
	groups := make([]group, len(from))
	for row, err := range q.Query(ctx, lookupStmt, from, to) {
		if err != nil {
			return nil, fmt.Errorf("event.lookup: %w", err)
		}
		var ord, id, df int64
		if err := row.Scan(&ord, &id, &df); err != nil {
			return nil, fmt.Errorf("event.lookup: %w", err)
		}
		g := &groups[ord-1]
		g.terms = append(g.terms, id)
		g.df += df
	}
	return groups, lookAround(ctx, q, words, groups)
}
