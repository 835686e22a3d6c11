package relation

import (
	"context"

	"moothall/internal/platform/db"
)

// Import stores new follows, for seeding.
func Import(ctx context.Context, d *db.DB, follows []Follow) error {
	rows := func(yield func([]any) bool) {
		for _, f := range follows {
			if !yield([]any{f.Follower, f.Followed, f.At}) {
				return
			}
		}
	}
	_, err := d.Bulk(ctx, "follows", []string{"follower_id", "followed_id", "created_at"}, rows)
	return err
}
