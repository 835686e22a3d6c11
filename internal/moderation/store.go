package moderation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const reportColumns = `id, reporter_id, target_type, target_id, reason, comment, status, created_at, updated_at, resolved_at, resolved_by`

func (r *Report) columns() []any {
	return []any{&r.ID, &r.ReporterID, &r.TargetType, &r.TargetID, &r.Reason, &r.Comment, &r.Status, &r.CreatedAt, &r.UpdatedAt, &r.ResolvedAt, &r.ResolvedBy}
}

// insertStmt gives the report that stands, an open one of the same person on
// the same target unchanged.
var insertStmt = db.SQL("moderation.insert", `
	INSERT INTO reports (id, reporter_id, target_type, target_id, reason, comment, status, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7)
	ON CONFLICT (reporter_id, target_type, target_id) WHERE status = 0 DO UPDATE SET updated_at = reports.updated_at
	RETURNING `+reportColumns)

func insert(ctx context.Context, tx db.Tx, v domain.Viewer, d Draft, now time.Time) (r Report, err error) {
	err = tx.One(ctx, insertStmt, domain.NewID[domain.ReportKind](now), v.UserID, d.TargetType, d.TargetID, d.Reason, d.Comment, now).Scan(r.columns()...)
	if err != nil {
		return r, fmt.Errorf("moderation.insert: %w", err)
	}
	return r, nil
}

var lockStmt = db.SQL("moderation.lock", `SELECT `+reportColumns+` FROM reports WHERE id = $1 FOR UPDATE`)

// lock reads a report for a move: moves of one report happen one after the other.
func lock(ctx context.Context, tx db.Tx, id domain.ReportID) (r Report, err error) {
	err = tx.One(ctx, lockStmt, id).Scan(r.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return r, domain.NotFound
	}
	if err != nil {
		return r, fmt.Errorf("moderation.lock %s: %w", id, err)
	}
	return r, nil
}

var moveStmt = db.SQL("moderation.move", `
	UPDATE reports SET status = $2, updated_at = $3, resolved_at = $4, resolved_by = $5 WHERE id = $1`)

// moved stores a report as it stands after the move.
func (r Report) moved(ctx context.Context, tx db.Tx, by domain.Viewer, to Status, now time.Time) (Report, error) {
	r.Status, r.UpdatedAt, r.ResolvedAt, r.ResolvedBy = to, now, nil, nil
	if to.final() {
		r.ResolvedAt, r.ResolvedBy = &now, &by.UserID
	}
	_, err := tx.Exec(ctx, moveStmt, r.ID, r.Status, r.UpdatedAt, r.ResolvedAt, r.ResolvedBy)
	if db.UniqueViolation(err) { // the reporter has another open one
		return r, domain.Conflict
	}
	if err != nil {
		return r, fmt.Errorf("moderation.move %s: %w", r.ID, err)
	}
	return r, nil
}

const recordColumns = `id, report_id, moderator_id, action, from_status, to_status, note, created_at`

func (r *Record) columns() []any {
	return []any{&r.ID, &r.ReportID, &r.ModeratorID, &r.Action, &r.From, &r.To, &r.Note, &r.CreatedAt}
}

var recordStmt = db.SQL("moderation.record", `
	INSERT INTO moderation_actions (`+recordColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`)

func record(ctx context.Context, tx db.Tx, r Record) error {
	if _, err := tx.Exec(ctx, recordStmt, r.ID, r.ReportID, r.ModeratorID, r.Action, r.From, r.To, r.Note, r.CreatedAt); err != nil {
		return fmt.Errorf("moderation.record %s: %w", r.ReportID, err)
	}
	return nil
}
