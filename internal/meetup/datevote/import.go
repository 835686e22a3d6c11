package datevote

import (
	"context"
	"iter"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Imported is a date option to be seeded.
type Imported struct {
	ID       domain.DateOptionID
	EventID  domain.EventID
	StartsAt time.Time // whole seconds
	EndsAt   *time.Time
	At       time.Time
}

// Import stores date options of events that have none yet.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	_, err := d.Bulk(ctx, "date_options", []string{"event_id", "id", "starts_at", "ends_at", "note", "created_at"}, optionRows(all))
	return err
}

func optionRows(all []Imported) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, o := range all {
			if !yield([]any{o.EventID, o.ID, o.StartsAt, o.EndsAt, nil, o.At}) {
				return
			}
		}
	}
}
