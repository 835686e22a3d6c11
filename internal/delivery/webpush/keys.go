package webpush

import (
	"context"

	"moothall/internal/platform/db"
	"moothall/internal/platform/push"
	"moothall/internal/platform/seal"
)

// purpose separates this use of the key of the service from others.
const purpose = "push keys"

// LoadKeys returns the key pair of push messages. Subscriptions are bound to it, so it stays the same when the key of
// the service is replaced: LoadKeys then stores it, sealed with the new key.
func LoadKeys(ctx context.Context, d *db.DB, keys seal.Keys) (*push.Keys, error) {
	var sealed []byte
	found, err := d.One(ctx, keysStmt).Find(&sealed)
	if err != nil {
		return nil, err
	}
	pair, err := open(keys, sealed, found)
	if err != nil || len(keys.Previous) == 0 {
		return pair, err
	}
	raw, err := pair.Private()
	if err != nil {
		return nil, err
	}
	_, err = d.Exec(ctx, storeKeysStmt, keys.Seal(purpose, raw))
	return pair, err
}

// open returns the stored pair, or the one that the key of the service gives.
func open(keys seal.Keys, sealed []byte, found bool) (*push.Keys, error) {
	switch {
	case found:
		raw, err := keys.Open(purpose, sealed)
		if err != nil {
			return nil, err
		}
		return push.ParseKeys(raw)
	case len(keys.Previous) > 0:
		return push.DeriveKeys(keys.Previous), nil
	}
	return push.DeriveKeys(keys.Current), nil
}

var (
	keysStmt      = db.SQL("webpush.keys", `SELECT sealed FROM push_keys WHERE id = 1`)
	storeKeysStmt = db.SQL("webpush.store_keys", `
		INSERT INTO push_keys (id, sealed) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed`)
)
