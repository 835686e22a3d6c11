// Package idempotency makes retries safe: of all requests of a user with the same
// Idempotency-Key, only the first one creates something. The others get its result.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// lifetime is how long a key is kept (contract §0).
const lifetime = 24 * time.Hour

// request is a request with a key.
type request struct {
	user        domain.UserID
	key         string
	fingerprint []byte
}

type contextKey struct{}

// WithKey returns a context for InTx. parts are all that the request depends on: the
// operation, its path and its body.
func WithKey(ctx context.Context, user domain.UserID, key string, parts ...any) context.Context {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return context.WithValue(ctx, contextKey{}, request{user, key, sum[:]})
}

// InTx is db.DB.InTx for a transaction that creates something. If the context has a
// key, InTx stores the key and the result of fn in the same transaction. If the key was used
// before, InTx sets result to the stored one and changes nothing. A concurrent request
// with the same key waits for the first one. It returns domain.KeyReused if the earlier
// request was another one. A key of a failed transaction is not used up.
//
// The result must survive encoding/json, and must not contain data of other users: it
// remains for a day after their accounts are deleted.
func InTx[T any](ctx context.Context, d *db.DB, now time.Time, result *T, fn func(db.Tx) error) error {
	r, ok := ctx.Value(contextKey{}).(request)
	if !ok {
		return d.InTx(ctx, fn)
	}
	found, err := read(ctx, d, r, now, result)
	if found || err != nil {
		return err
	}
	err = d.InTx(ctx, func(tx db.Tx) error {
		tx.Queue(ctx, claimStmt, r.user, r.key, r.fingerprint, now, now.Add(-lifetime)).Require(errUsed)
		if err := fn(tx); err != nil {
			return err
		}
		if err := tx.Flush(ctx); err != nil { // the result may come from queued statements
			return err
		}
		stored, err := json.Marshal(result)
		if err != nil {
			return err
		}
		tx.Queue(ctx, storeStmt, r.user, r.key, string(stored))
		return nil
	})
	if !errors.Is(err, errUsed) {
		return err
	}
	if found, err = read(ctx, d, r, now, result); err == nil && !found {
		err = domain.Conflict // the key has expired in this moment
	}
	return err
}

// errUsed undoes a transaction whose key a concurrent request has used.
var errUsed = errors.New("idempotency: the key was used by a concurrent request")

// Find sets result to the stored one if the key of the context was used before. It is for
// operations that check something before their transaction.
func Find[T any](ctx context.Context, q db.Querier, now time.Time, result *T) (found bool, err error) {
	r, ok := ctx.Value(contextKey{}).(request)
	if !ok {
		return false, nil
	}
	return read(ctx, q, r, now, result)
}

// claimStmt also replaces an expired key. It waits for a concurrent transaction with the
// same key.
var claimStmt = db.SQL("idempotency.claim", `
	INSERT INTO idempotency_keys (user_id, key, fingerprint, result, created_at) VALUES ($1, $2, $3, '', $4)
	ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, result = '', created_at = excluded.created_at
	WHERE idempotency_keys.created_at <= $5`)

var storeStmt = db.SQL("idempotency.store", `UPDATE idempotency_keys SET result = $3 WHERE user_id = $1 AND key = $2`)

var readStmt = db.SQL("idempotency.read", `
	SELECT fingerprint, result FROM idempotency_keys WHERE user_id = $1 AND key = $2 AND created_at > $3`)

// read sets result to that of the earlier request, if there was one.
func read[T any](ctx context.Context, q db.Querier, r request, now time.Time, result *T) (found bool, err error) {
	var fingerprint []byte
	var stored string
	found, err = q.One(ctx, readStmt, r.user, r.key, now.Add(-lifetime)).Find(&fingerprint, &stored)
	switch {
	case err != nil || !found:
		return false, err
	case !bytes.Equal(fingerprint, r.fingerprint):
		return false, domain.KeyReused
	}
	*result = *new(T)
	return true, json.Unmarshal([]byte(stored), result)
}

var purgeStmt = db.SQL("idempotency.purge", `DELETE FROM idempotency_keys WHERE created_at <= $1`)

// Purge deletes expired keys. Several instances may run it at once.
func Purge(ctx context.Context, q db.Querier, now time.Time) error {
	_, err := q.Exec(ctx, purgeStmt, now.Add(-lifetime))
	return err
}

// exported is a key in a user's export. Its result is in the other sections.
type exported struct {
	Key       string    `json:"key"`
	CreatedAt time.Time `json:"created_at"`
}

var exportStmt = db.SQL("idempotency.export", `SELECT key, created_at FROM idempotency_keys WHERE user_id = $1 ORDER BY created_at, key`)

// Export returns the keys of a user.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	scan := func(row db.Row, e *exported) error { return row.Scan(&e.Key, &e.CreatedAt) }
	return db.Append(ctx, q, []exported{}, scan, exportStmt, user)
}

var eraseStmt = db.SQL("idempotency.erase", `DELETE FROM idempotency_keys WHERE user_id = $1`)

// Erase deletes the keys of a user.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseStmt, user)
	return nil
}
