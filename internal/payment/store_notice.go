package payment

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
)

var noteStmt = db.SQL("payment.note", `
	INSERT INTO payment_notices (provider, provider_event_id, type, result, received_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (provider, provider_event_id) DO NOTHING`)

var notedStmt = db.SQL("payment.noted", `SELECT intent_id FROM payment_notices WHERE provider = $1 AND provider_event_id = $2`)

// note keeps a notice; fresh is false when it was received before, and the
// receipt then says so. Of those that come at once one is fresh; the others wait for it.
func (r *Receipt) note(ctx context.Context, tx db.Tx, kind string, now time.Time) (fresh bool, err error) {
	n, err := tx.Exec(ctx, noteStmt, r.Provider, r.NoticeID, kind, r.Result, now)
	if err != nil {
		return false, fmt.Errorf("payment.note: %w", err)
	}
	if n == 1 {
		return true, nil
	}
	if err := tx.One(ctx, notedStmt, r.Provider, r.NoticeID).Scan(&r.IntentID); err != nil {
		return false, fmt.Errorf("payment.noted: %w", err)
	}
	r.Duplicate = true
	return false, nil
}

var settleStmt = db.SQL("payment.settle", `
	UPDATE payment_notices SET result = $3, intent_id = $4 WHERE provider = $1 AND provider_event_id = $2`)

// settle keeps what has come of a notice.
func (r *Receipt) settle(ctx context.Context, tx db.Tx) error {
	if _, err := tx.Exec(ctx, settleStmt, r.Provider, r.NoticeID, r.Result, r.IntentID); err != nil {
		return fmt.Errorf("payment.settle: %w", err)
	}
	return nil
}
