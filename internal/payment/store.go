package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const profileColumns = `user_id, status, provider, blocked_reason, verified_at, created_at, updated_at`

func (p *Profile) columns() []any {
	return []any{&p.UserID, &p.Status, &p.Provider, &p.BlockedReason, &p.VerifiedAt, &p.CreatedAt, &p.UpdatedAt}
}

var profileStmt = db.SQL("payment.profile", `SELECT `+profileColumns+` FROM payment_profiles WHERE user_id = $1`)

// findProfile gives a profile; domain.NotFound when there is none as yet.
func findProfile(ctx context.Context, q db.Querier, user domain.UserID) (p Profile, err error) {
	return p, found(q.One(ctx, profileStmt, user).Scan(p.columns()...), "payment.profile", user)
}

// found makes domain.NotFound of no row.
func found(err error, operation string, key fmt.Stringer) error {
	if errors.Is(err, db.ErrNoRow) {
		return domain.NotFound
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", operation, key, err)
	}
	return nil
}

var makeProfileStmt = db.SQL("payment.make_profile", `
	INSERT INTO payment_profiles (user_id, status, provider, created_at, updated_at)
	SELECT user_id, 'unverified', $2, $3, $3 FROM profiles WHERE user_id = $1
	ON CONFLICT (user_id) DO NOTHING`)

var lockProfileStmt = db.SQL("payment.lock_profile", `SELECT `+profileColumns+` FROM payment_profiles WHERE user_id = $1 FOR UPDATE`)

// lockProfile gives a profile for a change, made now when there is none;
// domain.NotFound when there is no such account.
func lockProfile(ctx context.Context, tx db.Tx, user domain.UserID, provider string, now time.Time) (p Profile, err error) {
	if _, err := tx.Exec(ctx, makeProfileStmt, user, provider, now); err != nil {
		return p, fmt.Errorf("payment.make_profile %s: %w", user, err)
	}
	return p, found(tx.One(ctx, lockProfileStmt, user).Scan(p.columns()...), "payment.lock_profile", user)
}

var saveProfileStmt = db.SQL("payment.save_profile", `
	UPDATE payment_profiles SET status = $2, blocked_reason = $3, verified_at = $4, updated_at = $5 WHERE user_id = $1`)

func saveProfile(ctx context.Context, tx db.Tx, p Profile) error {
	if _, err := tx.Exec(ctx, saveProfileStmt, p.UserID, p.Status, p.BlockedReason, p.VerifiedAt, p.UpdatedAt); err != nil {
		return fmt.Errorf("payment.save_profile %s: %w", p.UserID, err)
	}
	return nil
}

var chargesStmt = db.SQL("payment.charges", `SELECT EXISTS (SELECT 1 FROM payment_profiles WHERE user_id = $1 AND status = 'verified')`)

func charges(ctx context.Context, q db.Querier, organizer domain.UserID) (may bool, err error) {
	if err := q.One(ctx, chargesStmt, organizer).Scan(&may); err != nil {
		return false, fmt.Errorf("payment.charges %s: %w", organizer, err)
	}
	return may, nil
}

const intentColumns = `id, event_id, user_id, provider, provider_payment_id, status, amount, currency, checkout_url,
	expires_at, paid_at, canceled_at, refund_due_at, created_at, updated_at`

func (i *Intent) columns() []any {
	return []any{&i.ID, &i.EventID, &i.UserID, &i.Provider, &i.ProviderPaymentID, &i.Status, &i.Amount, &i.Currency, &i.CheckoutURL,
		&i.ExpiresAt, &i.PaidAt, &i.CanceledAt, &i.RefundDueAt, &i.CreatedAt, &i.UpdatedAt}
}

func scanIntent(row db.Row, i *Intent) error { return row.Scan(i.columns()...) }

// holdPriceStmt keeps the event's row: a change of the price waits, and then
// finds the intent.
var holdPriceStmt = db.SQL("payment.hold_price", `
	SELECT e.price_amount, e.price_currency,
		e.capacity IS NOT NULL AND (SELECT COALESCE(SUM(s.n), 0) FROM event_slots s WHERE s.event_id = e.id) >= e.capacity
	FROM events e WHERE e.id = $1 FOR SHARE`)

func holdPrice(ctx context.Context, tx db.Tx, id domain.EventID) (p price, full bool, err error) {
	var amount *int64
	var currency *string
	err = found(tx.One(ctx, holdPriceStmt, id).Scan(&amount, &currency, &full), "payment.hold_price", id)
	if err == nil && amount != nil && currency != nil {
		p = price{*amount, *currency}
	}
	return p, full, err
}

var liveStmt = db.SQL("payment.live", `
	SELECT `+intentColumns+` FROM payment_intents WHERE event_id = $1 AND user_id = $2 AND status IN ('pending', 'succeeded')`)

// live gives the payment that still can be made, or has been made; found is
// false when there is neither.
func live(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, now time.Time) (i Intent, found bool, err error) {
	err = tx.One(ctx, liveStmt, event, user).Scan(i.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return Intent{}, false, nil
	}
	if err != nil {
		return Intent{}, false, fmt.Errorf("payment.live %s: %w", event, err)
	}
	i = i.at(now)
	return i, i.Status != Expired, nil
}

var expireStmt = db.SQL("payment.expire", `
	UPDATE payment_intents SET status = 'expired', updated_at = expires_at
	WHERE event_id = $1 AND user_id = $2 AND status = 'pending' AND expires_at <= $3`)

var insertStmt = db.SQL("payment.insert", `
	INSERT INTO payment_intents (`+intentColumns+`)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
	ON CONFLICT (event_id, user_id) WHERE status IN ('pending', 'succeeded') DO NOTHING`)

// store keeps a new intent. When another one of the same person and event was
// faster it gives that one, whatever it has become.
func store(ctx context.Context, tx db.Tx, i Intent, now time.Time) (Intent, error) {
	if _, err := tx.Exec(ctx, expireStmt, i.EventID, *i.UserID, now); err != nil {
		return i, fmt.Errorf("payment.expire %s: %w", i.EventID, err)
	}
	n, err := tx.Exec(ctx, insertStmt, i.ID, i.EventID, i.UserID, i.Provider, i.ProviderPaymentID, i.Status, i.Amount, i.Currency, i.CheckoutURL,
		i.ExpiresAt, i.PaidAt, i.CanceledAt, i.RefundDueAt, i.CreatedAt, i.UpdatedAt)
	if err != nil {
		return i, fmt.Errorf("payment.insert %s: %w", i.EventID, err)
	}
	if n == 1 {
		return i, nil
	}
	faster, ok, err := live(ctx, tx, i.EventID, *i.UserID, now)
	if err == nil && !ok {
		err = domain.Conflict
	}
	return faster, err
}

var ownIntentStmt = db.SQL("payment.own_intent", `SELECT `+intentColumns+` FROM payment_intents WHERE id = $1 AND user_id = $2`)

func ownIntent(ctx context.Context, q db.Querier, id domain.PaymentID, user domain.UserID) (i Intent, err error) {
	return i, found(q.One(ctx, ownIntentStmt, id, user).Scan(i.columns()...), "payment.own_intent", id)
}

var lockIntentStmt = db.SQL("payment.lock_intent", `
	SELECT `+intentColumns+` FROM payment_intents WHERE provider = $1 AND provider_payment_id = $2 FOR UPDATE`)

func lockIntent(ctx context.Context, tx db.Tx, provider, paymentID string) (i Intent, err error) {
	err = tx.One(ctx, lockIntentStmt, provider, paymentID).Scan(i.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return i, domain.NotFound
	}
	if err != nil {
		return i, fmt.Errorf("payment.lock_intent: %w", err)
	}
	return i, nil
}

var saveIntentStmt = db.SQL("payment.save_intent", `
	UPDATE payment_intents SET status = $2, paid_at = $3, canceled_at = $4, refund_due_at = $5, updated_at = $6 WHERE id = $1`)

func saveIntent(ctx context.Context, tx db.Tx, i Intent) error {
	if _, err := tx.Exec(ctx, saveIntentStmt, i.ID, i.Status, i.PaidAt, i.CanceledAt, i.RefundDueAt, i.UpdatedAt); err != nil {
		return fmt.Errorf("payment.save_intent %s: %w", i.ID, err)
	}
	return nil
}

var hasIntentsStmt = db.SQL("payment.has_intents", `SELECT EXISTS (SELECT 1 FROM payment_intents WHERE event_id = $1)`)

var paidStmt = db.SQL("payment.paid", `
	SELECT EXISTS (SELECT 1 FROM payment_intents WHERE event_id = $1 AND user_id = $2 AND status = 'succeeded')
		OR EXISTS (SELECT 1 FROM events WHERE id = $1 AND organizer_id = $2)`)

var refundsStmt = db.SQL("payment.refunds", `
	SELECT `+intentColumns+` FROM payment_intents WHERE refund_due_at IS NOT NULL ORDER BY refund_due_at, id`)

var organizerStmt = db.SQL("payment.organizer", `SELECT organizer_id FROM events WHERE id = $1`)

// organizerOf gives who organizes an event, or did: the account may be gone.
func organizerOf(ctx context.Context, q db.Querier, id domain.EventID) (organizer domain.UserID, err error) {
	if err := q.One(ctx, organizerStmt, id).Scan(&organizer); err != nil {
		return organizer, fmt.Errorf("payment.organizer %s: %w", id, err)
	}
	return organizer, nil
}
