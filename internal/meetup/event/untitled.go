package event

import (
	"context"
	"time"

	"moothall/internal/platform/db"
)

// untitled is the property of a request for a draft without a title.
const untitled = "untitled"

// untitledLifetime is the time after its last change at which a draft without a title is canceled.
const untitledLifetime = 7 * 24 * time.Hour

var (
	untitledStmt = db.SQL("event.untitled", `
		SELECT `+changedColumns+` FROM events
		WHERE status = 'draft' AND title = '' AND updated_at <= $1 ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED`)

	emptyStmt = db.SQL("event.empty", emptySQL+` WHERE id = $1`)
)

// CancelUntitled cancels and empties the drafts that nobody has given a title.
func (s *Service) CancelUntitled(ctx context.Context) error {
	for {
		canceled, err := s.cancelSomeUntitled(ctx)
		if err != nil || canceled < sweepBatch {
			return err
		}
	}
}

func (s *Service) cancelSomeUntitled(ctx context.Context) (canceled int, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		drafts, err := allChanged(ctx, tx, untitledStmt, now.Add(-untitledLifetime), sweepBatch)
		if err != nil {
			return err
		}
		for _, e := range drafts {
			if err := s.cancel(ctx, tx, e, now); err != nil {
				return err
			}
			tx.Queue(ctx, emptyStmt, e.ID)
		}
		canceled = len(drafts)
		return nil
	})
	return canceled, err
}
