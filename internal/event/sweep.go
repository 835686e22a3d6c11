package event

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// RegisterJobs gives the workers what this room does beside the requests.
func (s *Service) RegisterJobs(w *job.Workers) {
	w.Every(time.Minute, "event.sweep", s.Sweep)
	w.Every(recountEvery, "event.recount", s.RecountTerms)
}

// sweepAtOnce keeps the transactions of the sweep short: others write too.
const sweepAtOnce = 20

var dueStmt = db.SQL("event.due", `
	SELECT `+eventColumns+` FROM events
	WHERE status = 'published' AND NOT swept AND over_at <= $1 ORDER BY over_at LIMIT $2 FOR UPDATE SKIP LOCKED`)

var sweptStmt = db.SQL("event.swept", `UPDATE events SET swept = TRUE, listed = FALSE WHERE id = $1`, db.Key{Table: "events", Param: 1})

// Sweep tidies up after events that are over: their postings go, and the
// people who went are asked for a review. No answer depends on it; without it
// searches would only walk over the ended events.
func (s *Service) Sweep(ctx context.Context) error {
	for {
		swept, err := s.sweepSome(ctx)
		if err != nil || swept < sweepAtOnce {
			return err
		}
	}
}

func (s *Service) sweepSome(ctx context.Context) (swept int, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		scan := func(row db.Row, e *Event) error { return row.Scan(e.columns()...) }
		due, err := db.All(ctx, tx, scan, dueStmt, now, sweepAtOnce)
		if err != nil {
			return fmt.Errorf("event.sweep: %w", err)
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
	if err := repost(ctx, tx, e, Event{}); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, sweptStmt, e.ID); err != nil {
		return fmt.Errorf("event.sweep %s: %w", e.ID, err)
	}
	return tellCompleted(ctx, tx, e, now)
}
