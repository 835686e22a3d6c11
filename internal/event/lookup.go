package event

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"moothall/internal/db"
	"moothall/internal/text"
)

// A word of a search stands for itself and for the commonest words it begins;
// an attribute stands for itself alone.
const mostExpansions = 16

// The highest code point ends the range of a prefix.
const afterEvery = "\U0010FFFF"

var lookupStmt = db.SQL("event.lookup", `
	SELECT ord, id, df FROM (
		SELECT l.ord AS ord, t.id AS id, t.df AS df,
			ROW_NUMBER() OVER (PARTITION BY l.ord ORDER BY CASE WHEN t.term = l.value THEN 0 ELSE 1 END, t.df DESC, t.id) AS place
		FROM texts($1) AS l JOIN terms t ON t.term >= l.value AND t.term < l.value || $2
		WHERE t.df > 0) AS found
	WHERE place <= `+strconv.Itoa(mostExpansions)+` ORDER BY ord, place`)

// lookUp gives the groups of a filter's words and attributes.
func lookUp(ctx context.Context, q db.Querier, f Filter) ([]group, error) {
	words := text.Words(f.Query)
	if len(words) == 0 && strings.TrimSpace(f.Query) != "" {
		return []group{{}}, nil // signs alone: nothing has them
	}
	var asked []string
	for _, word := range words {
		asked = append(asked, wordTerm(word))
	}
	if f.City != nil {
		asked = append(asked, cityTerm(*f.City))
	}
	if f.Category != nil {
		asked = append(asked, categoryTerm(*f.Category))
	}
	if len(asked) == 0 {
		return nil, nil
	}
	groups := make([]group, len(asked))
	for row, err := range q.Query(ctx, lookupStmt, asked, afterEvery) {
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
	return groups, nil
}
