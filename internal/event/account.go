package event

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is an event as its organizer wrote it.
type exported struct {
	ID            domain.EventID    `json:"id"`
	Status        access.Status     `json:"status"`
	Visibility    access.Visibility `json:"visibility"`
	Title         string            `json:"title"`
	Description   *string           `json:"description"`
	Category      *string           `json:"category"`
	StartsAt      time.Time         `json:"starts_at"`
	EndsAt        *time.Time        `json:"ends_at"`
	Timezone      string            `json:"timezone"`
	Capacity      *int64            `json:"capacity"`
	PriceAmount   *int64            `json:"price_amount"`
	PriceCurrency *string           `json:"price_currency"`
	City          *string           `json:"city"`
	LocationText  *string           `json:"location_text"`
	Lat           *float64          `json:"lat"`
	Lng           *float64          `json:"lng"`
	ImageURL      *string           `json:"image_url"`
	ConferenceURL *string           `json:"conference_url"`
	CreatedAt     time.Time         `json:"created_at"`
	UpdatedAt     time.Time         `json:"updated_at"`
	PublishedAt   *time.Time        `json:"published_at"`
	CanceledAt    *time.Time        `json:"canceled_at"`
}

var exportStmt = db.SQL("event.export", `SELECT `+eventColumns+` FROM events WHERE organizer_id = $1 ORDER BY starts_key`)

// Export gives the events that the user organizes, drafts included.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	all, err := db.All(ctx, q, func(row db.Row, x *exported) error {
		var e Event
		err := row.Scan(e.columns()...)
		*x = exported{
			ID: e.ID, Status: e.Status, Visibility: e.Visibility, Title: e.Title, Description: e.Description, Category: e.Category,
			StartsAt: e.StartsAt, EndsAt: e.EndsAt, Timezone: e.Timezone, Capacity: e.Capacity, PriceAmount: e.PriceAmount, PriceCurrency: e.PriceCurrency,
			City: e.City, LocationText: e.LocationText, Lat: e.Lat, Lng: e.Lng, ImageURL: e.ImageURL, ConferenceURL: e.ConferenceURL,
			CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt, PublishedAt: e.PublishedAt, CanceledAt: e.CanceledAt,
		}
		return err
	}, exportStmt, user)
	return append([]exported{}, all...), err
}

// A draft was for nobody else yet: of it nothing stays that could be read.
var blankDraftsStmt = db.SQL("event.blank_drafts", `
	UPDATE events SET visibility = 'private', title = '-', description = NULL, category = NULL, city = NULL, location_text = NULL,
		lat = NULL, lng = NULL, image_url = NULL, conference_url = NULL
	WHERE organizer_id = $1 AND status = 'draft'`)

// aheadStmt holds all drafts too, whenever they were to be: one may be about
// to be published, and a record of the past is only what was published.
var aheadStmt = db.SQL("event.ahead_of", `
	SELECT `+eventColumns+` FROM events
	WHERE organizer_id = $1 AND (status = 'draft' OR status = 'published' AND over_at > $2) ORDER BY starts_key FOR UPDATE`)

// Erase calls off what an organizer who deletes their account still had
// ahead, and drafts, which it blanks. Events that are over stay, with nobody as
// organizer.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	if _, err := tx.Exec(ctx, blankDraftsStmt, user); err != nil {
		return fmt.Errorf("event.blank_drafts %s: %w", user, err)
	}
	scan := func(row db.Row, e *Event) error { return row.Scan(e.columns()...) }
	events, err := db.All(ctx, tx, scan, aheadStmt, user, now)
	if err != nil {
		return fmt.Errorf("event.ahead_of %s: %w", user, err)
	}
	for _, e := range events {
		if err := s.cancel(ctx, tx, e, now); err != nil {
			return err
		}
	}
	return nil
}
