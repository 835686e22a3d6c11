// Package eventtest stores many events at once, for tests and the benchmark.
package eventtest

import (
	"context"
	"iter"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
)

// Insert stores events and their postings. Nothing else may write to the database meanwhile.
//
// The caller chooses ids, states and keys: StartsKey is StartsAt in nanoseconds plus a unique
// tie-breaker. Events that are over at the time now are stored as swept. Large batches are
// fastest; 10,000 events need some 20 MB.
func Insert(ctx context.Context, d *db.DB, now time.Time, events []event.Event) error {
	var documents []*postings.Document
	for i := range events {
		e := &events[i]
		if e.Listed = e.Status == access.Published && e.Visibility == access.Public && now.Before(e.OverAt()); e.Listed {
			documents = append(documents, e.Document())
		}
	}
	columns := []string{
		"id", "code", "organizer_id", "status", "visibility", "listed", "title", "description", "category", "starts_at", "ends_at", "starts_key",
		"timezone", "date_mode", "price", "price_amount", "price_currency", "capacity", "city", "location_text", "lat", "lng",
		"created_at", "updated_at", "published_at", "canceled_at", "over_at", "swept", "sequence",
	}
	if _, err := d.Bulk(ctx, "events", columns, rows(events, now)); err != nil {
		return err
	}
	return insertPostings(ctx, d, documents)
}

func rows(events []event.Event, now time.Time) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i := range events {
			e := &events[i]
			if !yield([]any{
				e.ID, address.NewCode(), e.OrganizerID, e.Status, e.Visibility, e.Listed, e.Title, e.Description, e.Category, e.StartsAt,
				e.EndsAt, e.StartsKey, e.Timezone, e.DateMode, e.Price, e.PriceAmount, e.PriceCurrency, e.Capacity, e.City,
				e.LocationText, e.Lat, e.Lng,
				e.CreatedAt, e.UpdatedAt, e.PublishedAt, e.CanceledAt, e.OverAt(), !now.Before(e.OverAt()), 0,
			}) {
				return
			}
		}
	}
}
