package event

import (
	"context"
	"time"

	"moothall/internal/platform/db"
)

// untitled is the property of a request for a draft without a title.
const untitled = "untitled"

// untitledLifetime is the time after its last change at which a draft without a title ends.
const untitledLifetime = 7 * 24 * time.Hour

var (
	untitledStmt = db.SQL("event.untitled", `
		SELECT `+eventColumns+` FROM events
		WHERE status = 'draft' AND title = '' AND updated_at <= $1 ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED`)

	emptyStmt = db.SQL("event.empty", emptySQL+` WHERE id = $1`)
)

// EndUntitled cancels and empties the drafts that nobody has given a title.
func (s *Service) EndUntitled(ctx context.Context) error {
	for {
		ended, err := s.endSomeUntitled(ctx)
		if err != nil || ended < sweepBatch {
			return err
		}
	}
}

func (s *Service) endSomeUntitled(ctx context.Context) (ended int, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		drafts, err := all(ctx, tx, untitledStmt, now.Add(-untitledLifetime), sweepBatch)
		if err != nil {
			return err
		}
		for _, e := range drafts {
			if err := s.cancel(ctx, tx, e, now); err != nil {
				return err
			}
			tx.Queue(ctx, emptyStmt, e.ID)
		}
		ended = len(drafts)
		return nil
	})
	return ended, err
}
