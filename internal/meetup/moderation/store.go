package moderation

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const reportColumns = `id, reporter_id, target_type, target_id, reason, comment, status, created_at, updated_at, resolved_at, resolved_by,
	author_id, target_text`

func (r *Report) dest() []any {
	return []any{&r.ID, &r.ReporterID, &r.TargetType, &r.TargetID, &r.Reason, &r.Comment, &r.Status, &r.CreatedAt, &r.UpdatedAt, &r.ResolvedAt,
		&r.ResolvedBy, &r.AuthorID, &r.Text}
}

// insertStmt inserts a report and returns it. If the reporter has an open report on the
// same target, it returns that one unchanged.
var insertStmt = db.SQL("moderation.insert", `
	INSERT INTO reports (id, reporter_id, target_type, target_id, reason, comment, status, created_at, updated_at, author_id, target_text)
	VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $7, $8, $9)
	ON CONFLICT (reporter_id, target_type, target_id) WHERE status = 0 DO UPDATE SET updated_at = reports.updated_at
	RETURNING `+reportColumns)

// insertOwnStmt inserts a report of the service.
var insertOwnStmt = db.SQL("moderation.insert_own", `
	INSERT INTO reports (id, target_type, target_id, reason, comment, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, 0, $6, $6)`)

func insert(ctx context.Context, tx db.Tx, v domain.Viewer, d Draft, c Content, now time.Time) (r Report, err error) {
	err = tx.One(ctx, insertStmt, domain.NewID[domain.ReportKind](now), v.UserID, d.TargetType, d.TargetID, d.Reason, d.Comment,
		now, c.AuthorID, c.Text).Scan(r.dest()...)
	return r, err
}

var (
	readStmt = db.SQL("moderation.read", `SELECT `+reportColumns+` FROM reports WHERE id = $1`)
	lockStmt = db.SQL("moderation.lock", `SELECT `+reportColumns+` FROM reports WHERE id = $1 FOR UPDATE`)
)

// read reads a report. It returns domain.NotFound if there is none.
func read(ctx context.Context, q db.Querier, id domain.ReportID) (r Report, err error) {
	err = q.One(ctx, readStmt, id).ScanOr(domain.NotFound, r.dest()...)
	return r, err
}

// lock reads a report and locks it until the commit. It returns domain.NotFound if
// there is none.
func lock(ctx context.Context, tx db.Tx, id domain.ReportID) (r Report, err error) {
	err = tx.One(ctx, lockStmt, id).ScanOr(domain.NotFound, r.dest()...)
	return r, err
}

var moveStmt = db.SQL("moderation.move", `
	UPDATE reports SET status = $2, updated_at = $3, resolved_at = $4, resolved_by = $5 WHERE id = $1`)

// moveTo stores the new status of a report and returns the report.
func (r Report) moveTo(ctx context.Context, tx db.Tx, by domain.Viewer, to Status, now time.Time) (Report, error) {
	r.Status, r.UpdatedAt, r.ResolvedAt, r.ResolvedBy = to, now, nil, nil
	if to.final() {
		r.ResolvedAt, r.ResolvedBy = &now, &by.UserID
	}
	_, err := tx.Exec(ctx, moveStmt, r.ID, r.Status, r.UpdatedAt, r.ResolvedAt, r.ResolvedBy)
	if db.UniqueViolation(err) { // the reporter has another open report on the target
		err = domain.Conflict
	}
	return r, err
}

const recordColumns = `id, report_id, moderator_id, action, from_status, to_status, note, created_at`

func (r *Record) dest() []any {
	return []any{&r.ID, &r.ReportID, &r.ModeratorID, &r.Action, &r.From, &r.To, &r.Note, &r.CreatedAt}
}

var recordStmt = db.SQL("moderation.record", `
	INSERT INTO moderation_actions (`+recordColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`)
