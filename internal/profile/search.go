package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"moothall/internal/access"
	"moothall/internal/db"
	"moothall/internal/meet"
	"moothall/internal/text"
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

var errOtherSearch = meet.Invalid("?cursor", "must be the next_cursor of the same search")

// Search finds people (specification §4.3): in the order of their names or,
// with a query, first of the word that it begins. Test profiles, suspended
// accounts and those in a block with the viewer are left out.
func (s *Service) Search(ctx context.Context, v meet.Viewer, wanted Search) (Page, error) {
	w, some, err := wanted.walk()
	if err != nil || !some {
		return Page{}, err
	}
	stmt := searchStmt
	if wanted.Limit > 20 {
		stmt = longSearchStmt
	}
	found, err := db.All(ctx, s.db, scanHit, stmt, w.after.term, w.after.nameKey, w.after.id, w.last, w.longer, w.others, v.UserID)
	if err != nil {
		return Page{}, fmt.Errorf("profile.search: %w", err)
	}
	var page Page
	if len(found) > wanted.Limit {
		found = found[:wanted.Limit]
		last := found[len(found)-1]
		page.Next = new(meet.Cursor(cursorName, strings.TrimPrefix(last.term, w.place), last.nameKey, last.UserID))
	}
	for _, h := range found {
		page.People = append(page.People, h.Public)
	}
	return page, nil
}

// walk is the part of the list that a search walks along.
type walk struct {
	place  string   // how every term begins
	after  person   // exclusive
	last   string   // term, inclusive
	longer int      // rows that share so many bytes were met before
	others []string // further words, by which the walk is filtered
}

// person is the key of one row of the list.
type person struct {
	term, nameKey string
	id            meet.UserID
}

// walk goes along the longest word, the one that fewest people have; some is
// false when the query or the city has nothing in it to find.
func (s Search) walk() (w walk, some bool, err error) {
	if s.City != "" {
		if w.place = placeOf(s.City); w.place == "" {
			return w, false, nil
		}
	}
	w.place += separator
	word := ""
	if s.Query != "" {
		words := text.Words(s.Query)
		if len(words) == 0 {
			return w, false, nil
		}
		word = slices.MaxFunc(words, func(a, b string) int { return utf8.RuneCountInString(a) - utf8.RuneCountInString(b) })
		w.others = slices.DeleteFunc(words, func(other string) bool { return strings.HasPrefix(word, other) })
	}
	w.after.term, w.last, w.longer = w.place+word, w.place+word, len(word)
	if word != "" {
		w.last += endOfWords
	}
	return w, true, w.goOn(s.Cursor, word)
}

// goOn moves the walk on to a cursor.
func (w *walk) goOn(cursor, word string) error {
	if cursor == "" {
		return nil
	}
	var at string
	if err := meet.ReadCursor(cursor, cursorName, &at, &w.after.nameKey, &w.after.id); err != nil {
		return err
	}
	w.after.term = w.place + at
	if w.after.term > w.last || !strings.HasPrefix(at, word) {
		return errOtherSearch
	}
	return nil
}

// searchSQL has its limit in the text: PostgreSQL plans one that is a
// parameter anew at every call.
func searchSQL(limit string) string {
	return `
		SELECT t.term, t.name_key, ` + Columns("p") + `
		FROM people t JOIN profiles p ON p.user_id = t.user_id
		WHERE (t.term, t.name_key, t.user_id) > ($1, $2, $3) AND t.term <= $4 AND t.shared < $5
			AND NOT EXISTS (SELECT 1 FROM texts($6) AS w WHERE p.words NOT LIKE '% ' || w.value || '%')
			AND ` + access.NotBlocked("t.user_id", "$7") + `
		ORDER BY t.term, t.name_key, t.user_id LIMIT ` + limit
}

var (
	searchStmt     = db.SQL("profile.search", searchSQL("21"))
	longSearchStmt = db.SQL("profile.long_search", searchSQL("101"))
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
