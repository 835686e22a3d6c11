package attendance

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

// sweepEvery is how soon a sweep finds offers that have ended, and kept seats whose job was lost.
const sweepEvery = 5 * time.Second

// maxSwept is how many events one sweep reads.
const maxSwept = 100

var (
	// endedListsStmt reads events with offers that have ended, and those that have begun and still have active entries.
	endedListsStmt = db.SQL("attendance.ended_lists", `
		SELECT h.event_id FROM seat_holds h WHERE h.until <= $1
		UNION SELECT h.event_id FROM seat_holds h JOIN events e ON e.id = h.event_id WHERE e.starts_at <= $1
		UNION SELECT s.event_id FROM event_slots s JOIN events e ON e.id = s.event_id WHERE s.waiting AND e.starts_at <= $1
		LIMIT $2`)

	keptStmt = db.SQL("attendance.kept", `SELECT DISTINCT s.event_id FROM event_slots s WHERE s.kept > 0 LIMIT $1`)
)

// RegisterJobs registers the jobs that give seats to waiting lists.
func (s *Service) RegisterJobs(w *job.Workers) {
	job.InTx(w, dealKind, func(ctx context.Context, tx db.Tx, d dealing) error {
		now := s.Clock.Now()
		more, err := s.deal(ctx, tx, d.Event, false, now)
		if err != nil || !more {
			return err
		}
		next := ":more"
		if d.Round == next {
			next = ""
		}
		return putDeal(ctx, tx, now, d.Event, next)
	})
	w.Every(sweepEvery, "attendance.deal_kept", func(ctx context.Context) error { return s.sweep(ctx, false, keptStmt, maxSwept) })
	w.Purge(sweepEvery, "attendance.expire_offers", func(ctx context.Context) error {
		return s.sweep(ctx, true, endedListsStmt, s.Clock.Now(), maxSwept)
	})
}

// sweep deals the seats of the events that a statement reads.
func (s *Service) sweep(ctx context.Context, expire bool, stmt *db.Stmt, args ...any) error {
	ids, err := db.Values[domain.EventID](ctx, s.DB, stmt, args...)
	if err != nil {
		return err
	}
	for _, id := range ids {
		for more := true; more; {
			err := s.DB.InTx(ctx, func(tx db.Tx) (err error) {
				more, err = s.deal(ctx, tx, id, expire, s.Clock.Now())
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
