package source

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
)

var (
	endOneStmt = db.SQL("source.end_one", `
		UPDATE group_sources SET ended_at = $2 WHERE id = $1 AND group_id = $3 AND ended_at IS NULL RETURNING id`)
	endGroupStmt = db.SQL("source.end_group", `
		UPDATE group_sources SET ended_at = $2 WHERE group_id = $1 AND ended_at IS NULL RETURNING id`)

	// endUserStmt ends the calendars that a user has added, and those with events that the user organizes.
	endUserStmt = db.SQL("source.end_user", `
		UPDATE group_sources SET ended_at = $2 WHERE ended_at IS NULL AND (user_id = $1 OR id IN (
			SELECT r.source_id FROM group_source_events r JOIN events e ON e.id = r.event_id WHERE e.organizer_id = $1)) RETURNING id`)

	nextStmt        = db.SQL("source.next", `SELECT uid, event_id FROM group_source_events WHERE source_id = $1 ORDER BY uid LIMIT $2`)
	deleteEventStmt = db.SQL("source.delete_event", `DELETE FROM group_source_events WHERE source_id = $1 AND uid = $2`)
	deleteStmt      = db.SQL("source.delete", `DELETE FROM group_sources WHERE id = $1 AND ended_at IS NOT NULL`)
)

type endJob struct {
	Source domain.SourceID
	Round  int
}

// end ends the calendars that a statement returns, and queues the withdrawal of their events. It returns their number.
func end(ctx context.Context, tx db.Tx, now time.Time, stmt *db.Stmt, args ...any) (int, error) {
	ended, err := db.Values[domain.SourceID](ctx, tx, stmt, args...)
	if err != nil {
		return 0, err
	}
	for _, id := range ended {
		if err := putEnd(ctx, tx, endJob{Source: id}, now); err != nil {
			return 0, err
		}
	}
	return len(ended), nil
}

// putEnd queues a round. The key alternates, because a job cannot queue itself again.
func putEnd(ctx context.Context, tx db.Tx, j endJob, now time.Time) error {
	key := j.Source.String()
	if j.Round%2 == 1 {
		key += ":more"
	}
	return job.PutIfAbsent(ctx, tx, now, job.Job{Kind: endKind, Key: key, Payload: j})
}

// withdraw withdraws the next events of a calendar that has ended, and queues itself for the others. After the last one, nothing is left.
func (s *Service) withdraw(ctx context.Context, tx db.Tx, j endJob) error {
	now := s.Clock.Now()
	events, err := db.All(ctx, tx, func(row db.Row, m *made) error { return row.Scan(&m.uid, &m.event) }, nextStmt, j.Source, stepSize)
	if err != nil {
		return err
	}
	for _, m := range events {
		if err := s.Events.Withdraw(ctx, tx, m.event, now); err != nil {
			return err
		}
		tx.Queue(ctx, deleteEventStmt, j.Source, m.uid)
	}
	if len(events) < stepSize {
		tx.Queue(ctx, deleteStmt, j.Source)
		return nil
	}
	j.Round++
	return putEnd(ctx, tx, j, now)
}

// OnGroupDeleted ends the calendars of a locked group.
func OnGroupDeleted(ctx context.Context, tx db.Tx, group domain.GroupID, now time.Time) error {
	_, err := end(ctx, tx, now, endGroupStmt, group, now)
	return err
}
