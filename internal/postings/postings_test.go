package postings_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
	"moothall/internal/postings"
)

// TestConcurrentDocumentsShareNewTerms adds documents with the same new words at
// once: no transaction fails.
func TestConcurrentDocumentsShareNewTerms(t *testing.T) {
	const writers = 12
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for round := range apptest.Rounds(30, 100) {
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
