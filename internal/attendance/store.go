package attendance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

const participantColumns = `id, event_id, user_id, status, visibility, joined_at, left_at, created_at, updated_at, slot`

func (p *Participant) columns() []any {
	return []any{&p.ID, &p.EventID, &p.UserID, &p.Status, &p.Visibility, &p.JoinedAt, &p.LeftAt, &p.CreatedAt, &p.UpdatedAt, &p.slot}
}

var goStmt = db.SQL("attendance.go", `
	INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
	VALUES ($1, $2, $3, 'going', COALESCE(CAST($4 AS TEXT), 'public'), $5, $6, $6, $6)
	ON CONFLICT (event_id, user_id) DO UPDATE
		SET status = 'going', visibility = COALESCE(CAST($4 AS TEXT), participants.visibility), slot = $5, joined_at = $6, left_at = NULL, updated_at = $6
		WHERE participants.status <> 'going'
	RETURNING `+participantColumns, db.Key{Table: "participants", Param: 1})

// start makes the person a participant, counted in a slot; started is false
// when that is so already, and the row then is as it was. Without a visibility
// somebody who comes back shows as before, and a newcomer openly.
func start(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, visibility *string, slot int64, now time.Time) (p Participant, started bool, err error) {
	err = tx.One(ctx, goStmt, event, user, domain.NewID[domain.ParticipantKind](now), visibility, slot, now).Scan(p.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		p, err = find(ctx, tx, event, user)
		return p, false, err
	}
	if err != nil {
		return p, false, fmt.Errorf("attendance.go %s: %w", event, err)
	}
	return p, true, nil
}

var findStmt = db.SQL("attendance.find", `SELECT `+participantColumns+` FROM participants WHERE event_id = $1 AND user_id = $2 FOR UPDATE`)

// find reads a participant for a change; domain.NotFound when there is none.
func find(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID) (p Participant, err error) {
	err = tx.One(ctx, findStmt, event, user).Scan(p.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		return p, domain.NotFound
	}
	if err != nil {
		return p, fmt.Errorf("attendance.find %s: %w", event, err)
	}
	return p, nil
}

var leaveStmt = db.SQL("attendance.leave", `
	UPDATE participants SET status = 'left', left_at = $3, updated_at = $3
	WHERE event_id = $1 AND user_id = $2 AND status = 'going'
	RETURNING `+participantColumns, db.Key{Table: "participants", Param: 1})

// stop ends a participation; stopped is false when it had ended already.
func stop(ctx context.Context, tx db.Tx, event domain.EventID, user domain.UserID, now time.Time) (p Participant, stopped bool, err error) {
	err = tx.One(ctx, leaveStmt, event, user, now).Scan(p.columns()...)
	if errors.Is(err, db.ErrNoRow) {
		p, err = find(ctx, tx, event, user)
		return p, false, err
	}
	if err != nil {
		return p, false, fmt.Errorf("attendance.leave %s: %w", event, err)
	}
	return p, true, nil
}

var showStmt = db.SQL("attendance.set_visibility", `
	UPDATE participants SET visibility = $3, updated_at = $4 WHERE event_id = $1 AND user_id = $2 RETURNING `+participantColumns, db.Key{Table: "participants", Param: 1})

func setVisibility(ctx context.Context, tx db.Tx, p Participant, visibility string, now time.Time) (Participant, error) {
	if err := tx.One(ctx, showStmt, p.EventID, p.UserID, visibility, now).Scan(p.columns()...); err != nil {
		return p, fmt.Errorf("attendance.set_visibility %s: %w", p.EventID, err)
	}
	return p, nil
}

var moveStmt = db.SQL("attendance.move_seat", `UPDATE participants SET slot = $3 WHERE event_id = $1 AND user_id = $2`, db.Key{Table: "participants", Param: 1})

// moveSeat notes the slot in which a participant is counted.
func moveSeat(ctx context.Context, tx db.Tx, p Participant, slot int64) error {
	if _, err := tx.Exec(ctx, moveStmt, p.EventID, p.UserID, slot); err != nil {
		return fmt.Errorf("attendance.move_seat %s: %w", p.EventID, err)
	}
	return nil
}
