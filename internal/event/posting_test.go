package event

import (
	"fmt"
	"sync"
	"testing"

	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
)

// TestNewWordsAreNamedTogether posts events at once with words that nobody has
// used before: each word gets its one name, and nobody is refused.
func TestNewWordsAreNamedTogether(t *testing.T) {
	const writers, rounds = 12, 100
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for round := range int64(rounds) {
			var p postings
			for n := range 10 {
				p.terms = append(p.terms, fmt.Sprintf("w:new%d-%d", round, n))
			}
			begin := make(chan struct{})
			var all sync.WaitGroup
			for writer := range int64(writers) {
				all.Go(func() {
					<-begin
					err := d.InTx(t.Context(), func(tx db.Tx) error { return p.add(t.Context(), tx, round*writers+writer) })
					if err != nil {
						t.Error(err)
					}
				})
			}
			close(begin)
			all.Wait()
		}
	})
}
