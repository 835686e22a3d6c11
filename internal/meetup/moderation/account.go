package moderation

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is the moderation section of an account export.
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

// Export returns a user's reports and their actions as a moderator.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	reports, err := db.Append(ctx, q, []exportedReport{}, func(row db.Row, x *exportedReport) error {
		var r Report
		err := row.Scan(r.dest()...)
		*x = exportedReport{r.ID, r.TargetType, r.TargetID, r.Reason, r.Comment, r.Status.String(), r.CreatedAt}
		return err
	}, exportReportsStmt, user)
	actions, actionsErr := db.Append(ctx, q, []exportedAction{}, func(row db.Row, x *exportedAction) error {
		var r Record
		err := row.Scan(r.dest()...)
		*x = exportedAction{r.ReportID, r.Action, r.From.String(), r.To.String(), r.Note, r.CreatedAt}
		return err
	}, exportActionsStmt, user)
	return exported{reports, actions}, errors.Join(err, actionsErr)
}

var (
	eraseReporterStmt = db.SQL("moderation.erase_reporter", `UPDATE reports SET reporter_id = NULL WHERE reporter_id = $1`)
	eraseAuthorStmt   = db.SQL("moderation.erase_author", `UPDATE reports SET author_id = NULL, target_text = NULL WHERE author_id = $1`)
	eraseResolverStmt = db.SQL("moderation.erase_resolver", `UPDATE reports SET resolved_by = NULL WHERE resolved_by = $1`)
)

// Erase removes a user from the reports that they wrote or closed, and their texts from the
// reports of others. The reports stay for the moderators. The audit records keep the id of the moderator.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	tx.Queue(ctx, eraseReporterStmt, user)
	tx.Queue(ctx, eraseAuthorStmt, user)
	tx.Queue(ctx, eraseResolverStmt, user)
	return nil
}
