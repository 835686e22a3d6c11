package user

import (
	"context"
	"errors"
	"fmt"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var publicStmt = db.SQL("user.public", `
	SELECT `+Columns("p")+` FROM profiles p JOIN users u ON u.id = p.user_id
	WHERE p.user_id = $1 AND u.suspended_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = p.user_id AND b.blocked_id = $2)`,
	db.Key{Table: "profiles", Param: 1}, db.Key{Table: "users", Param: 1}, db.Key{Table: "blocks", Param: 1})

// public reads a profile for a viewer, the zero id for nobody. A suspended
// account is gone, and so is one that blocks the viewer: domain.NotFound.
func public(ctx context.Context, q db.Querier, id, viewer domain.UserID) (Public, error) {
	var p Public
	err := Scan(q.One(ctx, publicStmt, id, viewer), &p)
	if errors.Is(err, db.ErrNoRow) {
		return Public{}, domain.NotFound
	}
	if err != nil {
		return Public{}, fmt.Errorf("user.public %s: %w", id, err)
	}
	return p, nil
}

const accountSQL = `
	SELECT u.email, u.email_key, u.email_verified, u.phone, u.created_at, p.created_at, p.updated_at, `

var (
	accountStmt = db.SQL("user.account", accountSQL+Columns("p")+`
		FROM users u JOIN profiles p ON p.user_id = u.id WHERE u.id = $1`)
	accountForUpdateStmt = db.SQL("user.account_for_update", accountSQL+Columns("p")+`
		FROM users u JOIN profiles p ON p.user_id = u.id WHERE u.id = $1 FOR UPDATE OF p`)
)

func (s *Service) account(ctx context.Context, q db.Querier, stmt *db.Stmt, id domain.UserID) (Account, error) {
	var a Account
	var emailKey *string
	var verified bool
	var c Columned
	err := q.One(ctx, stmt, id).Scan(append([]any{&a.Email, &emailKey, &verified, &a.Phone, &a.CreatedAt,
		&a.Profile.CreatedAt, &a.Profile.UpdatedAt}, c.Dest()...)...)
	if errors.Is(err, db.ErrNoRow) {
		return Account{}, domain.NotFound
	}
	if err != nil {
		return Account{}, fmt.Errorf("user.account %s: %w", id, err)
	}
	a.Profile.Public = *c.Public()
	a.Moderator = s.moderators.Include(id, emailKey, verified)
	return a, nil
}

var updateStmt = db.SQL("user.update", `
	UPDATE profiles SET display_name = $2, username = $3, avatar_url = $4, city = $5, interests = $6, words = $7, updated_at = $8
	WHERE user_id = $1`, db.Key{Table: "profiles", Param: 1})

// update writes a profile; domain.UsernameTaken when the unique index says so.
func update(ctx context.Context, tx db.Tx, p Own) error {
	_, err := tx.Exec(ctx, updateStmt, p.UserID, p.DisplayName, p.Username, p.AvatarURL, p.City,
		encodeInterests(p.Interests), listingOf(p.Public).words, p.UpdatedAt)
	if db.UniqueViolation(err) {
		return domain.UsernameTaken
	}
	if err != nil {
		return fmt.Errorf("user.update %s: %w", p.UserID, err)
	}
	return nil
}

var (
	byEmailStmt = db.SQL("user.by_email", `SELECT id FROM users WHERE email_key = $1`)

	insertUserStmt = db.SQL("user.insert_user", `
		INSERT INTO users (id, email, email_key, email_verified, test_profile, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (email_key) WHERE email_key IS NOT NULL DO NOTHING`)

	byPhoneStmt = db.SQL("user.by_phone", `SELECT id FROM users WHERE phone = $1`)

	insertPhoneUserStmt = db.SQL("user.insert_phone_user", `
		INSERT INTO users (id, phone, email_verified, test_profile, created_at)
		VALUES ($1, $2, FALSE, FALSE, $3)
		ON CONFLICT (phone) WHERE phone IS NOT NULL DO NOTHING`)

	insertProfileStmt = db.SQL("user.insert_profile", `
		INSERT INTO profiles (user_id, display_name, username, interests, words, created_at, updated_at)
		VALUES ($1, $2, $3, '[]', $4, $5, $5)
		ON CONFLICT (username) DO NOTHING`, db.Key{Table: "profiles", Param: 1})

	markTestStmt = db.SQL("user.mark_test", `UPDATE users SET test_profile = TRUE WHERE id = $1 AND NOT test_profile`)

	verifyEmailStmt = db.SQL("user.verify_email", `
		UPDATE users SET email_verified = TRUE WHERE id = $1 AND NOT email_verified`)
)

func byEmail(ctx context.Context, q db.Querier, e Email) (id domain.UserID, found bool, err error) {
	err = q.One(ctx, byEmailStmt, e.Key).Scan(&id)
	if errors.Is(err, db.ErrNoRow) {
		return id, false, nil
	}
	return id, err == nil, err
}
