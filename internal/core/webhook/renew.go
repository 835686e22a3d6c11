package webhook

import (
	"bytes"
	"context"
	"errors"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const renewBatch = 100

type seeds struct {
	id        domain.WebhookID
	seed, old []byte
}

// RenewSecrets seals the secrets that belong to the predecessor of the service's key with the key, and returns their number.
// The secrets stay the same.
func (s *Service) RenewSecrets(ctx context.Context) (renewed int, err error) {
	var after domain.WebhookID
	for {
		batch, err := db.All(ctx, s.DB, func(r db.Row, x *seeds) error { return r.Scan(&x.id, &x.seed, &x.old) }, seedsStmt, after, renewBatch)
		if err != nil || len(batch) == 0 {
			return renewed, err
		}
		for _, x := range batch {
			n, err := s.renew(ctx, x)
			if err != nil {
				return renewed, err
			}
			renewed += n
		}
		after = batch[len(batch)-1].id
	}
}

// renew changes nothing if the user has rotated the secret meanwhile.
func (s *Service) renew(ctx context.Context, x seeds) (int, error) {
	seed, changed, err := s.Keys.Renew(purpose, x.seed)
	old, oldChanged, oldErr := s.Keys.Renew(purpose, x.old)
	if err := errors.Join(err, oldErr); err != nil || !changed && !oldChanged {
		return 0, err
	}
	n, err := s.DB.Exec(ctx, renewStmt, x.id, bytes.Clone(x.seed), seed, old)
	return int(n), err
}

var (
	seedsStmt = db.SQL("webhook.seeds", `SELECT id, seed, old_seed FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2`)
	renewStmt = db.SQL("webhook.renew", `UPDATE webhooks SET seed = $3, old_seed = $4 WHERE id = $1 AND seed = $2`)
)
