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
	verifiedByEmailStmt = db.SQL("user.verified_by_email", `
		SELECT id FROM users WHERE email_key = $1 AND email_verified`)

	insertNamelessUserStmt = db.SQL("user.insert_nameless_user", `
		INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)
)

// FindOrCreateVouched gives the account of a person whom an identity provider
// vouches for and who has none with that provider yet: the account of the
// address when both sides have verified it, else a new one. An address that
// somebody has merely claimed here stays theirs: the new account has none then.
// The address is nil when the provider has verified none; the name may be
// anything.
func (s *Service) FindOrCreateVouched(ctx context.Context, tx db.Tx, e *Email, name string, now time.Time) (domain.UserID, error) {
	id := domain.NewID[domain.UserKind](now)
	known, err := s.createVouched(ctx, tx, &id, e, now)
	if err == nil && !known {
		name, wrong := cleanDisplayName(name)
		if wrong != nil {
			name = ""
		}
		err = createProfile(ctx, tx, id, name, now)
	}
	if err != nil {
		return domain.UserID{}, fmt.Errorf("user.find_or_create_vouched: %w", err)
	}
	return id, nil
}

// createVouched makes an account with the id, or sets the id to that of the
// account known by the address.
func (s *Service) createVouched(ctx context.Context, tx db.Tx, id *domain.UserID, e *Email, now time.Time) (known bool, err error) {
	if e != nil {
		made, err := tx.Exec(ctx, insertUserStmt, *id, e.Address, e.Key, true, s.TestProfiles.match(e.Key), now)
		if err != nil || made == 1 {
			return false, err
		}
		err = tx.One(ctx, verifiedByEmailStmt, e.Key).Scan(id)
		if !errors.Is(err, db.ErrNoRow) {
			return err == nil, err
		}
	}
	_, err = tx.Exec(ctx, insertNamelessUserStmt, *id, now)
	return false, err
}
