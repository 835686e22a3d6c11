package event

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"moothall/internal/platform/db"
)

// A word of a search that nothing has, neither itself nor as a beginning, stands
// for the words that are one typo away: a letter missing, one too many, another
// one, or two neighbours exchanged. They are found by what both have in common
// when a letter is left out, so the cost does not grow with the number of words.

// A shorter word has too many neighbours to be a typo of.
const shortestMisspelt = 5

// nearWordsStmt is given, for some words by number, each without one of its
// letters and whole.
var nearWordsStmt = db.SQL("event.near_words", `
	SELECT o.value, t.id, t.term, t.df FROM texts($1) AS v JOIN ints($2) AS o ON o.ord = v.ord
		JOIN term_typos y ON y.typo = v.value JOIN terms t ON t.id = y.term_id
	UNION SELECT o.value, t.id, t.term, t.df FROM texts($1) AS v JOIN ints($2) AS o ON o.ord = v.ord
		JOIN terms t ON t.term = 'word ' || v.value
	ORDER BY 4 DESC, 2 LIMIT 1000`)

// postTyposStmt names no index in ON CONFLICT, like nameTermsStmt.
var postTyposStmt = db.SQL("event.post_typos", `
	INSERT INTO term_typos (typo, term_id)
	SELECT t.value, i.value FROM texts($1) AS t JOIN ints($2) AS i ON i.ord = t.ord WHERE TRUE ORDER BY t.value, i.value
	ON CONFLICT DO NOTHING`)

// lookAround fills the groups of misspelt words with the commonest words around
// each; the first groups are those of the words.
func lookAround(ctx context.Context, q db.Querier, words []string, groups []group) error {
	var typos []string
	var owners []int64
	for i, word := range words {
		if len(groups[i].terms) > 0 || utf8.RuneCountInString(word) < shortestMisspelt {
			continue
		}
		for _, typo := range append(shortened(word), word) {
			typos, owners = append(typos, typo), append(owners, int64(i))
		}
	}
	if len(typos) == 0 {
		return nil
	}
	for row, err := range q.Query(ctx, nearWordsStmt, typos, owners) {
		var owner, id, df int64
		var term string
		if err == nil {
			err = row.Scan(&owner, &id, &term, &df)
		}
		if err != nil {
			return fmt.Errorf("event.near_words: %w", err)
		}
		g := &groups[owner]
		if len(g.terms) < mostExpansions && oneTypo(words[owner], strings.TrimPrefix(term, wordTerm(""))) {
			g.terms, g.df = append(g.terms, id), g.df+df
		}
	}
	return nil
}

// postTypos makes new terms findable by their typos.
func postTypos(ctx context.Context, tx db.Tx, terms []string) error {
	var typos []string
	var ids []int64
	for _, term := range terms {
		word, ok := strings.CutPrefix(term, wordTerm(""))
		if !ok || utf8.RuneCountInString(word) < shortestMisspelt-1 {
			continue
		}
		for _, typo := range shortened(word) {
			typos, ids = append(typos, typo), append(ids, termID(term))
		}
	}
	if len(typos) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, postTyposStmt, typos, ids)
	return err
}

// shortened gives the word without each of its letters.
func shortened(word string) []string {
	letters := []rune(word)
	var all []string
	for i := range letters {
		if i == 0 || letters[i] != letters[i-1] {
			all = append(all, string(letters[:i])+string(letters[i+1:]))
		}
	}
	return all
}

// oneTypo reports whether two words differ by one typo.
func oneTypo(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	for len(x) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	switch len(y) {
	case 1:
		return true // missing, too many or another
	case 2:
		return len(x) == 2 && x[0] == y[1] && x[1] == y[0]
	default:
		return false
	}
}
