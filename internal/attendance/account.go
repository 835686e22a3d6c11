package attendance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is what the room keeps of a person.
type exported struct {
	Attendance  []exportedAttendance `json:"attendance"`
	Invitations []exportedInvitation `json:"invitations"` // received and sent
}

type exportedAttendance struct {
	EventID    domain.EventID `json:"event_id"`
	Status     string         `json:"status"`
	Visibility string         `json:"participation_visibility"`
	JoinedAt   time.Time      `json:"joined_at"`
	LeftAt     *time.Time     `json:"left_at"`
}

type exportedInvitation struct {
	ID          domain.InvitationID `json:"id"`
	EventID     domain.EventID      `json:"event_id"`
	UserID      domain.UserID       `json:"invited_user_id"`
	InvitedBy   domain.UserID       `json:"invited_by_user_id"`
	Status      string              `json:"status"`
	Message     *string             `json:"message"`
	RespondedAt *time.Time          `json:"responded_at"`
	CreatedAt   time.Time           `json:"created_at"`
}

var (
	exportAttendanceStmt = db.SQL("attendance.export_attendance", `
		SELECT event_id, status, visibility, joined_at, left_at FROM participants WHERE user_id = $1 ORDER BY joined_at, event_id`)

	exportInvitationsStmt = db.SQL("attendance.export_invitations", `
		SELECT id, event_id, user_id, invited_by, status, message, responded_at, created_at FROM invitations
		WHERE user_id = $1 OR invited_by = $1 ORDER BY created_at, id`)
)

// Export gives where a person goes and went, and the invitations they got and
// sent: the account's part.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	attendance, err := db.All(ctx, q, func(row db.Row, a *exportedAttendance) error {
		return row.Scan(&a.EventID, &a.Status, &a.Visibility, &a.JoinedAt, &a.LeftAt)
	}, exportAttendanceStmt, user)
	if err != nil {
		return nil, fmt.Errorf("attendance.export: %w", err)
	}
	invitations, err := db.All(ctx, q, func(row db.Row, i *exportedInvitation) error {
		return row.Scan(&i.ID, &i.EventID, &i.UserID, &i.InvitedBy, &i.Status, &i.Message, &i.RespondedAt, &i.CreatedAt)
	}, exportInvitationsStmt, user)
	if err != nil {
		return nil, fmt.Errorf("attendance.export: %w", err)
	}
	return exported{Attendance: append([]exportedAttendance{}, attendance...), Invitations: append([]exportedInvitation{}, invitations...)}, nil
}

var (
	forgetReceivedStmt = db.SQL("attendance.forget_received", `DELETE FROM invitations WHERE user_id = $1`)

	forgetMessagesStmt = db.SQL("attendance.forget_messages", `UPDATE invitations SET message = NULL WHERE invited_by = $1 AND message IS NOT NULL`)

	forgetAttendanceStmt = db.SQL("attendance.forget_attendance", `DELETE FROM participants WHERE user_id = $1 RETURNING `+participantColumns)
)

// Erase removes a person's attendance, with the counts right, and invitations;
// those they sent stay with the guests, without what they wrote in them.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	for _, stmt := range []*db.Stmt{forgetReceivedStmt, forgetMessagesStmt} {
		if _, err := tx.Exec(ctx, stmt, user); err != nil {
			return fmt.Errorf("attendance.forget: %w", err)
		}
	}
	scan := func(row db.Row, p *Participant) error { return row.Scan(p.columns()...) }
	all, err := db.All(ctx, tx, scan, forgetAttendanceStmt, user)
	if err != nil {
		return fmt.Errorf("attendance.forget: %w", err)
	}
	return giveAllBack(ctx, tx, slices.DeleteFunc(all, func(p Participant) bool { return p.Status != statusGoing }))
}
