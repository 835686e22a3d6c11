package payment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// How long a key is remembered, and how long a request that never ended keeps
// its key.
const (
	keyLasts = 24 * time.Hour
	inFlight = time.Minute
)

var claimKeyStmt = db.SQL("payment.claim_key", `
	INSERT INTO payment_keys (user_id, key, event_id, created_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (user_id, key) DO UPDATE SET event_id = $3, intent_id = NULL, created_at = $4
	WHERE payment_keys.created_at <= $5 OR payment_keys.intent_id IS NULL AND payment_keys.event_id = $3 AND payment_keys.created_at <= $6`)

var keyStmt = db.SQL("payment.key", `SELECT event_id, intent_id FROM payment_keys WHERE user_id = $1 AND key = $2`)

// claimKey takes a key for this request; done is true when an earlier one has
// used it, with the intent that came of that.
func claimKey(ctx context.Context, tx db.Tx, r request) (i Intent, done bool, err error) {
	n, err := tx.Exec(ctx, claimKeyStmt, r.viewer.UserID, r.key, r.event, r.now, r.now.Add(-keyLasts), r.now.Add(-inFlight))
	if err != nil {
		return i, false, fmt.Errorf("payment.claim_key: %w", err)
	}
	if n == 1 {
		return i, false, nil
	}
	var event domain.EventID
	var intent *domain.PaymentID
	err = tx.One(ctx, keyStmt, r.viewer.UserID, r.key).Scan(&event, &intent)
	switch {
	case errors.Is(err, db.ErrNoRow): // released at this moment
		return i, false, domain.Conflict
	case err != nil:
		return i, false, fmt.Errorf("payment.key: %w", err)
	case event != r.event:
		return i, false, domain.KeyReused
	case intent == nil:
		return i, false, domain.Conflict
	}
	i, err = ownIntent(ctx, tx, *intent, r.viewer.UserID)
	return i.at(r.now), true, err
}

var settleKeyStmt = db.SQL("payment.settle_key", `
	UPDATE payment_keys SET intent_id = $3 WHERE user_id = $1 AND key = $2 AND intent_id IS NULL AND created_at = $4`)

// settleKey remembers what came of a request.
func settleKey(ctx context.Context, tx db.Tx, r request, id domain.PaymentID) error {
	if r.key == "" {
		return nil
	}
	if _, err := tx.Exec(ctx, settleKeyStmt, r.viewer.UserID, r.key, id, r.now); err != nil {
		return fmt.Errorf("payment.settle_key: %w", err)
	}
	return nil
}

var releaseKeyStmt = db.SQL("payment.release_key", `
	DELETE FROM payment_keys WHERE user_id = $1 AND key = $2 AND intent_id IS NULL AND created_at = $3`)

// releaseKey frees the key of a request of which nothing came.
func releaseKey(ctx context.Context, q db.Querier, r request) error {
	_, err := q.Exec(ctx, releaseKeyStmt, r.viewer.UserID, r.key, r.now)
	return err
}

var purgeKeysStmt = db.SQL("payment.purge_keys", `DELETE FROM payment_keys WHERE created_at <= $1`)

// Purge forgets idempotency keys after a day. It is for a periodic job;
// several at once do no harm.
func (s *Service) Purge(ctx context.Context) error {
	if _, err := s.DB.Exec(ctx, purgeKeysStmt, s.Clock.Now().Add(-keyLasts)); err != nil {
		return fmt.Errorf("payment.purge: %w", err)
	}
	return nil
}
