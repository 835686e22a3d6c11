package event

import (
	"context"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/core/webhook"
	"moothall/internal/meetup/postings"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// RegisterJobs registers the sweep, the job that cancels drafts without a title, and the job that gives codes to older events.
func (s *Service) RegisterJobs(w *job.Workers) {
	w.Purge(time.Minute, "event.sweep", s.Sweep)
	w.Purge(time.Hour, "event.cancel_untitled", s.CancelUntitled)
	w.Every(time.Minute, "event.codes", s.GiveCodes)
}

// sweepBatch keeps the transactions of the sweep short, so that other writers
// are not blocked.
const sweepBatch = 20

var dueStmt = db.SQL("event.due", `
	SELECT `+changedColumns+` FROM events
	WHERE status = 'published' AND NOT swept AND over_at <= $1 ORDER BY over_at LIMIT $2 FOR UPDATE SKIP LOCKED`)

var setSweptStmt = db.SQL("event.set_swept", `UPDATE events SET swept = TRUE, listed = FALSE WHERE id = $1`)

// Sweep removes the postings of events that are over and asks their participants for
// a review. No response depends on the removal: it only makes searches cheaper.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		swept, err := s.sweepSome(ctx)
		if err != nil || swept < sweepBatch {
			return err
		}
	}
}

func (s *Service) sweepSome(ctx context.Context) (swept int, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		due, err := allChanged(ctx, tx, dueStmt, now, sweepBatch)
		if err != nil {
			return err
		}
		for _, e := range due {
			if err := sweep(ctx, tx, e, now); err != nil {
				return err
			}
		}
		swept = len(due)
		return nil
	})
	return swept, err
}

func sweep(ctx context.Context, tx db.Tx, e Event, now time.Time) error {
	if err := postings.Update(ctx, tx, e.Document(), nil); err != nil {
		return err
	}
	tx.Changed(Content.Of(e.ID), user.Activity.Of(e.OrganizerID))
	if _, err := tx.Exec(ctx, setSweptStmt, e.ID); err != nil {
		return err
	}
	if err := e.queueWebhooks(ctx, tx, webhook.EventCompleted, now); err != nil {
		return err
	}
	completed := notify.Notification{Kind: notify.EventCompleted, Event: e.ID}
	return notify.Announce(ctx, tx, now, completed, notify.Going(e.ID))
}
