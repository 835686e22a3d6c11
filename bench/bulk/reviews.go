package bulk

import (
	"context"
	"iter"

	"moothall/bench/dataset"
	"moothall/internal/platform/db"
)

// insertReviews inserts reviews of events that have none yet, and their totals. The reviews of one
// event must be adjacent.
func insertReviews(ctx context.Context, d *db.DB, all []dataset.Review) error {
	reviews := []string{"event_id", "author_id", "id", "rating", "body", "created_at", "updated_at"}
	_, err := d.Bulk(ctx, "reviews", reviews, rowsOf(all, func(r dataset.Review) []any {
		return []any{r.EventID, r.AuthorID, r.ID, r.Rating, r.Body, r.CreatedAt, r.CreatedAt}
	}))
	if err != nil {
		return err
	}
	_, err = d.Bulk(ctx, "review_totals", []string{"event_id", "n", "stars"}, totalRows(all))
	return err
}

func totalRows(all []dataset.Review) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for from := 0; from < len(all); {
			to, stars := from, 0
			for ; to < len(all) && all[to].EventID == all[from].EventID; to++ {
				stars += all[to].Rating
			}
			if !yield([]any{all[from].EventID, to - from, stars}) {
				return
			}
			from = to
		}
	}
}
