package payment

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// refundSQL marks paid intents as due for refund since $1, the current time, and cancels those that can still be paid. Money that arrives
// for a canceled intent is due for refund, too (Intent.withStatus).
const refundSQL = `
	UPDATE payment_intents SET status = CASE status WHEN 'succeeded' THEN 'refund_due' ELSE 'canceled' END, updated_at = $1,
		refund_due_at = CASE status WHEN 'succeeded' THEN CAST($1 AS BIGINT) END,
		canceled_at = CASE status WHEN 'pending' THEN CAST($1 AS BIGINT) END
	WHERE (status = 'succeeded' OR status = 'pending' AND expires_at > $1) AND `

var (
	refundGuestStmt = db.SQL("payment.refund_guest", refundSQL+`event_id = $2 AND user_id = $3 RETURNING status = 'refund_due'`)

	refundEventStmt = db.SQL("payment.refund_event", refundSQL+`event_id = $2`)

	refundBlockedStmt = db.SQL("payment.refund_blocked", refundSQL+`user_id IN ($2, $3) AND EXISTS (
		SELECT 1 FROM events e WHERE e.id = payment_intents.event_id AND e.organizer_id IN ($2, $3) AND e.over_at > $1)`)

	refundsStmt = db.SQL("payment.refunds", `
		SELECT `+intentColumns+` FROM payment_intents WHERE refund_due_at IS NOT NULL ORDER BY refund_due_at, id`)
)

// RefundGuest makes the refund of a user's payment for an event due, and reports whether they have paid. The caller has locked or
// shared the account of the user, so that no payment begins at the same time.
func RefundGuest(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID, now time.Time) (due bool, err error) {
	_, err = tx.One(ctx, refundGuestStmt, now, id, user).Find(&due)
	return due, err
}

// RefundEvent makes the refunds due of all payments for a canceled event, which is locked.
func RefundEvent(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) {
	tx.Queue(ctx, refundEventStmt, now, id)
}

// OnBlock makes the refunds due for payments of each of two users for events of the other that are not over.
func OnBlock(ctx context.Context, tx db.Tx, now time.Time, blocker, blocked domain.UserID) error {
	tx.Queue(ctx, refundBlockedStmt, now, blocker, blocked)
	return nil
}

// RefundsDue returns the payments that must be refunded, the oldest first.
func RefundsDue(ctx context.Context, q db.Querier) ([]Intent, error) {
	return db.All(ctx, q, scanIntent, refundsStmt)
}
