package meetup_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestConcurrentDocumentsShareNewTerms adds documents with the same new words at
// once: no transaction fails.
func TestConcurrentDocumentsShareNewTerms(t *testing.T) {
	const writers = 12
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for round := range testutil.Rounds(30, 100) {
			var title strings.Builder
			for n := range 10 {
				fmt.Fprintf(&title, "new%c%c%c ", 'a'+round/26, 'a'+round%26, 'a'+n)
			}
			apptest.Concurrently(writers, func(writer int) {
				document := &postings.Document{StartsKey: int64(round*writers + writer + 1), Title: title.String()}
				err := d.InTx(t.Context(), func(tx db.Tx) error { return postings.Update(t.Context(), tx, nil, document) })
				if err != nil {
					t.Error(err)
				}
			})
		}
	})
}

var countTraces = db.SQL("postings_test.traces", `
	SELECT (SELECT COUNT(*) FROM terms WHERE term LIKE $1) + (SELECT COUNT(*) FROM term_typos WHERE typo LIKE $1)`)

// TestWordsEndWithTheirEvent removes the events that have a word, one by one: the word stays until the last one is gone.
func TestWordsEndWithTheirEvent(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	traces := func(word string) (n int) {
		t.Helper()
		if err := d.One(t.Context(), countTraces, "%"+word+"%").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	update := func(before, after *postings.Document) {
		t.Helper()
		if err := d.InTx(t.Context(), func(tx db.Tx) error { return postings.Update(t.Context(), tx, before, after) }); err != nil {
			t.Fatal(err)
		}
	}
	first := &postings.Document{StartsKey: 1, Title: "zyzzogeton qwertyish"}
	edited := &postings.Document{StartsKey: 1, Title: "zyzzogeton"}
	second := &postings.Document{StartsKey: 2, Title: "zyzzogeton"}
	update(nil, first)
	update(nil, second)
	update(first, edited)
	if traces("zzogeto") == 0 || traces("wertyis") != 0 {
		t.Errorf("after an edit: %d traces of a word in use, %d of the removed one", traces("zzogeto"), traces("wertyis"))
	}
	update(edited, nil)
	if traces("zzogeto") == 0 {
		t.Error("the word of the other event is gone")
	}
	update(second, nil)
	if n := traces("zzogeto"); n != 0 {
		t.Errorf("%d traces without an event", n)
	}
}
