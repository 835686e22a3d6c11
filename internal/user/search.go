package user

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/respcache"
	"moothall/internal/platform/text"
)

// Search says which people are looked for: all parts that are given hold.
type Search struct {
	Query  string // each word begins a word of the names; empty is anybody
	City   string // empty is anywhere
	Cursor string // Next of the page before; empty is the first page
	Limit  int    // 1 to 100
}

// Page is one page of people; Next is nil on the last.
type Page struct {
	People []Public
	Next   *string
}

const cursorName = "people.1"

var errOtherSearch = domain.Invalid("?cursor", "must be the next_cursor of the same search")

// Search finds people (specification §4.3): in the order of their names or,
// with a query, first of the word that it begins, of several words the rarest.
// Test profiles, suspended accounts and those in a block with the viewer are
// left out. A page may be short before the last: one request goes past at most
// farthest people.
func (s *Service) Search(ctx context.Context, v domain.Viewer, wanted Search) (Page, error) {
	respcache.Timeless(ctx)
	w, some, err := s.walk(ctx, wanted)
	if err != nil || !some {
		return Page{}, err
	}
	stmt := searchStmt
	if wanted.Limit > 20 {
		stmt = longSearchStmt
	}
	found, err := db.All(ctx, s.db, scanHit, stmt, w.after.term, w.after.nameKey, w.after.id,
		w.until.term, w.until.nameKey, w.until.id, w.longer, w.others, v.UserID)
	if err != nil {
		return Page{}, fmt.Errorf("user.search: %w", err)
	}
	var people Page
	if len(found) > wanted.Limit {
		found = found[:wanted.Limit]
		last := found[len(found)-1]
		w.until, w.more = person{last.term, last.nameKey, last.UserID}, true
	}
	if w.more {
		people.Next = new(domain.Cursor(cursorName, strings.TrimPrefix(w.until.term, w.place), w.until.nameKey, w.until.id))
	}
	for _, h := range found {
		people.People = append(people.People, h.Public)
	}
	return people, nil
}

// walk is the part of the list that a search walks along.
type walk struct {
	place  string   // how every term begins
	after  person   // exclusive
	until  person   // inclusive
	more   bool     // the list goes on behind until
	longer int      // rows that share so many bytes were met before
	others []string // further words, by which the walk is filtered
}

// person is the key of one row of the list.
type person struct {
	term, nameKey string
	id            domain.UserID
}

// walk goes along one word of the query, from the cursor on; some is false
// when the query or the city has nothing in it to find.
func (s *Service) walk(ctx context.Context, wanted Search) (w walk, some bool, err error) {
	if wanted.City != "" {
		if w.place = placeOf(wanted.City); w.place == "" {
			return w, false, nil
		}
	}
	w.place += separator
	words := []string{""}
	if wanted.Query != "" {
		if words = telling(text.Words(wanted.Query)); len(words) == 0 {
			return w, false, nil
		}
	}
	word := words[0]
	switch {
	case wanted.Cursor != "":
		word, err = w.goOn(wanted.Cursor, words)
	case len(words) > 1:
		word, err = s.rarest(ctx, w.place, words)
	}
	if err != nil {
		return w, false, err
	}
	w.begin(word)
	if w.others = slices.DeleteFunc(words, func(other string) bool { return other == word }); len(w.others) > 0 {
		err = s.bound(ctx, &w)
	}
	return w, true, err
}

// telling leaves out words that begin another one: whoever has that has them.
func telling(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(words, func(other string) bool { return other != word && strings.HasPrefix(other, word) })
	})
}

// begin sets out along a word, unless a cursor has done so.
func (w *walk) begin(word string) {
	w.longer = len(word)
	if w.after.term == "" {
		w.after.term = w.place + word
	}
	w.until = person{term: w.place + word, nameKey: endOfWords}
	if word != "" {
		w.until.term += endOfWords
	}
}

// goOn moves the walk on to a cursor and gives the word along which it went:
// the only one with which its term begins.
func (w *walk) goOn(cursor string, words []string) (word string, err error) {
	var at string
	if err := domain.ReadCursor(cursor, cursorName, &at, &w.after.nameKey, &w.after.id); err != nil {
		return "", err
	}
	w.after.term = w.place + at
	for _, word := range words {
		if at == word || word != "" && strings.HasPrefix(at, word) {
			return word, nil
		}
	}
	return "", errOtherSearch
}

// rarestStmt counts no more than is needed to tell a rare word.
var rarestStmt = db.SQL("user.rarest", `
	SELECT w.value FROM texts($2) AS w
	ORDER BY (SELECT COUNT(*) FROM (
			SELECT 1 FROM people t WHERE t.term >= $1 || w.value AND t.term <= $1 || w.value || $3 LIMIT 1000) AS counted),
		LENGTH(w.value) DESC, w.value
	LIMIT 1`)

// rarest gives the word that fewest people have, of common ones the longest.
func (s *Service) rarest(ctx context.Context, place string, words []string) (word string, err error) {
	if err := s.db.One(ctx, rarestStmt, place, words, endOfWords).Scan(&word); err != nil {
		return "", fmt.Errorf("user.rarest: %w", err)
	}
	return word, nil
}

// farthest is how many rows a search with several words looks at: of two
// common words that rarely meet, every row may be in vain.
const farthest = 20_000

var boundStmt = db.SQL("user.bound", fmt.Sprintf(`
	SELECT t.term, t.name_key, t.user_id FROM people t
	WHERE (t.term, t.name_key, t.user_id) > ($1, $2, $3) AND t.term <= $4
	ORDER BY t.term, t.name_key, t.user_id LIMIT 1 OFFSET %d`, farthest-1))

// bound ends a walk that is too long before its end.
func (s *Service) bound(ctx context.Context, w *walk) error {
	var far person
	err := s.db.One(ctx, boundStmt, w.after.term, w.after.nameKey, w.after.id, w.until.term).Scan(&far.term, &far.nameKey, &far.id)
	if errors.Is(err, db.ErrNoRow) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("user.bound: %w", err)
	}
	w.until, w.more = far, true
	return nil
}

// searchSQL has its limit in the text: PostgreSQL plans one that is a
// parameter anew at every call.
func searchSQL(limit string) string {
	return `
		SELECT t.term, t.name_key, ` + Columns("p") + `
		FROM people t JOIN profiles p ON p.user_id = t.user_id
		WHERE (t.term, t.name_key, t.user_id) > ($1, $2, $3) AND (t.term, t.name_key, t.user_id) <= ($4, $5, $6) AND t.shared < $7
			AND NOT EXISTS (SELECT 1 FROM texts($8) AS w WHERE p.words NOT LIKE '% ' || w.value || '%')
			AND ` + access.NotBlocked("t.user_id", "$9") + `
		ORDER BY t.term, t.name_key, t.user_id LIMIT ` + limit
}

var (
	searchStmt     = db.SQL("user.search", searchSQL("21"))
	longSearchStmt = db.SQL("user.long_search", searchSQL("101"))
)

// hit is a person with where they stand in the list.
type hit struct {
	term, nameKey string
	Public
}

func scanHit(row db.Row, h *hit) error {
	var c Columned
	if err := row.Scan(append([]any{&h.term, &h.nameKey}, c.Dest()...)...); err != nil {
		return err
	}
	h.Public = *c.Public()
	return nil
}
