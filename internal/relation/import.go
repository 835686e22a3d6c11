package relation

import (
	"context"
	"fmt"

	"moothall/internal/platform/db"
)

// Import stores follows that do not stand yet, for seeding.
func Import(ctx context.Context, d *db.DB, follows []Follow) error {
	rows := func(yield func([]any) bool) {
		for _, f := range follows {
			if !yield([]any{f.Follower, f.Followed, f.At}) {
				return
			}
		}
	}
	if _, err := d.Bulk(ctx, "follows", []string{"follower_id", "followed_id", "created_at"}, rows); err != nil {
		return fmt.Errorf("relation.import: %w", err)
	}
	return nil
}
