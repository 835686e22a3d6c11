package event

import (
	"context"
	"errors"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const eventColumns = `id, organizer_id, status, visibility, listed, title, description, category, starts_at, ends_at, starts_key,
	timezone, date_mode, selected_date_option_id, price, price_amount, price_currency, capacity, city, location_text,
	lat, lng, image_url, image_alt, conference_url, created_at, updated_at, published_at, canceled_at`

func (e *Event) columns() []any {
	return []any{&e.ID, &e.OrganizerID, &e.Status, &e.Visibility, &e.Listed, &e.Title, &e.Description, &e.Category, &e.StartsAt, &e.EndsAt, &e.StartsKey,
		&e.Timezone, &e.DateMode, &e.SelectedDateOptionID, &e.Price, &e.PriceAmount, &e.PriceCurrency, &e.Capacity, &e.City, &e.LocationText,
		&e.Lat, &e.Lng, &e.ImageURL, &e.ImageAlt, &e.ConferenceURL, &e.CreatedAt, &e.UpdatedAt, &e.PublishedAt, &e.CanceledAt}
}

// lockSQL locks the row until the transaction ends, so that changes to one event happen
// one after the other.
var lockSQL = `SELECT ` + eventColumns + `, ` + access.HasWebhookSQL("organizer_id") + `, swept FROM events WHERE id = $1`

var (
	lockStmt    = db.SQL("event.lock", lockSQL+` FOR UPDATE`)
	lockOwnStmt = db.SQL("event.lock_own", lockSQL+` AND organizer_id = $2 FOR UPDATE`)
	ownStmt     = db.SQL("event.own", lockSQL+` AND organizer_id = $2`)
)

// lock locks and returns one event with its effective status.
func lock(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (Event, error) {
	return locked(tx.One(ctx, lockStmt, id), now)
}

// lockOwn is lock for the operations that only the organizer may know of (see
// access.OwnEvent). It returns domain.NotFound to everybody else.
func lockOwn(ctx context.Context, tx db.Tx, v domain.Viewer, id domain.EventID, now time.Time) (Event, error) {
	return locked(tx.One(ctx, lockOwnStmt, id, v.UserID), now)
}

// locked reads a row of lockSQL. A swept event is over, even if the caller's clock is
// behind: its participants were notified of the end.
func locked(row db.Row, now time.Time) (Event, error) {
	var e Event
	var swept bool
	if err := row.ScanOr(domain.NotFound, append(e.columns(), &e.hasWebhook, &swept)...); err != nil {
		return Event{}, err
	}
	if swept && e.Status == access.Published {
		e.Status = access.Completed
	}
	e.Status = access.EffectiveStatus(e.Status, e.OverAt(), now)
	return e, nil
}

// all returns the events that a statement reads with eventColumns.
func all(ctx context.Context, q db.Querier, stmt *db.Stmt, args ...any) ([]Event, error) {
	scan := func(row db.Row, e *Event) error { return row.Scan(e.columns()...) }
	return db.All(ctx, q, scan, stmt, args...)
}

var insertStmt = db.SQL("event.insert", `
	INSERT INTO events (`+eventColumns+`, over_at, swept, sequence)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, FALSE, 0)`)

// insert queues a new event. It violates a unique constraint if the key is not free.
func insert(ctx context.Context, tx db.Tx, e Event) {
	tx.Queue(ctx, insertStmt, append(values(&e), e.OverAt())...)
}

func values(e *Event) []any {
	return []any{e.ID, e.OrganizerID, e.Status, e.Visibility, e.Listed, e.Title, e.Description, e.Category, e.StartsAt, e.EndsAt, e.StartsKey,
		e.Timezone, e.DateMode, e.SelectedDateOptionID, e.Price, e.PriceAmount, e.PriceCurrency, e.Capacity, e.City, e.LocationText,
		e.Lat, e.Lng, e.ImageURL, e.ImageAlt, e.ConferenceURL, e.CreatedAt, e.UpdatedAt, e.PublishedAt, e.CanceledAt}
}

// withFreeKey tries random keys until write finds a free one. Two events of one
// second collide with a probability of one in a billion. An event that has a key
// keeps its tie-breaker if possible, because feed cursors identify events by it.
func withFreeKey(e *Event, write func() (int64, error)) error {
	tie := tieOf(e.StartsKey)
	for range 10 {
		if tie == 0 {
			tie = randomTie()
		}
		e.StartsKey = newKey(e.StartsAt, tie)
		tie = 0
		n, err := write()
		if err != nil {
			return err
		}
		if n == 1 {
			return nil
		}
	}
	return errors.New("event: no free key in this second")
}

var updateStmt = db.SQL("event.update", `
	UPDATE events SET status = $2, visibility = $3, listed = $4, title = $5, description = $6, category = $7, starts_at = $8, ends_at = $9, starts_key = $10,
		timezone = $11, date_mode = $12, selected_date_option_id = $13, price = $14, price_amount = $15, price_currency = $16, capacity = $17,
		city = $18, location_text = $19, lat = $20, lng = $21, image_url = $22, image_alt = $23, conference_url = $24,
		updated_at = $25, published_at = $26, canceled_at = $27, over_at = $28, sequence = sequence + $29
	WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM events o WHERE o.starts_key = $10 AND o.id <> $1)`)

// update stores a changed event. If participants are notified of the change, the
// iCalendar SEQUENCE increases. An event that starts at another second gets a new
// key.
func update(ctx context.Context, tx db.Tx, e *Event, notifies bool) error {
	tx.Changed(Content.Of(e.ID))
	step := 0
	if notifies {
		step = 1
	}
	args := func() []any {
		return []any{e.ID, e.Status, e.Visibility, e.Listed, e.Title, e.Description, e.Category, e.StartsAt, e.EndsAt, e.StartsKey,
			e.Timezone, e.DateMode, e.SelectedDateOptionID, e.Price, e.PriceAmount, e.PriceCurrency, e.Capacity,
			e.City, e.LocationText, e.Lat, e.Lng, e.ImageURL, e.ImageAlt, e.ConferenceURL,
			e.UpdatedAt, e.PublishedAt, e.CanceledAt, e.OverAt(), step}
	}
	if KeyTime(e.StartsKey).Truncate(time.Second).Equal(e.StartsAt) {
		tx.Queue(ctx, updateStmt, args()...)
		return nil
	}
	return withFreeKey(e, func() (int64, error) { return tx.Exec(ctx, updateStmt, args()...) })
}
