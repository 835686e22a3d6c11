package user

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Accounts are what concurrent requests lock, so that a rule such as "a block also ends
// invitations" holds whichever commits last (docs/concurrency.md):
//
//   - every transaction of a signed-in user locks their own account first (LockCaller);
//   - a block, suspension or deletion also locks the accounts that it concerns (Lock);
//   - a transaction that stores a row about another user shares that account (Share).
//
// The locks are taken by their own statements: the next statement sees what the transaction
// that held the lock has committed. They are NO KEY UPDATE, which does not conflict with
// the checks of foreign keys.
var (
	lockCallerStmt = db.SQL("user.lock_caller", `SELECT 1 FROM users WHERE id = $1 AND suspended_at IS NULL FOR NO KEY UPDATE`)
	lockStmt       = db.SQL("user.lock_account", `SELECT 1 FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`)
	shareStmt      = db.SQL("user.share_account", `SELECT 1 FROM users WHERE id = $1 FOR SHARE`)
)

// LockCaller locks the account of a signed-in viewer. The transaction fails with
// domain.Unauthorized if the account was suspended or deleted after its session was read.
func LockCaller(ctx context.Context, tx db.Tx, v domain.Viewer) {
	if v.SignedIn() {
		tx.Lock(ctx, lockCallerStmt, domain.ID[any](v.UserID)).Require(domain.Unauthorized)
	}
}

// Lock locks an account that the transaction changes. The transaction fails with
// domain.NotFound if there is no such account. Call it before the first statement.
func Lock(ctx context.Context, tx db.Tx, id domain.UserID) {
	tx.Lock(ctx, lockStmt, domain.ID[any](id)).Require(domain.NotFound)
}

var suspendedStmt = db.SQL("user.is_suspended", `SELECT suspended_at IS NOT NULL FROM users WHERE id = $1`)

// IsSuspended shares an account, and reports whether it is suspended or deleted.
func IsSuspended(ctx context.Context, tx db.Tx, id domain.UserID) (suspended bool, err error) {
	Share(ctx, tx, id)
	err = tx.One(ctx, suspendedStmt, id).Scan(&suspended)
	return suspended, err
}

// FirstActive returns the first of some users who is neither suspended nor deleted, or the zero id. It shares the accounts that it reads.
func FirstActive(ctx context.Context, tx db.Tx, users []domain.UserID) (domain.UserID, error) {
	for _, id := range users {
		suspended, err := IsSuspended(ctx, tx, id)
		if err != nil || !suspended {
			return id, err
		}
	}
	return domain.UserID{}, nil
}

// Share locks accounts against Lock, if they exist. Call it before the first statement.
func Share(ctx context.Context, tx db.Tx, ids ...domain.UserID) {
	for _, id := range ids {
		tx.Lock(ctx, shareStmt, domain.ID[any](id))
	}
}
