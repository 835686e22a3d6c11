package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is what somebody has set for their feed.
type exported struct {
	City            *string    `json:"city"`
	Lat             *float64   `json:"lat"`
	Lng             *float64   `json:"lng"`
	RadiusKm        *float64   `json:"radius_km"`
	Categories      []string   `json:"categories"`
	MutedCategories []string   `json:"muted_categories"`
	Price           string     `json:"price"`
	IncludeFollowed bool       `json:"include_followed"`
	UpdatedAt       *time.Time `json:"updated_at"`
}

// Export gives a person's feed preferences; nil of somebody who is not there.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	p, _, err := preferences(ctx, q, user)
	if errors.Is(err, domain.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return exported{p.City, p.Lat, p.Lng, p.RadiusKm, p.Categories, p.MutedCategories, p.Price, p.IncludeFollowed, p.UpdatedAt}, nil
}

var forgetStmt = db.SQL("feed.forget", `DELETE FROM feed_preferences WHERE user_id = $1`)

// Erase removes a person's feed preferences.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	if _, err := tx.Exec(ctx, forgetStmt, user); err != nil {
		return fmt.Errorf("feed.forget %s: %w", user, err)
	}
	return nil
}
