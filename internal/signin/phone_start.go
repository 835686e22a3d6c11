package signin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/session"
	"moothall/internal/user"
)

const (
	startTimeout       = 4 * time.Second       // limit of a start, including the provider's response
	startRecheck       = 50 * time.Millisecond // interval at which a start checks whether a concurrent start of the same client is done
	reservationTimeout = 10 * time.Second      // how long the phone stays blocked if an instance dies during a start
)

// StartPhone asks the provider to expect a call from a phone. It does not look for an
// account, so the response cannot reveal whether there is one.
//
// A phone has one open challenge at a time. The client that started it gets the
// same challenge again; other clients get domain.RateLimited until it ends. If the
// provider fails, StartPhone stores nothing and returns domain.ServiceUnavailable
// within startTimeout.
func (s *Service) StartPhone(ctx context.Context, number string, c session.Client) (PhoneChallenge, error) {
	phone, err := s.Phone.Rules.Parse(number)
	if err != nil {
		return PhoneChallenge{}, domain.Invalid("/phone", err.Error())
	}
	if s.Phone.Provider == nil {
		return PhoneChallenge{}, domain.ServiceUnavailable
	}
	for _, rule := range []ratelimit.Rule{PhoneStartPerPhone, PhoneStartPerPhoneDay} {
		if err := s.Limits.Spend(ctx, rule, string(phone)); err != nil {
			return PhoneChallenge{}, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		open, reserved, err := s.reserve(ctx, phone, c)
		switch {
		case err != nil:
			return PhoneChallenge{}, err
		case reserved:
			return s.requestNumber(ctx, open)
		case !bytes.Equal(open.starter, s.clientKey(c)):
			return PhoneChallenge{}, ratelimit.RetryIn(open.expiresAt.Sub(s.Clock.Now()))
		case open.ref != nil:
			return s.started(open, s.Clock.Now()), nil
		}
		select {
		case <-time.After(startRecheck):
		case <-ctx.Done():
			return PhoneChallenge{}, fmt.Errorf("signin.start_phone: another start is in progress: %w", domain.ServiceUnavailable)
		}
	}
}

// reserve inserts a challenge without a number. If the phone has an open challenge, it
// returns that one and reserved is false. A unique index allows one open challenge.
func (s *Service) reserve(ctx context.Context, phone user.Phone, c session.Client) (open challenge, reserved bool, err error) {
	now := s.Clock.Now()
	open = challenge{seed: newSeed(), phone: phone, starter: s.clientKey(c),
		provider: s.Phone.Provider.Name(), expiresAt: now.Add(reservationTimeout)}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, closeExpiredStmt, phone, now); err != nil {
			return err
		}
		hash := challengeHash(s.challengeID(open.seed))
		inserted, err := tx.Exec(ctx, reserveStmt, hash, open.seed, phone, open.starter, open.provider, now, open.expiresAt)
		reserved = inserted == 1
		return err
	})
	if err != nil || reserved {
		return open, reserved, err
	}
	found, err := s.DB.One(ctx, openChallengeStmt, phone).Find(open.dest()...)
	if err == nil && !found { // it has just ended
		return s.reserve(ctx, phone, c)
	}
	return open, false, err
}

// requestNumber asks the provider for a number to call. It deletes the
// reservation if there is none.
func (s *Service) requestNumber(ctx context.Context, c challenge) (PhoneChallenge, error) {
	hash := challengeHash(s.challengeID(c.seed))
	err := s.assignNumber(ctx, hash, &c)
	if err == nil {
		return s.started(c, s.Clock.Now()), nil
	}
	// Delete it even if the client has disconnected or the timeout has passed. If this
	// fails, the reservation expires.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
	defer cancel()
	_, _ = s.DB.Exec(ctx, releaseStmt, hash)
	return PhoneChallenge{}, fmt.Errorf("signin.start_phone: %w: %w", domain.ServiceUnavailable, err)
}

var errReservationLost = errors.New("the reservation has expired, or the provider already expects this call")

func (s *Service) assignNumber(ctx context.Context, hash []byte, c *challenge) error {
	if err := s.Limits.Spend(ctx, PhoneStartsPerDay, ""); err != nil {
		return err
	}
	expected, err := s.Phone.Provider.Expect(ctx, string(c.phone))
	if err != nil {
		return err
	}
	now := s.Clock.Now()
	c.ref, c.number, c.pretty = &expected.Ref, &expected.Number, &expected.Pretty
	if *c.pretty == "" {
		*c.pretty = user.Phone(expected.Number).Pretty()
	}
	c.expiresAt = now.Add(min(callLifetime, expected.Within))
	assigned, err := s.DB.Exec(ctx, assignNumberStmt, hash, c.ref, c.number, c.pretty, c.expiresAt, now)
	if err == nil && assigned == 0 || db.UniqueViolation(err) { // the text of a violation would name the phone
		return errReservationLost
	}
	return err
}

var (
	closeExpiredStmt = db.SQL("signin.close_expired", `
		UPDATE phone_challenges SET open = FALSE WHERE phone = $1 AND open AND expires_at <= $2`)

	// reserveStmt inserts nothing while the phone has an open challenge.
	reserveStmt = db.SQL("signin.reserve", `
		INSERT INTO phone_challenges (id_hash, seed, phone, starter, open, provider, created_at, expires_at)
		VALUES ($1, $2, $3, $4, TRUE, $5, $6, $7)
		ON CONFLICT (phone) WHERE open DO NOTHING`)

	assignNumberStmt = db.SQL("signin.assign_number", `
		UPDATE phone_challenges SET ref = $2, call_phone = $3, call_pretty = $4, expires_at = $5
		WHERE id_hash = $1 AND open AND ref IS NULL AND expires_at > $6`)

	releaseStmt = db.SQL("signin.release", `DELETE FROM phone_challenges WHERE id_hash = $1 AND verified_at IS NULL`)
)
