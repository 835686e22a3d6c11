package signin

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/signin/telephony"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

const (
	startTimeout       = 4 * time.Second       // limit of a start, including the provider's response
	startRecheck       = 50 * time.Millisecond // interval at which a start checks whether a concurrent start for the phone is done
	reservationTimeout = 10 * time.Second      // how long other starts for the phone wait if an instance dies during a start
)

// PhoneStart is a request to start a challenge.
type PhoneStart struct {
	Number    string             // of the phone, in any usual spelling
	Challenge domain.ChallengeID // a challenge that the client has begun; zero: none
	Address   netip.Addr         // of the client

	// Tokens of a session on the client, valid or expired; may be empty.
	AccessToken, RefreshToken string
}

// StartPhone asks the provider to expect a call from a phone. It does not look for an
// account, so the response cannot reveal whether there is one.
//
// Each start gets a challenge of its own, with a number that no open challenge of the
// phone has: a call verifies one challenge. If the provider has no other number, StartPhone
// returns domain.RateLimited until the challenge ends. Only a client that sends the id of
// an open challenge gets that challenge again. If the provider fails, StartPhone stores
// nothing and returns domain.ServiceUnavailable within startTimeout.
func (s *Service) StartPhone(ctx context.Context, r PhoneStart) (PhoneChallenge, error) {
	phone, err := s.parsePhone(r.Number)
	if err != nil {
		return PhoneChallenge{}, err
	}
	if s.Phone.Provider == nil {
		return PhoneChallenge{}, domain.ServiceUnavailable
	}
	if c, open, err := s.openChallenge(ctx, r.Challenge, phone); err != nil || open {
		return c.started(s.Clock.Now()), err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	c, err := s.reserve(ctx, phone)
	if err != nil {
		return PhoneChallenge{}, err
	}
	if err := s.requestNumber(ctx, &c, r); err != nil {
		s.release(ctx, c)
		return PhoneChallenge{}, fmt.Errorf("signin.start_phone: %w", err)
	}
	return c.started(s.Clock.Now()), nil
}

// openChallenge returns the challenge of an id if it is for the phone and its session can
// still be fetched.
func (s *Service) openChallenge(ctx context.Context, id domain.ChallengeID, phone user.Phone) (c challenge, open bool, err error) {
	if id.IsZero() {
		return challenge{}, false, nil
	}
	now := s.Clock.Now()
	c, err = s.challenge(ctx, id, now)
	if errors.Is(err, domain.Unauthorized) {
		return challenge{}, false, nil
	}
	return c, c.phone == phone && c.redeemedAt == nil && now.Before(c.expiresAt), err
}

// reserve inserts a challenge without a number. A unique index allows one per phone, so
// the concurrent starts for a phone ask the provider one after the other.
func (s *Service) reserve(ctx context.Context, phone user.Phone) (challenge, error) {
	c := challenge{id: newChallengeID(), phone: phone, provider: s.Phone.Provider.Name()}
	for {
		reserved, err := s.tryReserve(ctx, c)
		switch {
		case ctx.Err() != nil:
			s.release(ctx, c) // the last try may have inserted it
			return c, fmt.Errorf("signin.start_phone: another start is in progress: %w", domain.ServiceUnavailable)
		case err != nil || reserved:
			return c, err
		}
		select {
		case <-time.After(startRecheck):
		case <-ctx.Done():
		}
	}
}

func (s *Service) tryReserve(ctx context.Context, c challenge) (reserved bool, err error) {
	now := s.Clock.Now()
	err = s.DB.InTx(db.Preparation(ctx), func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, closeExpiredStmt, c.phone, now); err != nil {
			return err
		}
		inserted, err := tx.Exec(ctx, reserveStmt, challengeHash(c.id), c.phone, c.provider, now, now.Add(reservationTimeout))
		reserved = inserted == 1
		return err
	})
	return reserved, err
}

// release deletes a reservation even if the client has disconnected or the timeout has
// passed. If this fails, the reservation expires.
func (s *Service) release(ctx context.Context, c challenge) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
	defer cancel()
	_, _ = s.DB.Exec(ctx, releaseStmt, challengeHash(c.id))
}

// requestNumber asks the provider for a number that no other challenge of the phone has,
// and stores it. Every refusal names the time at which a start can succeed.
func (s *Service) requestNumber(ctx context.Context, c *challenge, r PhoneStart) error {
	taken, freeAt, err := s.takenNumbers(ctx, c.phone)
	if err != nil {
		return err
	}
	var busy error
	if len(taken) > 0 && !s.Phone.Provider.SeveralNumbers() {
		busy = ratelimit.RetryIn(freeAt.Sub(s.Clock.Now()))
	}
	counts, err := s.countStart(ctx, c.phone, r, busy)
	if err != nil {
		return err
	}
	expected, err := s.Phone.Provider.Expect(ctx, string(c.phone), taken)
	if errors.Is(err, telephony.ErrNoNumber) {
		s.Limits.RefundAll(ctx, counts...)
		return ratelimit.RetryIn(freeAt.Sub(s.Clock.Now()))
	}
	if err == nil {
		err = s.assignNumber(ctx, c, expected)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", domain.ServiceUnavailable, err)
	}
	return nil
}

// takenNumbers returns the numbers of the phone's open challenges, and the first time at
// which one of them is free.
func (s *Service) takenNumbers(ctx context.Context, phone user.Phone) (taken []string, freeAt time.Time, err error) {
	taken, err = db.All(ctx, s.DB, func(row db.Row, number *string) error {
		var expiresAt time.Time
		err := row.Scan(number, &expiresAt)
		if freeAt.IsZero() {
			freeAt = expiresAt
		}
		return err
	}, takenNumbersStmt, phone)
	return taken, freeAt, err
}

var errReservationLost = errors.New("the reservation has expired, or the provider already expects this call")

func (s *Service) assignNumber(ctx context.Context, c *challenge, e telephony.Expected) error {
	now := s.Clock.Now()
	c.ref, c.number, c.pretty = e.Ref, e.Number, e.Pretty
	if c.pretty == "" {
		c.pretty = user.Phone(e.Number).Pretty()
	}
	c.expiresAt = now.Add(min(callLifetime, e.Within))
	assigned, err := s.DB.Exec(ctx, assignNumberStmt, challengeHash(c.id), c.ref, c.number, c.pretty, c.expiresAt, now)
	if err == nil && assigned == 0 || db.UniqueViolation(err) { // the text of a violation would name the phone
		return errReservationLost
	}
	return err
}

var (
	closeExpiredStmt = db.SQL("signin.close_expired", `
		UPDATE phone_challenges SET open = FALSE WHERE phone = $1 AND open AND expires_at <= $2`)

	// reserveStmt inserts nothing while another start for the phone is in progress.
	reserveStmt = db.SQL("signin.reserve", `
		INSERT INTO phone_challenges (id_hash, phone, open, provider, created_at, expires_at)
		VALUES ($1, $2, TRUE, $3, $4, $5)
		ON CONFLICT (phone, call_phone) WHERE open DO NOTHING`)

	takenNumbersStmt = db.SQL("signin.taken_numbers", `
		SELECT call_phone, expires_at FROM phone_challenges
		WHERE phone = $1 AND open AND ref IS NOT NULL ORDER BY expires_at`)

	// assignNumberStmt lets only calls from now on verify the challenge: earlier ones were
	// for another challenge that had the number.
	assignNumberStmt = db.SQL("signin.assign_number", `
		UPDATE phone_challenges SET ref = $2, call_phone = $3, call_pretty = $4, expires_at = $5, created_at = $6
		WHERE id_hash = $1 AND open AND ref IS NULL AND expires_at > $6`)

	releaseStmt = db.SQL("signin.release", `DELETE FROM phone_challenges WHERE id_hash = $1 AND ref IS NULL`)
)
