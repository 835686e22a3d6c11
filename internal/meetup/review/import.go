package review

import (
	"context"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Imported is a review to be seeded.
type Imported struct {
	ID       domain.ReviewID
	EventID  domain.EventID
	AuthorID domain.UserID
	Rating   int
	Body     *string
	At       time.Time
}

// Import stores reviews of events that have none yet, and their totals. The
// reviews of one event must be adjacent.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	reviews := []string{"event_id", "author_id", "id", "rating", "body", "created_at", "updated_at"}
	if _, err := d.Bulk(ctx, "reviews", reviews, reviewRows(all)); err != nil {
		return err
	}
	_, err := d.Bulk(ctx, "review_totals", []string{"event_id", "n", "stars"}, totalRows(all))
	return err
}

func reviewRows(all []Imported) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, r := range all {
			if !yield([]any{r.EventID, r.AuthorID, r.ID, r.Rating, r.Body, r.At, r.At}) {
				return
			}
		}
	}
}

func totalRows(all []Imported) iter.Seq[[]any] {
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
