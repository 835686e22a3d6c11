package profile

import (
	"context"
	"fmt"
	"iter"
	"time"

	"moothall/internal/db"
	"moothall/internal/meet"
)

// Imported is an account with its profile, for seeding.
type Imported struct {
	UserID      meet.UserID
	Email       Email // counts as verified
	DisplayName string
	Username    string
	City        *string
	Interests   []string
	CreatedAt   time.Time
}

// Import stores new accounts: all the users, then all the profiles, then how
// they are found.
func Import(ctx context.Context, d *db.DB, all []Imported) error {
	users := []string{"id", "email", "email_key", "email_verified", "test_profile", "created_at"}
	_, err := d.Bulk(ctx, "users", users, rowsOf(all, func(i Imported) []any {
		return []any{i.UserID, i.Email.Address, i.Email.Key, true, false, i.CreatedAt}
	}))
	if err != nil {
		return fmt.Errorf("profile.import: %w", err)
	}
	profiles := []string{"user_id", "display_name", "username", "city", "interests", "words", "created_at", "updated_at"}
	_, err = d.Bulk(ctx, "profiles", profiles, rowsOf(all, func(i Imported) []any {
		words := listingOf(Public{DisplayName: i.DisplayName, Username: i.Username}).words
		return []any{i.UserID, i.DisplayName, i.Username, i.City, encodeInterests(i.Interests), words, i.CreatedAt, i.CreatedAt}
	}))
	if err != nil {
		return fmt.Errorf("profile.import: %w", err)
	}
	people := []string{"term", "name_key", "user_id", "shared"}
	_, err = d.Bulk(ctx, "people", people, rowsOf(peopleOf(all), func(p person) []any {
		return []any{p.term, p.nameKey, p.id, p.shared}
	}))
	if err != nil {
		return fmt.Errorf("profile.import: %w", err)
	}
	return nil
}

func rowsOf[T any](all []T, columns func(T) []any) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, i := range all {
			if !yield(columns(i)) {
				return
			}
		}
	}
}
