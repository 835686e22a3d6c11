package event

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
)

// recountAtOnce keeps the reads and writes of a recount short.
const recountAtOnce = 200

// A term that 100,000 events have is common enough for any plan.
var countStmt = db.SQL("event.count_terms", `
	SELECT t.id, t.df, (SELECT COUNT(*) FROM (SELECT 1 AS one FROM event_terms p WHERE p.term_id = t.id LIMIT 100000) AS counted)
	FROM terms t WHERE t.id > $1 ORDER BY t.id LIMIT $2`)

var recountStmt = db.SQL("event.recount_term", `UPDATE terms SET df = $2 WHERE id = $1`)

// recountEvery is how old the estimate of a term may become.
const recountEvery = 10 * time.Minute

// termCount is how common a term was taken to be, and is.
type termCount struct{ id, df, found int64 }

// RecountTerms counts anew how common every term is.
func (s *Service) RecountTerms(ctx context.Context) error {
	scan := func(row db.Row, c *termCount) error { return row.Scan(&c.id, &c.df, &c.found) }
	for last := int64(-1); ; {
		counts, err := db.All(ctx, s.DB, scan, countStmt, last, recountAtOnce)
		if err != nil || len(counts) == 0 {
			return err
		}
		if err := s.storeCounts(ctx, counts); err != nil {
			return fmt.Errorf("event.recount: %w", err)
		}
		last = counts[len(counts)-1].id
	}
}

func (s *Service) storeCounts(ctx context.Context, counts []termCount) error {
	return s.DB.InTx(ctx, func(tx db.Tx) error {
		for _, c := range counts {
			if c.df == c.found {
				continue
			}
			if _, err := tx.Exec(ctx, recountStmt, c.id, c.found); err != nil {
				return err
			}
		}
		return nil
	})
}
