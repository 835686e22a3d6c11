package attendance

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

var lockEventStmt = db.SQL("attendance.lock_event", `
	SELECT `+access.StatusSQL("e", "$2")+`, e.visibility FROM events e WHERE e.id = $1 FOR UPDATE`)

// lockEvent holds the event as it is: nobody else invites to it, and it stays
// in its state.
func lockEvent(ctx context.Context, tx db.Tx, id domain.EventID, now time.Time) (s access.Status, v access.Visibility, err error) {
	if err := tx.One(ctx, lockEventStmt, id, now).Scan(&s, &v); err != nil {
		return s, v, fmt.Errorf("attendance.lock_event %s: %w", id, err)
	}
	return s, v, nil
}

// Only a verified address is its holder's: an invitation must not go to
// somebody who has merely claimed it.
var (
	findByPhoneStmt = db.SQL("attendance.find_by_phone", `
		SELECT u.id FROM users u WHERE u.phone = $1 AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$2"))

	findByEmailStmt = db.SQL("attendance.find_by_email", `
		SELECT u.id FROM users u WHERE u.email_key = $1 AND u.email_verified AND u.suspended_at IS NULL AND `+access.NotBlocked("u.id", "$2"))
)

// findInvitee gives the account of somebody to invite; errNobody when there is
// none that the organizer may invite.
func findInvitee(ctx context.Context, q db.Querier, who invitee, organizer domain.UserID) (id domain.UserID, err error) {
	stmt, key := findByPhoneStmt, string(who.phone)
	if key == "" {
		stmt, key = findByEmailStmt, who.email.Key
	}
	err = q.One(ctx, stmt, key, organizer).Scan(&id)
	if errors.Is(err, db.ErrNoRow) {
		return id, errNobody
	}
	if err != nil {
		return id, fmt.Errorf("attendance.find_invitee: %w", err)
	}
	return id, nil
}

var inviteStmt = db.SQL("attendance.invite", `
	INSERT INTO invitations (event_id, user_id, id, invited_by, status, message, created_at, updated_at)
	SELECT CAST($1 AS UUID), CAST($2 AS UUID), CAST($3 AS UUID), CAST($4 AS UUID), 'pending', CAST($5 AS TEXT), CAST($6 AS BIGINT), CAST($6 AS BIGINT)
	WHERE (SELECT COUNT(*) FROM invitations i WHERE i.event_id = $1 AND i.user_id <> $2) < `+strconv.Itoa(mostInvitations)+`
	ON CONFLICT (event_id, user_id) DO UPDATE SET status = 'pending', invited_by = excluded.invited_by, message = excluded.message,
		responded_at = NULL, updated_at = excluded.updated_at`, db.Key{Table: "invitations", Param: 1})

// putInvitation writes a pending invitation, or puts one back to pending;
// domain.Forbidden when the event has as many as it may. The caller holds the event.
func putInvitation(ctx context.Context, tx db.Tx, id domain.EventID, user, by domain.UserID, message *string, now time.Time) error {
	n, err := tx.Exec(ctx, inviteStmt, id, user, domain.NewID[domain.InvitationKind](now), by, message, now)
	if err != nil {
		return fmt.Errorf("attendance.invite %s: %w", id, err)
	}
	if n == 0 {
		return domain.Forbidden
	}
	return nil
}

const invitationColumns = `i.id, i.event_id, i.user_id, i.invited_by, i.status, i.message, i.responded_at, i.created_at, i.updated_at`

func (i *Invitation) columns() []any {
	return []any{&i.ID, &i.EventID, &i.UserID, &i.InvitedBy, &i.Status, &i.Message, &i.RespondedAt, &i.CreatedAt, &i.UpdatedAt}
}

var lockInvitationStmt = db.SQL("attendance.lock_invitation", `
	SELECT `+invitationColumns+` FROM invitations i WHERE i.event_id = $1 AND i.user_id = $2 FOR UPDATE`)

// lockInvitation holds somebody's invitation until the transaction ends; ok is
// false when there is none.
func lockInvitation(ctx context.Context, tx db.Tx, id domain.EventID, user domain.UserID) (i Invitation, ok bool, err error) {
	err = tx.One(ctx, lockInvitationStmt, id, user).Scan(i.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return i, false, nil
	}
	if err != nil {
		return i, false, fmt.Errorf("attendance.lock_invitation %s: %w", id, err)
	}
	return i, true, nil
}

var answerStmt = db.SQL("attendance.answer", `
	UPDATE invitations SET status = $3, responded_at = $4, updated_at = $4 WHERE event_id = $1 AND user_id = $2`, db.Key{Table: "invitations", Param: 1})

func setAnswer(ctx context.Context, tx db.Tx, i Invitation, status string, now time.Time) error {
	if _, err := tx.Exec(ctx, answerStmt, i.EventID, i.UserID, status, now); err != nil {
		return fmt.Errorf("attendance.answer %s: %w", i.ID, err)
	}
	return nil
}

var readInvitationStmt = db.SQL("attendance.read_invitation", `
	SELECT `+invitationColumns+`, `+user.Columns("o")+` FROM invitations i LEFT JOIN profiles o ON o.user_id = i.user_id
	WHERE i.event_id = $1 AND i.user_id = $2`)

func readInvitation(ctx context.Context, q db.Querier, event domain.EventID, invitee domain.UserID) (i Invitation, err error) {
	var invited user.Columned
	if err := q.One(ctx, readInvitationStmt, event, invitee).Scan(append(i.columns(), invited.Dest()...)...); err != nil {
		return i, fmt.Errorf("attendance.read_invitation %s: %w", event, err)
	}
	i.Invited = invited.Public()
	return i, nil
}

var eventOfInvitationStmt = db.SQL("attendance.event_of_invitation", `SELECT event_id FROM invitations WHERE id = $1 AND user_id = $2`)

func eventOfInvitation(ctx context.Context, q db.Querier, id domain.InvitationID, user domain.UserID) (event domain.EventID, err error) {
	err = q.One(ctx, eventOfInvitationStmt, id, user).Scan(&event)
	if errors.Is(err, db.ErrNoRow) {
		return event, domain.NotFound
	}
	if err != nil {
		return event, fmt.Errorf("attendance.event_of_invitation %s: %w", id, err)
	}
	return event, nil
}
