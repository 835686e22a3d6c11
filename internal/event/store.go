package event

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const eventColumns = `id, organizer_id, status, visibility, listed, title, description, category, starts_at, ends_at, starts_key,
	timezone, date_mode, selected_date_option_id, price, price_amount, price_currency, capacity, city, location_text,
	lat, lng, image_url, conference_url, created_at, updated_at, published_at, canceled_at`

func (e *Event) columns() []any {
	return []any{&e.ID, &e.OrganizerID, &e.Status, &e.Visibility, &e.Listed, &e.Title, &e.Description, &e.Category, &e.StartsAt, &e.EndsAt, &e.StartsKey,
		&e.Timezone, &e.DateMode, &e.SelectedDateOptionID, &e.Price, &e.PriceAmount, &e.PriceCurrency, &e.Capacity, &e.City, &e.LocationText,
		&e.Lat, &e.Lng, &e.ImageURL, &e.ConferenceURL, &e.CreatedAt, &e.UpdatedAt, &e.PublishedAt, &e.CanceledAt}
}

// lockStmt holds the row until the transaction ends: changes to one event
// happen one after the other.
var lockStmt = db.SQL("event.lock", `SELECT `+eventColumns+`, swept FROM events WHERE id = $1 FOR UPDATE`)

// lock reads one event for a change. Its Status is the stored one, and
// Completed once the event was swept: whatever the caller takes for now, people
// were told that it is over.
func lock(ctx context.Context, tx db.Tx, id domain.EventID) (Event, error) {
	var e Event
	var swept bool
	if err := tx.One(ctx, lockStmt, id).Scan(append(e.columns(), &swept)...); err != nil {
		return Event{}, fmt.Errorf("event.lock %s: %w", id, err)
	}
	if swept && e.Status == access.Published {
		e.Status = access.Completed
	}
	return e, nil
}

var insertStmt = db.SQL("event.insert", `
	INSERT INTO events (`+eventColumns+`, over_at, swept, sequence)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, FALSE, 0)
	ON CONFLICT (starts_key) DO NOTHING`, db.Key{Table: "events", Param: 1})

// insert stores a new event under a key of its own.
func insert(ctx context.Context, tx db.Tx, e *Event) error {
	return underNewKey(e, func() (int64, error) {
		return tx.Exec(ctx, insertStmt, append(values(e), e.OverAt())...)
	})
}

func values(e *Event) []any {
	return []any{e.ID, e.OrganizerID, e.Status, e.Visibility, e.Listed, e.Title, e.Description, e.Category, e.StartsAt, e.EndsAt, e.StartsKey,
		e.Timezone, e.DateMode, e.SelectedDateOptionID, e.Price, e.PriceAmount, e.PriceCurrency, e.Capacity, e.City, e.LocationText,
		e.Lat, e.Lng, e.ImageURL, e.ConferenceURL, e.CreatedAt, e.UpdatedAt, e.PublishedAt, e.CanceledAt}
}

// underNewKey draws keys until the write finds one free. Two events of one
// second meet with a chance of one in a billion. The tie-breaker of an event
// that has a key stays if it can: by it a feed knows the event.
func underNewKey(e *Event, write func() (int64, error)) error {
	tie := tieOf(e.StartsKey)
	for range 10 {
		if tie == 0 {
			tie = newTie()
		}
		e.StartsKey = keyOf(e.StartsAt, tie)
		tie = 0
		n, err := write()
		if err != nil {
			return fmt.Errorf("event.write %s: %w", e.ID, err)
		}
		if n == 1 {
			return nil
		}
	}
	return errors.New("event.write: no free key in this second")
}

var updateStmt = db.SQL("event.update", `
	UPDATE events SET status = $2, visibility = $3, listed = $4, title = $5, description = $6, category = $7, starts_at = $8, ends_at = $9, starts_key = $10,
		timezone = $11, date_mode = $12, selected_date_option_id = $13, price = $14, price_amount = $15, price_currency = $16, capacity = $17,
		city = $18, location_text = $19, lat = $20, lng = $21, image_url = $22, conference_url = $23,
		updated_at = $24, published_at = $25, canceled_at = $26, over_at = $27, sequence = sequence + $28
	WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM events o WHERE o.starts_key = $10 AND o.id <> $1)`, db.Key{Table: "events", Param: 1})

// update stores a changed event. A change that people are told of raises the
// iCalendar SEQUENCE; an event that begins at another second gets a new key.
func update(ctx context.Context, tx db.Tx, e *Event, telling bool) error {
	step := 0
	if telling {
		step = 1
	}
	write := func() (int64, error) {
		return tx.Exec(ctx, updateStmt, e.ID, e.Status, e.Visibility, e.Listed, e.Title, e.Description, e.Category, e.StartsAt, e.EndsAt, e.StartsKey,
			e.Timezone, e.DateMode, e.SelectedDateOptionID, e.Price, e.PriceAmount, e.PriceCurrency, e.Capacity,
			e.City, e.LocationText, e.Lat, e.Lng, e.ImageURL, e.ConferenceURL,
			e.UpdatedAt, e.PublishedAt, e.CanceledAt, e.OverAt(), step)
	}
	if keyTime(e.StartsKey).Truncate(time.Second).Equal(e.StartsAt) {
		_, err := write()
		if err != nil {
			return fmt.Errorf("event.update %s: %w", e.ID, err)
		}
		return nil
	}
	return underNewKey(e, write)
}
