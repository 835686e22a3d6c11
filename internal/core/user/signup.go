package user

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

var (
	insertUserStmt = db.SQL("user.insert_user", `
		INSERT INTO users (id, email, email_key, email_verified, test_profile, created_at)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (email_key) WHERE email_key IS NOT NULL DO NOTHING`)

	insertPhoneUserStmt = db.SQL("user.insert_phone_user", `
		INSERT INTO users (id, phone, email_verified, test_profile, created_at)
		VALUES ($1, $2, FALSE, FALSE, $3)
		ON CONFLICT (phone) WHERE phone IS NOT NULL DO NOTHING`)

	insertBareUserStmt = db.SQL("user.insert_bare_user", `
		INSERT INTO users (id, email_verified, test_profile, created_at) VALUES ($1, FALSE, FALSE, $2)`)

	byPhoneStmt = db.SQL("user.by_phone", `SELECT id FROM users WHERE phone = $1`)

	byVerifiedEmailStmt = db.SQL("user.by_verified_email", `
		SELECT id FROM users WHERE email_key = $1 AND email_verified`)

	verifyEmailStmt = db.SQL("user.verify_email", `
		UPDATE users SET email_verified = TRUE WHERE id = $1 AND NOT email_verified`)

	insertProfileStmt = db.SQL("user.insert_profile", `
		INSERT INTO profiles (user_id, display_name, username, interests, words, name_chosen, created_at, updated_at)
		SELECT $1, $2, $3, '[]', $4, FALSE, $5, $5 WHERE NOT EXISTS (SELECT 1 FROM former_usernames f WHERE f.username = $3)
		ON CONFLICT (username) DO NOTHING`)
)

// FindOrCreateByEmail returns the account of an address and creates it if there
// is none. verified means that the user has just proved to own the address.
// Concurrent first sign-ins with one address create one account.
func (s *Service) FindOrCreateByEmail(ctx context.Context, tx db.Tx, e Email, verified bool, now time.Time) (id domain.UserID, err error) {
	found, err := tx.One(ctx, byEmailStmt, e.Key).Find(&id)
	if err == nil && !found {
		id = domain.NewID[domain.UserKind](now)
		inserted, err := tx.Exec(ctx, insertUserStmt, id, e.Address, e.Key, verified, s.TestProfiles.match(e.Key), now)
		if err != nil {
			return id, err
		}
		if inserted == 1 {
			return id, createProfile(ctx, tx, id, "", now)
		}
		if err := tx.One(ctx, byEmailStmt, e.Key).Scan(&id); err != nil { // created by a concurrent request
			return id, err
		}
	}
	if err == nil && verified {
		_, err = tx.Exec(ctx, verifyEmailStmt, id)
		if s.OnEmailProved != nil {
			s.OnEmailProved(ctx, tx, id)
		}
		if s.OnKnown != nil {
			s.OnKnown(ctx, tx, id)
		}
	}
	return id, err
}

// FindOrCreateByPhone returns the account of a phone whose user has just called
// from it, and creates it if there is none. Concurrent first sign-ins with one
// phone create one account.
func (s *Service) FindOrCreateByPhone(ctx context.Context, tx db.Tx, p Phone, now time.Time) (domain.UserID, error) {
	id := domain.NewID[domain.UserKind](now)
	inserted, err := tx.Exec(ctx, insertPhoneUserStmt, id, p, now)
	if err == nil && inserted == 1 {
		err = createProfile(ctx, tx, id, "", now)
	} else if err == nil {
		err = tx.One(ctx, byPhoneStmt, p).Scan(&id)
	}
	return id, err
}

// FindOrCreateVerified returns the account of a user of an identity provider who
// has no account with that provider yet. This is the account of the address if
// both sides have verified it, else a new one. If the address belongs to an
// account that has not verified it, the new account has no address.
//
// e is nil if the provider has verified no address. name may be any text.
func (s *Service) FindOrCreateVerified(ctx context.Context, tx db.Tx, e *Email, name string, now time.Time) (domain.UserID, error) {
	id := domain.NewIDIn[domain.UserKind](ctx, now)
	if e != nil {
		inserted, err := tx.Exec(ctx, insertUserStmt, id, e.Address, e.Key, true, s.TestProfiles.match(e.Key), now)
		if err != nil {
			return id, err
		}
		if inserted == 1 {
			return id, createProfile(ctx, tx, id, name, now)
		}
		var known domain.UserID
		if found, err := tx.One(ctx, byVerifiedEmailStmt, e.Key).Find(&known); err != nil || found {
			if err == nil && s.OnKnown != nil {
				s.OnKnown(ctx, tx, known)
			}
			return known, err
		}
	}
	if _, err := tx.Exec(ctx, insertBareUserStmt, id, now); err != nil {
		return id, err
	}
	return id, createProfile(ctx, tx, id, name, now)
}

// createProfile creates the profile of a new account with a random username. If
// the name is not valid, the display name is random too. The user has chosen neither, so
// searches do not find them yet.
func createProfile(ctx context.Context, tx db.Tx, id domain.UserID, name string, now time.Time) error {
	name, err := cleanDisplayName(name)
	if err != nil {
		name = "User " + randomText("0123456789abcdef", 4)
	}
	for range 10 {
		p := Public{UserID: id, DisplayName: name, Username: "user_" + randomText("0123456789abcdefghijklmnopqrstuvwxyz", 8)}
		inserted, err := tx.Exec(ctx, insertProfileStmt, id, p.DisplayName, p.Username, IndexOf(p).Words, now)
		if err != nil {
			return err
		}
		if inserted == 1 {
			tx.Changed(Profile.Of(id))
			return nil
		}
	}
	return errors.New("user: ten random usernames were taken")
}

func randomText(alphabet string, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[rand.IntN(len(alphabet))]
	}
	return string(text)
}
