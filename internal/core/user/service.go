package user

import (
	"context"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// Service implements the use cases of accounts and profiles.
type Service struct {
	DB           *db.DB
	Clock        domain.Clock
	Moderators   Moderators
	TestProfiles TestProfiles // accounts that search omits
	// OnEmailProved is called in the transaction in which a user has just proved to read the
	// e-mails to the address of the account; may be nil.
	OnEmailProved func(ctx context.Context, tx db.Tx, id domain.UserID)
	// OnKnown is called in the transaction in which somebody signs in by an address that has an account.
	OnKnown func(ctx context.Context, tx db.Tx, id domain.UserID)
}

// publicStmt hides suspended accounts and those that block the viewer $2.
var publicStmt = db.SQL("user.public", `
	SELECT `+Columns("p")+` FROM profiles p JOIN users u ON u.id = p.user_id
	WHERE p.user_id = $1 AND u.suspended_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = p.user_id AND b.blocked_id = $2)`)

// Public returns the profile of a user as the viewer sees it. It returns
// domain.NotFound for a user who is unknown, suspended or blocks the viewer:
// these look the same (contract §3).
func (s *Service) Public(ctx context.Context, v domain.Viewer, id domain.UserID) (Public, error) {
	cache.Until(ctx, time.Time{})
	var c ProfileColumns
	if err := s.DB.One(ctx, publicStmt, id, v.UserID).ScanOr(domain.NotFound, c.Dest()...); err != nil {
		return Public{}, err
	}
	return *c.Public(), nil
}

const accountSQL = `
	SELECT u.email, u.email_key, u.email_verified, u.phone, u.created_at, p.created_at, p.updated_at, `

var (
	accountStmt = db.SQL("user.account", accountSQL+Columns("p")+`
		FROM users u JOIN profiles p ON p.user_id = u.id WHERE u.id = $1`)
	accountForUpdateStmt = db.SQL("user.account_for_update", accountSQL+Columns("p")+`
		FROM users u JOIN profiles p ON p.user_id = u.id WHERE u.id = $1 FOR UPDATE OF p`)
	byEmailStmt = db.SQL("user.by_email", `SELECT id FROM users WHERE email_key = $1`)
)

// Account returns the user's own view of their account. It returns
// domain.NotFound if the account does not exist.
func (s *Service) Account(ctx context.Context, q db.Querier, id domain.UserID) (Account, error) {
	return s.account(ctx, q, accountStmt, id)
}

func (s *Service) account(ctx context.Context, q db.Querier, stmt *db.Stmt, id domain.UserID) (Account, error) {
	var a Account
	var emailKey *string
	var verified bool
	var c ProfileColumns
	err := q.One(ctx, stmt, id).ScanOr(domain.NotFound, append([]any{&a.Email, &emailKey, &verified, &a.Phone, &a.CreatedAt,
		&a.Profile.CreatedAt, &a.Profile.UpdatedAt}, c.Dest()...)...)
	if err != nil {
		return Account{}, err
	}
	a.Profile.Public = *c.Public()
	a.Moderator = s.Moderators.Include(id, emailKey, verified)
	return a, nil
}

// Me returns the viewer's account.
func (s *Service) Me(ctx context.Context, v domain.Viewer) (Account, error) {
	return s.Account(ctx, s.DB, v.UserID)
}

// ByEmail returns the account of an address. It returns domain.NotFound if there
// is none.
func (s *Service) ByEmail(ctx context.Context, q db.Querier, e Email) (id domain.UserID, err error) {
	err = q.One(ctx, byEmailStmt, e.Key).ScanOr(domain.NotFound, &id)
	return id, err
}

var (
	updateStmt = db.SQL("user.update", `
		UPDATE profiles SET display_name = $2, username = $3, avatar_url = $4, city = $5, interests = $6, words = $7, updated_at = $8,
			name_chosen = $9
		WHERE user_id = $1`)

	markTestStmt = db.SQL("user.mark_test", `UPDATE users SET test_profile = TRUE WHERE id = $1 AND NOT test_profile`)
)

// Update changes the viewer's profile and returns the account. It returns an
// error that names every invalid field, domain.UsernameTaken, or domain.RateLimited
// after many changes of the username. If nothing changes, UpdatedAt stays.
func (s *Service) Update(ctx context.Context, v domain.Viewer, c Change) (Account, error) {
	c, err := c.validated()
	if err != nil {
		return Account{}, err
	}
	var after Account
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		a, err := s.account(ctx, tx, accountForUpdateStmt, v.UserID)
		if err != nil {
			return err
		}
		before := a.Profile.Public
		if a.Profile.Public = c.apply(before); !a.Profile.equal(before) {
			a.Profile.UpdatedAt = s.Clock.Now()
			err = s.store(ctx, tx, before, a.Profile)
		}
		after = a
		return err
	})
	return after, err
}

// setAvatarStmt changes nothing if the avatar is the same.
var setAvatarStmt = db.SQL("user.set_avatar", `
	UPDATE profiles SET avatar_url = $2, updated_at = $3 WHERE user_id = $1 AND avatar_url IS DISTINCT FROM $2`)

// SetAvatar gives a user an avatar, nil for none.
func SetAvatar(ctx context.Context, tx db.Tx, id domain.UserID, url *string, now time.Time) {
	tx.Changed(Profile.Of(id))
	tx.Queue(ctx, setAvatarStmt, id, url, now)
}

// store writes a changed profile and its search index.
func (s *Service) store(ctx context.Context, tx db.Tx, before Public, p Own) error {
	tx.Changed(Profile.Of(p.UserID))
	_, err := tx.Exec(ctx, updateStmt, p.UserID, p.DisplayName, p.Username, p.AvatarURL, p.City,
		encodeInterests(p.Interests), IndexOf(p.Public).Words, p.UpdatedAt, p.NameChosen)
	if db.UniqueViolation(err) {
		return domain.UsernameTaken
	}
	if err != nil {
		return err
	}
	if p.Username != before.Username {
		if err := s.rename(ctx, tx, before.Username, p); err != nil {
			return err
		}
	}
	if !p.sameIndex(before) {
		unindex(ctx, tx, before)
		index(ctx, tx, p.Public)
	}
	return nil
}
