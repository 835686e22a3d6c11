package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/session/telephony"
	"moothall/internal/user"
)

const (
	startPatience = 4 * time.Second       // for a whole start, the provider's answer included
	startWait     = 50 * time.Millisecond // between looks at a start of the same client that is under way
	reservedFor   = 10 * time.Second      // how long an instance that dies in a start blocks the phone
)

// StartPhone begins to wait for a call from a phone. It never looks for an
// account, so the answer cannot tell whether there is one. A phone has one open
// challenge at a time: the client that started it gets the same one again,
// others are domain.RateLimited until it ends. Without a working provider it is
// domain.ServiceUnavailable, within startPatience, and nothing stays stored.
func (s *Service) StartPhone(ctx context.Context, text string, c Client) (PhoneChallenge, error) {
	phone, err := s.opts.Phone.Rules.Parse(text)
	if err != nil {
		return PhoneChallenge{}, domain.Invalid("/phone", err.Error())
	}
	if s.opts.Phone.Provider == nil {
		return PhoneChallenge{}, domain.ServiceUnavailable
	}
	for _, rule := range []ratelimit.Rule{ratelimit.PhoneStartPerPhone, ratelimit.PhoneStartPerPhoneDay} {
		if err := s.opts.Limits.Spend(ctx, rule, string(phone)); err != nil {
			return PhoneChallenge{}, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for {
		open, mine, err := s.reserve(ctx, phone, c)
		switch {
		case err != nil:
			return PhoneChallenge{}, fmt.Errorf("session.start_phone: %w", err)
		case mine:
			return s.expectCall(ctx, open)
		case !bytes.Equal(open.starter, s.sameClient(c)):
			return PhoneChallenge{}, ratelimit.RetryIn(open.expiresAt.Sub(s.clock.Now()))
		case open.ref != nil:
			return s.started(open, s.clock.Now()), nil
		}
		select {
		case <-time.After(startWait):
		case <-ctx.Done():
			return PhoneChallenge{}, fmt.Errorf("session.start_phone: %w", domain.ServiceUnavailable)
		}
	}
}

// reserve opens a challenge for a phone, without a number yet; or gives the one
// that is open, which is not mine. The unique index decides.
func (s *Service) reserve(ctx context.Context, phone user.Phone, c Client) (open challenge, mine bool, err error) {
	now := s.clock.Now()
	open = challenge{seed: newSeed(), phone: phone, starter: s.sameClient(c),
		provider: s.opts.Phone.Provider.Name(), expiresAt: now.Add(reservedFor)}
	err = s.db.InTx(ctx, func(tx db.Tx) error {
		if _, err := tx.Exec(ctx, closeExpiredStmt, phone, now); err != nil {
			return err
		}
		hash := challengeHash(s.challengeID(open.seed))
		made, err := tx.Exec(ctx, reserveStmt, hash, open.seed, phone, open.starter, open.provider, now, open.expiresAt)
		mine = made == 1
		return err
	})
	if err != nil || mine {
		return open, mine, err
	}
	err = scanChallenge(s.db.One(ctx, openChallengeStmt, phone), &open)
	if errors.Is(err, db.ErrNoRow) { // it has just ended
		return s.reserve(ctx, phone, c)
	}
	return open, false, err
}

// expectCall asks the provider for a number, and takes the reservation back
// when there is none.
func (s *Service) expectCall(ctx context.Context, c challenge) (PhoneChallenge, error) {
	hash := challengeHash(s.challengeID(c.seed))
	err := s.assignNumber(ctx, hash, &c)
	if err == nil {
		return s.started(c, s.clock.Now()), nil
	}
	// Also when the client has gone or the time is up; a reservation that cannot
	// be taken back runs out.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
	defer cancel()
	_, _ = s.db.Exec(ctx, releaseStmt, hash)
	return PhoneChallenge{}, fmt.Errorf("session.start_phone: %w: %w", domain.ServiceUnavailable, err)
}

var errOvertaken = errors.New("the reservation has run out, or the provider waits for this call already")

func (s *Service) assignNumber(ctx context.Context, hash []byte, c *challenge) error {
	if err := s.opts.Limits.Spend(ctx, ratelimit.PhoneStartsPerDay, ""); err != nil {
		return err
	}
	expected, err := s.opts.Phone.Provider.Expect(ctx, string(c.phone))
	if err != nil {
		return err
	}
	now := s.clock.Now()
	c.ref, c.number, c.pretty = &expected.Ref, &expected.Number, &expected.Pretty
	if *c.pretty == "" {
		*c.pretty = user.Phone(expected.Number).Pretty()
	}
	c.expiresAt = now.Add(min(callLifetime, expected.Within))
	assigned, err := s.db.Exec(ctx, assignNumberStmt, hash, c.ref, c.number, c.pretty, c.expiresAt, now)
	if err == nil && assigned == 0 || db.UniqueViolation(err) { // whose text would name the phone
		return errOvertaken
	}
	return err
}

// Called notes what a provider reports. A confirmed call verifies the one open
// challenge that waits for it, if it was started before the call.
func (s *Service) Called(ctx context.Context, provider string, reports []telephony.Report) error {
	now := s.clock.Now()
	for _, r := range reports {
		at := now
		if !r.At.IsZero() {
			at = r.At
		}
		if err := s.settleCall(ctx, provider, r.Ref, r.Status, at, now); err != nil {
			return fmt.Errorf("session.called: %w", err)
		}
	}
	return nil
}

func (s *Service) settleCall(ctx context.Context, provider, ref string, status telephony.Status, at, now time.Time) (err error) {
	switch status {
	case telephony.Confirmed:
		_, err = s.db.Exec(ctx, verifyCallStmt, provider, ref, now, now.Add(callGrace), at)
	case telephony.Expired:
		_, err = s.db.Exec(ctx, expireCallStmt, provider, ref, now)
	case telephony.Pending: // nothing has happened yet
	}
	return err
}
