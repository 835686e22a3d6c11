package user

import (
	"context"
	"fmt"
	"slices"

	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// The list of people is postings, one row per word of a person's names, so
// that every page is one walk along the primary key: the term is the word, or
// nothing for the list without a search, behind the city or nothing. Within a
// term people stand by their name.
//
// Somebody with two words of one beginning would be found twice. So each row
// says how many bytes of its word an earlier word of the person shares: only a
// search for more than these counts it.

const (
	separator  = "\x1f" // in no folded text: it is a control character
	endOfWords = "\U0010FFFF"

	maxNameKey = 24 // code points; people whose names begin alike stand in the order of their ids
	maxPlace   = 40 // code points
	maxWords   = 60 // of one person; further ones do not find them
)

// listing is how one person stands in the list.
type listing struct {
	nameKey string
	words   string   // as profiles.words
	terms   []string // in order
	shared  []int64  // of each term
}

func listingOf(p Public) listing {
	found := text.Words(p.DisplayName + " " + p.Username)
	found = found[:min(len(found), maxWords)]
	l := listing{nameKey: start(text.Fold(p.DisplayName), maxNameKey)}
	for _, word := range found {
		l.words += " " + word
	}
	slices.Sort(found)
	l.add("", found)
	if p.City != nil {
		if place := placeOf(*p.City); place != "" {
			l.add(place, found)
		}
	}
	return l
}

// add lists the sorted words in a place.
func (l *listing) add(place string, words []string) {
	l.terms, l.shared = append(l.terms, place+separator), append(l.shared, -1)
	before := ""
	for _, word := range words {
		l.terms, l.shared = append(l.terms, place+separator+word), append(l.shared, int64(commonBytes(before, word)))
		before = word
	}
}

func placeOf(city string) string { return start(text.Fold(city), maxPlace) }

func commonBytes(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// start gives the first n code points of s.
func start(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

var (
	// listStmt leaves out whom the list does not show. The new snapshot of a
	// statement of its own sees a suspension that has just waited for us.
	listStmt = db.SQL("user.list", `
		INSERT INTO people (term, name_key, user_id, shared)
		SELECT t.value, $2, u.id, s.value
		FROM users u JOIN texts($3) AS t ON TRUE JOIN ints($4) AS s ON s.ord = t.ord
		WHERE u.id = $1 AND u.suspended_at IS NULL AND NOT u.test_profile
		ON CONFLICT (term, name_key, user_id) DO NOTHING`)

	unlistStmt = db.SQL("user.unlist", `
		DELETE FROM people WHERE name_key = $2 AND user_id = $1 AND term IN (SELECT t.value FROM texts($3) AS t)`)
)

// list puts a person into the list, unless they are not to be found there.
// Their profile is locked, or new.
func list(ctx context.Context, tx db.Tx, p Public) error {
	l := listingOf(p)
	if _, err := tx.Exec(ctx, listStmt, p.UserID, l.nameKey, l.terms, l.shared); err != nil {
		return fmt.Errorf("user.list %s: %w", p.UserID, err)
	}
	return nil
}

// unlist takes a person out of the list. The profile, which is locked, is the
// one that was put in.
func unlist(ctx context.Context, tx db.Tx, p Public) error {
	l := listingOf(p)
	if _, err := tx.Exec(ctx, unlistStmt, p.UserID, l.nameKey, l.terms); err != nil {
		return fmt.Errorf("user.unlist %s: %w", p.UserID, err)
	}
	return nil
}
