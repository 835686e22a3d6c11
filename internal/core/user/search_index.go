package user

import (
	"context"
	"slices"

	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// The search index is the table people: one row per user and word of their names,
// and one without a word for the list without a query. Each row exists twice, with
// and without the city. The key is (term, name, user), and a term is the folded
// city or nothing, a separator, and the word or nothing. So every page of a search
// is one range scan along the primary key, in the order of the names.
//
// A search for a prefix that two words of a user share must find the user once. So
// each row stores how many bytes its word shares with the user's previous word, and a
// search uses the row only if the searched word is longer than that.

const (
	separator = "\x1f"       // a control character, which no folded text contains
	lastRune  = "\U0010FFFF" // sorts after any text

	maxNameKey = 24 // code points; equal keys are sorted by user id
	maxWords   = 60 // per user; further words are not indexed
)

// IndexRows are the rows of one user in the search index.
type IndexRows struct {
	NameKey string
	Words   string   // for profiles.words
	Terms   []string // sorted
	Shared  []int64  // for each term
}

// IndexOf returns the rows of a profile.
func IndexOf(p Public) IndexRows {
	words := text.Words(p.DisplayName + " " + p.Username)
	words = words[:min(len(words), maxWords)]
	r := IndexRows{NameKey: text.Prefix(text.Fold(p.DisplayName), maxNameKey)}
	for _, word := range words {
		r.Words += " " + word
	}
	slices.Sort(words)
	r.add("", words)
	if p.City != nil {
		if city := text.CityKey(*p.City); city != "" {
			r.add(city, words)
		}
	}
	return r
}

// add adds the rows of the sorted words for a city, "" for everywhere.
func (r *IndexRows) add(city string, words []string) {
	r.Terms, r.Shared = append(r.Terms, city+separator), append(r.Shared, -1)
	previous := ""
	for _, word := range words {
		r.Terms, r.Shared = append(r.Terms, city+separator+word), append(r.Shared, int64(commonBytes(previous, word)))
		previous = word
	}
}

func commonBytes(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

var (
	// indexStmt inserts nothing for suspended accounts and test profiles. As a
	// statement of its own it sees a suspension that was committed while this
	// transaction waited for the profile.
	indexStmt = db.SQL("user.index", `
		INSERT INTO people (term, name_key, user_id, shared)
		SELECT t.value, $2, u.id, s.value
		FROM users u JOIN texts($3) AS t ON TRUE JOIN ints($4) AS s ON s.ord = t.ord
		WHERE u.id = $1 AND u.suspended_at IS NULL AND NOT u.test_profile
		ON CONFLICT (term, name_key, user_id) DO NOTHING`)

	unindexStmt = db.SQL("user.unindex", `
		DELETE FROM people WHERE name_key = $2 AND user_id = $1 AND term IN (SELECT t.value FROM texts($3) AS t)`)
)

// index adds a user to the search index if they have chosen a name. Their profile is
// locked.
func index(ctx context.Context, tx db.Tx, p Public) {
	if !p.NameChosen {
		return
	}
	r := IndexOf(p)
	tx.Queue(ctx, indexStmt, p.UserID, r.NameKey, r.Terms, r.Shared)
}

// unindex removes a user from the search index. The profile is locked and equal to
// the one that was indexed.
func unindex(ctx context.Context, tx db.Tx, p Public) {
	r := IndexOf(p)
	tx.Queue(ctx, unindexStmt, p.UserID, r.NameKey, r.Terms)
}
