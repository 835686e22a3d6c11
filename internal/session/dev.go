package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/user"
)

// Challenge is a code that was sent.
type Challenge struct {
	ExpiresAt time.Time
	Code      string // empty unless the deployment exposes it
}

// StartDev sends a code to an address. It never looks for an account, so the
// answer cannot tell whether there is one. Within resendAfter a start gives the
// same code again with the tries that are left: repeating it helps nobody to
// guess, and takes no code away from the one who is typing it. A later start, or
// one after the last try, replaces the code. It is mailed in the best of the
// languages, an Accept-Language, that there is.
func (s *Service) StartDev(ctx context.Context, address, languages string) (Challenge, error) {
	e, err := user.ParseEmail(address)
	if err != nil {
		return Challenge{}, domain.Invalid("/email", err.Error())
	}
	if err := s.opts.Limits.Spend(ctx, ratelimit.DevStartPerEmail, e.Key); err != nil {
		return Challenge{}, fmt.Errorf("session.start_dev: %w", err)
	}
	now := s.clock.Now()
	c := Challenge{ExpiresAt: now.Add(codeLifetime)}
	var seed []byte
	err = s.db.InTx(ctx, func(tx db.Tx) error {
		return tx.One(ctx, startCodeStmt, e.Key, newSeed(), codeTries, c.ExpiresAt, now, now.Add(-resendAfter)).Scan(&seed)
	})
	if err != nil {
		return Challenge{}, fmt.Errorf("session.start_dev: %w", err)
	}
	code := codeOf(s.opts.Key, seed, e)
	if err := s.mailCode(ctx, e, code, languages); err != nil {
		return Challenge{}, err
	}
	if s.opts.ExposeCode {
		c.Code = code
	}
	return c, nil
}

// VerifyDev trades a code for a session, making the account when there is none.
// A wrong, used or expired code, one of another address and a suspended account
// are all domain.Unauthorized.
func (s *Service) VerifyDev(ctx context.Context, address, code string, c Client) (SignedIn, error) {
	e, err := user.ParseEmail(address)
	if err != nil {
		return SignedIn{}, domain.Invalid("/email", err.Error())
	}
	now := s.clock.Now()
	var in *SignedIn
	err = s.db.InTx(ctx, func(tx db.Tx) error {
		in = nil
		good, err := s.redeem(ctx, tx, e, code, now)
		if err != nil || !good {
			return err // without an error, so that the try stays paid for
		}
		user, err := s.profiles.FindOrCreateByEmail(ctx, tx, e, true, now)
		if err != nil {
			return err
		}
		in, err = s.start(ctx, tx, user, DevEmail, c, now)
		return err
	})
	if err != nil {
		return SignedIn{}, fmt.Errorf("session.verify_dev: %w", err)
	}
	if in == nil {
		return SignedIn{}, domain.Unauthorized
	}
	return *in, nil
}

// redeem pays for a try and uses the code up when it is the right one. The row
// stays locked until the transaction ends, so a code is used once.
func (s *Service) redeem(ctx context.Context, tx db.Tx, e user.Email, code string, now time.Time) (good bool, err error) {
	var seed []byte
	err = tx.One(ctx, tryCodeStmt, e.Key, now).Scan(&seed)
	if errors.Is(err, db.ErrNoRow) {
		return false, nil
	}
	if err != nil || !sameCode(code, codeOf(s.opts.Key, seed, e)) {
		return false, err
	}
	_, err = tx.Exec(ctx, redeemCodeStmt, e.Key)
	return err == nil, err
}
