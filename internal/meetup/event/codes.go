package event

import (
	"context"

	"moothall/internal/core/address"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// codesBatch keeps the transactions of GiveCodes short.
const codesBatch = 100

var (
	withoutCodeStmt = db.SQL("event.without_code", `SELECT id FROM events WHERE code IS NULL LIMIT $1 FOR UPDATE SKIP LOCKED`)
	giveCodeStmt    = db.SQL("event.give_code", `UPDATE events SET code = $2 WHERE id = $1`)
)

// GiveCodes gives codes to the events that a version without codes has created.
func (s *Service) GiveCodes(ctx context.Context) error {
	for {
		given := 0
		err := db.RetryUnique(func() error { // with other codes
			return s.DB.InTx(ctx, func(tx db.Tx) error {
				ids, err := db.Values[domain.EventID](ctx, tx, withoutCodeStmt, codesBatch)
				for _, id := range ids {
					tx.Changed(Content.Of(id))
					tx.Queue(ctx, giveCodeStmt, id, address.NewCode())
				}
				given = len(ids)
				return err
			})
		})
		if err != nil || given < codesBatch {
			return err
		}
	}
}
