package payment

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const (
	keyLifetime = 24 * time.Hour
	keyTimeout  = time.Minute // then a retry can take the key of a request that has not finished
)

var claimKeyStmt = db.SQL("payment.claim_key", `
	INSERT INTO payment_keys (user_id, key, event_id, created_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (user_id, key) DO UPDATE SET event_id = $3, intent_id = NULL, created_at = $4
	WHERE payment_keys.created_at <= $5 OR payment_keys.intent_id IS NULL AND payment_keys.event_id = $3 AND payment_keys.created_at <= $6`)

var keyStmt = db.SQL("payment.key", `SELECT event_id, intent_id FROM payment_keys WHERE user_id = $1 AND key = $2`)

// claimKey claims a key for this request. If an earlier request has used it, done is
// true and i is the intent of that request.
func claimKey(ctx context.Context, tx db.Tx, r request) (i Intent, done bool, err error) {
	n, err := tx.Exec(ctx, claimKeyStmt, r.viewer.UserID, r.key, r.event, r.now, r.now.Add(-keyLifetime), r.now.Add(-keyTimeout))
	if err != nil || n == 1 {
		return i, false, err
	}
	var event domain.EventID
	var intent *domain.PaymentID
	// No row: a concurrent request has just released the key.
	err = tx.One(ctx, keyStmt, r.viewer.UserID, r.key).ScanOr(domain.Conflict, &event, &intent)
	switch {
	case err != nil:
		return i, false, err
	case event != r.event:
		return i, false, domain.KeyReused
	case intent == nil:
		return i, false, domain.Conflict
	}
	i, err = ownIntent(ctx, tx, *intent, r.viewer.UserID)
	return i.at(r.now), true, err
}

var finishKeyStmt = db.SQL("payment.finish_key", `
	UPDATE payment_keys SET intent_id = $3 WHERE user_id = $1 AND key = $2 AND intent_id IS NULL AND created_at = $4`)

// finishKey stores the intent of a request with a key.
func finishKey(ctx context.Context, tx db.Tx, r request, id domain.PaymentID) {
	if r.key != "" {
		tx.Queue(ctx, finishKeyStmt, r.viewer.UserID, r.key, id, r.now)
	}
}

var releaseKeyStmt = db.SQL("payment.release_key", `
	DELETE FROM payment_keys WHERE user_id = $1 AND key = $2 AND intent_id IS NULL AND created_at = $3`)

// releaseKey releases the key of a failed request.
func releaseKey(ctx context.Context, q db.Querier, r request) error {
	_, err := q.Exec(ctx, releaseKeyStmt, r.viewer.UserID, r.key, r.now)
	return err
}

var purgeKeysStmt = db.SQL("payment.purge_keys", `DELETE FROM payment_keys WHERE created_at <= $1`)

// Purge deletes expired idempotency keys. Several instances may run it at once.
func (s *Service) Purge(ctx context.Context) error {
	_, err := s.DB.Exec(ctx, purgeKeysStmt, s.Clock.Now().Add(-keyLifetime))
	return err
}
