package user

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	lockProfileStmt = db.SQL("user.lock", `SELECT `+Columns("p")+` FROM profiles p WHERE p.user_id = $1 FOR UPDATE`)

	suspendStmt = db.SQL("user.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1 AND suspended_at IS NULL`)

	restoreStmt = db.SQL("user.restore", `
		UPDATE users SET suspended_at = NULL WHERE id = $1 AND suspended_at IS NOT NULL AND deleted_at IS NULL`)
)

// lockProfile reads a profile for a change of how its account stands;
// domain.NotFound when there is no such account, or no longer.
func lockProfile(ctx context.Context, tx db.Tx, id domain.UserID) (p Public, err error) {
	err = Scan(tx.One(ctx, lockProfileStmt, id), &p)
	if errors.Is(err, db.ErrNoRow) {
		return p, domain.NotFound
	}
	if err != nil {
		return p, fmt.Errorf("user.lock %s: %w", id, err)
	}
	return p, nil
}

// Suspend bars an account: nobody signs in to it or finds it until it is
// restored (policy "Seeing an event"). Its sessions and events are ended and
// hidden by their rooms. changed is false when it was suspended already;
// domain.NotFound when there is no such account.
func (s *Service) Suspend(ctx context.Context, tx db.Tx, id domain.UserID, now time.Time) (changed bool, err error) {
	p, err := lockProfile(ctx, tx, id)
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, suspendStmt, id, now)
	if err != nil {
		return false, fmt.Errorf("user.suspend %s: %w", id, err)
	}
	if n == 0 {
		return false, nil
	}
	return true, unlist(ctx, tx, p)
}

// Restore lifts a suspension. changed is false when there was none;
// domain.NotFound when there is no such account.
func (s *Service) Restore(ctx context.Context, tx db.Tx, id domain.UserID) (changed bool, err error) {
	p, err := lockProfile(ctx, tx, id)
	if err != nil {
		return false, err
	}
	n, err := tx.Exec(ctx, restoreStmt, id)
	if err != nil {
		return false, fmt.Errorf("user.restore %s: %w", id, err)
	}
	if n == 0 {
		return false, nil
	}
	return true, list(ctx, tx, p)
}
