package user

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// exported is the account and its profile, as its owner sees it.
type exported struct {
	UserID      domain.UserID `json:"user_id"`
	Email       *string       `json:"email"`
	Phone       *string       `json:"phone"`
	DisplayName string        `json:"display_name"`
	Username    string        `json:"username"`
	AvatarURL   *string       `json:"avatar_url"`
	City        *string       `json:"city"`
	Interests   []string      `json:"interests"`
	CreatedAt   time.Time     `json:"created_at"`
	UpdatedAt   time.Time     `json:"updated_at"`
}

// Export gives the account; domain.NotFound when there is none.
func (s *Service) Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	a, err := s.Account(ctx, q, user)
	p := a.Profile
	return exported{
		UserID: p.UserID, Email: a.Email, Phone: a.Phone, DisplayName: p.DisplayName, Username: p.Username,
		AvatarURL: p.AvatarURL, City: p.City, Interests: p.Interests, CreatedAt: a.CreatedAt, UpdatedAt: p.UpdatedAt,
	}, err
}

var (
	forgetProfileStmt = db.SQL("user.forget_profile", `DELETE FROM profiles WHERE user_id = $1`)

	// A deleted account counts as suspended, so that whatever asks for the one
	// need not ask for the other.
	forgetUserStmt = db.SQL("user.forget_user", `
		UPDATE users SET email = NULL, email_key = NULL, email_verified = FALSE, phone = NULL,
			suspended_at = COALESCE(suspended_at, $2), deleted_at = COALESCE(deleted_at, $2)
		WHERE id = $1`)
)

// Erase removes the profile and leaves of the account the id and the dates:
// other rows refer to it, and show nobody in its place.
func (s *Service) Erase(ctx context.Context, tx db.Tx, user domain.UserID, now time.Time) error {
	p, err := lockProfile(ctx, tx, user)
	if err == nil {
		err = unlist(ctx, tx, p)
	}
	if err != nil && !errors.Is(err, domain.NotFound) {
		return err
	}
	if _, err := tx.Exec(ctx, forgetProfileStmt, user); err != nil {
		return fmt.Errorf("user.forget %s: %w", user, err)
	}
	if _, err := tx.Exec(ctx, forgetUserStmt, user, now); err != nil {
		return fmt.Errorf("user.forget %s: %w", user, err)
	}
	return nil
}

// ByEmail finds the account of an address; domain.NotFound when it has none.
func (s *Service) ByEmail(ctx context.Context, q db.Querier, e Email) (domain.UserID, error) {
	id, found, err := byEmail(ctx, q, e)
	if err == nil && !found {
		err = domain.NotFound
	}
	return id, err
}
