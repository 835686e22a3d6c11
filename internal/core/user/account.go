package user

import (
	"context"
	"errors"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	lockProfileStmt = db.SQL("user.lock", `SELECT `+Columns("p")+` FROM profiles p WHERE p.user_id = $1 FOR UPDATE`)

	suspendStmt = db.SQL("user.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1 AND suspended_at IS NULL`)

	restoreStmt = db.SQL("user.restore", `
		UPDATE users SET suspended_at = NULL WHERE id = $1 AND suspended_at IS NOT NULL AND deleted_at IS NULL`)

	// closeStmt also suspends the account, so that other statements need not check for
	// deleted accounts.
	closeStmt = db.SQL("user.close", `
		UPDATE users SET suspended_at = COALESCE(suspended_at, $2), deleted_at = COALESCE(deleted_at, $2) WHERE id = $1`)

	eraseProfileStmt = db.SQL("user.erase_profile", `DELETE FROM profiles WHERE user_id = $1`)

	eraseUserStmt = db.SQL("user.erase_user", `UPDATE users SET email = NULL, email_key = NULL, email_verified = FALSE, phone = NULL
		WHERE id = $1`)
)

// lockProfile reads and locks a profile. It returns domain.NotFound if the
// account does not exist or is deleted.
func lockProfile(ctx context.Context, tx db.Tx, id domain.UserID) (Public, error) {
	var c ProfileColumns
	if err := tx.One(ctx, lockProfileStmt, id).ScanOr(domain.NotFound, c.Dest()...); err != nil {
		return Public{}, err
	}
	return *c.Public(), nil
}

// Suspend suspends an account: nobody can sign in to it or find it until it is
// restored (policy "Seeing an event"). The caller ends its sessions and hides its
// events. changed is false if it was suspended before. It returns
// domain.NotFound if the account does not exist.
func (s *Service) Suspend(ctx context.Context, tx db.Tx, id domain.UserID, now time.Time) (changed bool, err error) {
	n, err := tx.Exec(ctx, suspendStmt, id, now) // first, because it locks the account
	if err != nil {
		return false, err
	}
	p, err := lockProfile(ctx, tx, id)
	if err != nil || n == 0 {
		return false, err
	}
	tx.Changed(Profile.Of(id))
	unindex(ctx, tx, p)
	return true, nil
}

// Restore ends a suspension. changed is false if there was none. It returns
// domain.NotFound if the account does not exist.
func (s *Service) Restore(ctx context.Context, tx db.Tx, id domain.UserID) (changed bool, err error) {
	n, err := tx.Exec(ctx, restoreStmt, id) // first, because it locks the account
	if err != nil {
		return false, err
	}
	p, err := lockProfile(ctx, tx, id)
	if err != nil || n == 0 {
		return false, err
	}
	tx.Changed(Profile.Of(id))
	index(ctx, tx, p)
	return true, nil
}

// exported is the account and its profile in a user's export.
type exported struct {
	UserID      domain.UserID `json:"user_id"`
	Email       *string       `json:"email"`
	Phone       *string       `json:"phone"`
	DisplayName string        `json:"display_name"`
	Username    string        `json:"username"`
	AvatarURL   *string       `json:"avatar_url"`
	City        *string       `json:"city"`
	Interests   []string      `json:"interests"`
	NameChosen  bool          `json:"name_chosen"`
	CreatedAt   time.Time     `json:"created_at"`
	UpdatedAt   time.Time     `json:"updated_at"`

	FormerUsernames []FormerUsername `json:"former_usernames"`
}

// Export returns the account and the profile. It returns domain.NotFound if the
// account does not exist.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	a, err := s.Account(ctx, q, user)
	if err != nil {
		return nil, err
	}
	p := a.Profile
	former, err := readFormer(ctx, q, user, s.Clock.Now())
	return exported{
		UserID: p.UserID, Email: a.Email, Phone: a.Phone, DisplayName: p.DisplayName, Username: p.Username,
		AvatarURL: p.AvatarURL, City: p.City, Interests: p.Interests, NameChosen: p.NameChosen, CreatedAt: a.CreatedAt, UpdatedAt: p.UpdatedAt,
		FormerUsernames: former,
	}, err
}

// Close marks an account as deleted before its data is erased. It locks the account: see
// LockCaller.
func (s *Service) Close(ctx context.Context, tx db.Tx, id domain.UserID, now time.Time) error {
	_, err := tx.Exec(ctx, closeStmt, id, now)
	return err
}

// Erase deletes the profile, all usernames, the e-mail address and the phone. The row in users
// remains, because other rows refer to its id.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	p, err := lockProfile(ctx, tx, user)
	if err == nil {
		unindex(ctx, tx, p)
	} else if !errors.Is(err, domain.NotFound) {
		return err
	}
	tx.Changed(Profile.Of(user))
	tx.Queue(ctx, eraseProfileStmt, user)
	tx.Queue(ctx, eraseFormerStmt, user)
	tx.Queue(ctx, eraseUserStmt, user)
	return nil
}
