package user

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// Search selects users by all of its filters.
type Search struct {
	Query  string // each word is a prefix of a word of the names; empty: any name
	City   string // empty: any city
	Cursor string // Next of the previous page; empty: the first page
	Limit  int    // 1 to 100
}

const cursorName = "people.1"

var errOtherSearch = domain.Invalid("?cursor", "must be the next_cursor of the same search")

// Search finds users (specification §4.3) and sorts them by name. With a query it
// sorts first by the word of the name that matches the rarest word of the query. It
// omits test profiles, suspended accounts, users who have not chosen a name, and users in
// a block with the viewer.
// Pages before the last one can be shorter than Limit, because one request reads at
// most maxScanned rows.
func (s *Service) Search(ctx context.Context, v domain.Viewer, search Search) (domain.Page[Public], error) {
	cache.Until(ctx, time.Time{})
	var page domain.Page[Public]
	r, ok, err := s.plan(ctx, search)
	if err != nil || !ok {
		return page, err
	}
	stmt := searchStmt
	if search.Limit > 20 {
		stmt = longSearchStmt
	}
	hits, err := db.All(ctx, s.DB, scanHit, stmt, r.after.term, r.after.nameKey, r.after.id,
		r.until.term, r.until.nameKey, r.until.id, len(r.word), r.others, v.UserID)
	if err != nil {
		return page, err
	}
	if len(hits) > search.Limit {
		hits = hits[:search.Limit]
		last := hits[len(hits)-1]
		r.until, r.more = position{last.term, last.nameKey, last.UserID}, true
	}
	if r.more {
		page.Next = domain.Cursor(cursorName, strings.TrimPrefix(r.until.term, r.city), r.until.nameKey, r.until.id)
	}
	for _, h := range hits {
		page.Items = append(page.Items, h.Public)
	}
	return page, nil
}

// scanRange is the part of the index that a search scans.
type scanRange struct {
	city   string   // the start of every term: the city and the separator
	word   string   // the word of the query whose rows are scanned
	others []string // the other words, which filter the rows
	after  position // exclusive
	until  position // inclusive
	more   bool     // rows after until also match
}

// position is the key of one row of the index.
type position struct {
	term, nameKey string
	id            domain.UserID
}

// plan chooses the range of a search; ok is false if the query or the city has no
// letters or digits, so that nothing can match.
func (s *Service) plan(ctx context.Context, search Search) (r scanRange, ok bool, err error) {
	if search.City != "" {
		if r.city = text.CityKey(search.City); r.city == "" {
			return r, false, nil
		}
	}
	r.city += separator
	words := []string{""}
	if search.Query != "" {
		if words = withoutPrefixes(text.Words(search.Query)); len(words) == 0 {
			return r, false, nil
		}
	}
	r.word = words[0]
	switch {
	case search.Cursor != "":
		err = r.resume(search.Cursor, words)
	case len(words) > 1:
		err = s.DB.One(ctx, rarestStmt, r.city, words, lastRune).Scan(&r.word)
	}
	if err != nil {
		return r, false, err
	}
	if r.after.term == "" {
		r.after.term = r.city + r.word
	}
	r.until = position{term: r.city + r.word, nameKey: lastRune}
	if r.word != "" {
		r.until.term += lastRune
	}
	if r.others = slices.DeleteFunc(words, func(other string) bool { return other == r.word }); len(r.others) > 0 {
		err = s.limitRange(ctx, &r)
	}
	return r, true, err
}

// withoutPrefixes removes words that are prefixes of another word: every name that
// matches the longer word matches them too.
func withoutPrefixes(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.ContainsFunc(words, func(other string) bool { return other != word && strings.HasPrefix(other, word) })
	})
}

// readCursor returns the position of a cursor, with a term without the city.
func readCursor(cursor string) (p position, err error) {
	return p, domain.ReadCursor(cursor, cursorName, &p.term, &p.nameKey, &p.id)
}

// resume continues after a cursor, with the word whose rows the previous page
// scanned: the only one that is a prefix of the cursor's term.
func (r *scanRange) resume(cursor string, words []string) error {
	after, err := readCursor(cursor)
	if err != nil {
		return err
	}
	term := after.term
	r.after = position{term: r.city + term, nameKey: after.nameKey, id: after.id}
	for _, word := range words {
		if term == word || word != "" && strings.HasPrefix(term, word) {
			r.word = word
			return nil
		}
	}
	return errOtherSearch
}

// rarestStmt returns the word with the fewest rows; of words with 1,000 rows or
// more, the longest.
var rarestStmt = db.SQL("user.rarest", `
	SELECT w.value FROM texts($2) AS w
	ORDER BY (SELECT COUNT(*) FROM (
			SELECT 1 FROM people t WHERE t.term >= $1 || w.value AND t.term <= $1 || w.value || $3 LIMIT 1000) AS counted),
		LENGTH(w.value) DESC, w.value
	LIMIT 1`)

// maxScanned limits the rows that a search for several words reads. Without it a
// search for two common words that rarely occur together would read all of them.
const maxScanned = 20_000

var boundStmt = db.SQL("user.bound", fmt.Sprintf(`
	SELECT t.term, t.name_key, t.user_id FROM people t
	WHERE (t.term, t.name_key, t.user_id) > ($1, $2, $3) AND t.term <= $4
	ORDER BY t.term, t.name_key, t.user_id LIMIT 1 OFFSET %d`, maxScanned-1))

// limitRange ends the range after maxScanned rows.
func (s *Service) limitRange(ctx context.Context, r *scanRange) error {
	var bound position
	found, err := s.DB.One(ctx, boundStmt, r.after.term, r.after.nameKey, r.after.id, r.until.term).
		Find(&bound.term, &bound.nameKey, &bound.id)
	if found {
		r.until, r.more = bound, true
	}
	return err
}

// searchSQL has the limit in its text: PostgreSQL would plan the statement again for
// each call if the limit were a parameter.
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

// hit is a user and their position in the index.
type hit struct {
	term, nameKey string
	Public
}

func scanHit(row db.Row, h *hit) error {
	var c ProfileColumns
	if err := row.Scan(append([]any{&h.term, &h.nameKey}, c.Dest()...)...); err != nil {
		return err
	}
	h.Public = *c.Public()
	return nil
}
