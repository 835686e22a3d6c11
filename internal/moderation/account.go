package moderation

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is what somebody reported, and what they did as a moderator.
type exported struct {
	Reports []exportedReport `json:"reports"`
	Actions []exportedAction `json:"moderation_actions"`
}

type exportedReport struct {
	ID         domain.ReportID `json:"id"`
	TargetType TargetType      `json:"target_type"`
	TargetID   TargetID        `json:"target_id"`
	Reason     string          `json:"reason"`
	Comment    *string         `json:"comment"`
	Status     string          `json:"status"`
	CreatedAt  time.Time       `json:"created_at"`
}

type exportedAction struct {
	ReportID  domain.ReportID `json:"report_id"`
	Action    Action          `json:"action"`
	From      string          `json:"from_status"`
	To        string          `json:"to_status"`
	Note      *string         `json:"note"`
	CreatedAt time.Time       `json:"created_at"`
}

var (
	exportReportsStmt = db.SQL("moderation.export_reports", `
		SELECT `+reportColumns+` FROM reports WHERE reporter_id = $1 ORDER BY created_at, id`)

	exportActionsStmt = db.SQL("moderation.export_actions", `
		SELECT `+recordColumns+` FROM moderation_actions WHERE moderator_id = $1 ORDER BY created_at, id`)
)

// Export gives what a user has reported, and what they did as a moderator.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	x := exported{Reports: []exportedReport{}, Actions: []exportedAction{}}
	for row, err := range q.Query(ctx, exportReportsStmt, user) {
		var r Report
		if err == nil {
			err = row.Scan(r.columns()...)
		}
		if err != nil {
			return nil, fmt.Errorf("moderation.export: %w", err)
		}
		x.Reports = append(x.Reports, exportedReport{r.ID, r.TargetType, r.TargetID, r.Reason, r.Comment, r.Status.String(), r.CreatedAt})
	}
	for row, err := range q.Query(ctx, exportActionsStmt, user) {
		var r Record
		if err == nil {
			err = row.Scan(r.columns()...)
		}
		if err != nil {
			return nil, fmt.Errorf("moderation.export: %w", err)
		}
		x.Actions = append(x.Actions, exportedAction{r.ReportID, r.Action, r.From.String(), r.To.String(), r.Note, r.CreatedAt})
	}
	return x, nil
}

// The reports of a deleted account stay for the moderators, without the
// person; who moved a report stays in the audit trail alone.
var (
	forgetReporterStmt = db.SQL("moderation.forget_reporter", `UPDATE reports SET reporter_id = NULL WHERE reporter_id = $1`)
	forgetResolverStmt = db.SQL("moderation.forget_resolver", `UPDATE reports SET resolved_by = NULL WHERE resolved_by = $1`)
)

// Erase leaves what a user has reported without them.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range []*db.Stmt{forgetReporterStmt, forgetResolverStmt} {
		if _, err := tx.Exec(ctx, stmt, user); err != nil {
			return fmt.Errorf("moderation.forget: %w", err)
		}
	}
	return nil
}
