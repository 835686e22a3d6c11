package payment

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const profileColumns = `user_id, status, provider, blocked_reason, verified_at, created_at, updated_at`

func (p *Profile) columns() []any {
	return []any{&p.UserID, &p.Status, &p.Provider, &p.BlockedReason, &p.VerifiedAt, &p.CreatedAt, &p.UpdatedAt}
}

var profileStmt = db.SQL("payment.profile", `SELECT `+profileColumns+` FROM payment_profiles WHERE user_id = $1`)

// findProfile returns a profile. It returns domain.NotFound if there is none yet.
func findProfile(ctx context.Context, q db.Querier, user domain.UserID) (p Profile, err error) {
	err = q.One(ctx, profileStmt, user).ScanOr(domain.NotFound, p.columns()...)
	return p, err
}

var insertProfileStmt = db.SQL("payment.insert_profile", `
	INSERT INTO payment_profiles (user_id, status, provider, created_at, updated_at)
	SELECT user_id, 'unverified', $2, $3, $3 FROM profiles WHERE user_id = $1
	ON CONFLICT (user_id) DO NOTHING`)

var lockProfileStmt = db.SQL("payment.lock_profile", `SELECT `+profileColumns+` FROM payment_profiles WHERE user_id = $1 FOR UPDATE`)

// lockProfile locks a profile and creates it if there is none. It returns
// domain.NotFound if the account does not exist.
func lockProfile(ctx context.Context, tx db.Tx, user domain.UserID, provider string, now time.Time) (p Profile, err error) {
	tx.Queue(ctx, insertProfileStmt, user, provider, now)
	err = tx.One(ctx, lockProfileStmt, user).ScanOr(domain.NotFound, p.columns()...)
	return p, err
}

var saveProfileStmt = db.SQL("payment.save_profile", `
	UPDATE payment_profiles SET status = $2, blocked_reason = $3, verified_at = $4, updated_at = $5 WHERE user_id = $1`)

func saveProfile(ctx context.Context, tx db.Tx, p Profile) {
	tx.Queue(ctx, saveProfileStmt, p.UserID, p.Status, p.BlockedReason, p.VerifiedAt, p.UpdatedAt)
}

var isVerifiedStmt = db.SQL("payment.is_verified", `SELECT EXISTS (SELECT 1 FROM payment_profiles WHERE user_id = $1
	AND status = 'verified')`)

const intentColumns = `id, event_id, user_id, provider, provider_payment_id, status, amount, currency, checkout_url,
	expires_at, paid_at, canceled_at, refund_due_at, created_at, updated_at`

func (i *Intent) columns() []any {
	return []any{&i.ID, &i.EventID, &i.UserID, &i.Provider, &i.ProviderPaymentID, &i.Status, &i.Amount, &i.Currency, &i.CheckoutURL,
		&i.ExpiresAt, &i.PaidAt, &i.CanceledAt, &i.RefundDueAt, &i.CreatedAt, &i.UpdatedAt}
}

func scanIntent(row db.Row, i *Intent) error { return row.Scan(i.columns()...) }

// heldSQL is true if seats of the events row e are held for the payer $2 at the time $3.
const heldSQL = `EXISTS (SELECT 1 FROM seat_holds h WHERE h.event_id = e.id AND h.user_id = $2 AND h.until > $3)`

// lockPriceStmt locks the event: a concurrent change of the price waits and then
// finds the intent.
var lockPriceStmt = db.SQL("payment.lock_price", `
	SELECT e.price_amount, e.price_currency,
		e.capacity IS NOT NULL AND `+access.UsedSeats+` >= e.capacity
			AND NOT `+heldSQL+`, `+access.Removed("e", "$2")+`,
		e.join_policy = 'approval' AND NOT `+heldSQL+` AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = e.id AND i.user_id = $2)
	FROM events e WHERE e.id = $1 FOR SHARE`)

func lockPrice(ctx context.Context, tx db.Tx, r request) (c checkout, err error) {
	var amount *int64
	var currency *string
	err = tx.One(ctx, lockPriceStmt, r.event, r.viewer.UserID, r.now).ScanOr(domain.NotFound, &amount, &currency, &c.full, &c.removed,
		&c.unapproved)
	if err == nil && amount != nil && currency != nil {
		c.price = price{*amount, *currency}
	}
	return c, err
}

var activeStmt = db.SQL("payment.active", `
	SELECT `+intentColumns+` FROM payment_intents WHERE event_id = $1 AND user_id = $2 AND status IN ('pending', 'succeeded')`)

// findActive returns the intent that can still be paid or is paid.
func findActive(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, now time.Time) (i Intent, found bool, err error) {
	found, err = tx.One(ctx, activeStmt, event, user).Find(i.columns()...)
	i = i.at(now)
	return i, found && i.Status != Expired, err
}

var expireStmt = db.SQL("payment.expire", `
	UPDATE payment_intents SET status = 'expired', updated_at = expires_at
	WHERE event_id = $1 AND user_id = $2 AND status = 'pending' AND expires_at <= $3`)

var insertStmt = db.SQL("payment.insert", `
	INSERT INTO payment_intents (`+intentColumns+`)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
	ON CONFLICT (event_id, user_id) WHERE status IN ('pending', 'succeeded') DO NOTHING`)

// store inserts an intent. If a concurrent request has inserted one for the same
// payer and event, store returns that one.
func store(ctx context.Context, tx db.Tx, i Intent, now time.Time) (Intent, error) {
	tx.Queue(ctx, expireStmt, i.EventID, *i.UserID, now)
	n, err := tx.Exec(ctx, insertStmt, i.ID, i.EventID, i.UserID, i.Provider, i.ProviderPaymentID, i.Status, i.Amount, i.Currency,
		i.CheckoutURL,
		i.ExpiresAt, i.PaidAt, i.CanceledAt, i.RefundDueAt, i.CreatedAt, i.UpdatedAt)
	if err != nil || n == 1 {
		return i, err
	}
	other, found, err := findActive(ctx, tx, i.EventID, *i.UserID, now)
	if err == nil && !found {
		err = domain.Conflict
	}
	return other, err
}

var ownIntentStmt = db.SQL("payment.own_intent", `SELECT `+intentColumns+` FROM payment_intents WHERE id = $1 AND user_id = $2`)

func ownIntent(ctx context.Context, q db.Querier, id domain.PaymentID, user domain.UserID) (i Intent, err error) {
	err = q.One(ctx, ownIntentStmt, id, user).ScanOr(domain.NotFound, i.columns()...)
	return i, err
}

var lockIntentStmt = db.SQL("payment.lock_intent", `
	SELECT `+intentColumns+` FROM payment_intents WHERE provider = $1 AND provider_payment_id = $2 FOR UPDATE`)

func lockIntent(ctx context.Context, tx db.Tx, provider, paymentID string) (i Intent, err error) {
	err = tx.One(ctx, lockIntentStmt, provider, paymentID).ScanOr(domain.NotFound, i.columns()...)
	return i, err
}

var saveIntentStmt = db.SQL("payment.save_intent", `
	UPDATE payment_intents SET status = $2, paid_at = $3, canceled_at = $4, refund_due_at = $5, updated_at = $6 WHERE id = $1`)

func saveIntent(ctx context.Context, tx db.Tx, i Intent) {
	tx.Queue(ctx, saveIntentStmt, i.ID, i.Status, i.PaidAt, i.CanceledAt, i.RefundDueAt, i.UpdatedAt)
}

var hasIntentsStmt = db.SQL("payment.has_intents", `SELECT EXISTS (SELECT 1 FROM payment_intents WHERE event_id = $1)`)

var paidStmt = db.SQL("payment.paid", `
	SELECT EXISTS (SELECT 1 FROM payment_intents WHERE event_id = $1 AND user_id = $2 AND status = 'succeeded')
		OR EXISTS (SELECT 1 FROM events e WHERE e.id = $1 AND `+access.HostsSQL("e", "$2")+`)`)

var organizerStmt = db.SQL("payment.organizer", `SELECT organizer_id FROM events WHERE id = $1`)
