package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// PollPhone tells what has become of a challenge and, once it is verified,
// hands out its session: once, and to the client that got it again for
// repeatFor, since an answer may be lost. Whatever is not a live challenge, and
// one of a suspended account, is domain.Unauthorized. When the provider cannot
// tell, it is domain.ServiceUnavailable.
func (s *Service) PollPhone(ctx context.Context, text string, c Client) (PhonePoll, error) {
	id, err := domain.ParseID[domain.ChallengeKind](text)
	if err != nil {
		return PhonePoll{}, domain.Unauthorized
	}
	hash, now := challengeHash(id), s.clock.Now()
	found, err := s.challenge(ctx, hash, now)
	if err != nil {
		return PhonePoll{}, err
	}
	if err := s.opts.Limits.Spend(ctx, ratelimit.PhoneStatusPerChallenge, id.String()); err != nil {
		return PhonePoll{}, err
	}
	if found.pending(now) {
		if found, err = s.askProvider(ctx, hash, found, now); err != nil {
			return PhonePoll{}, err
		}
	}
	switch {
	case found.redeemable(now):
		in, err := s.redeemCall(ctx, hash, c, now)
		return PhonePoll{State: PhoneVerified, SignedIn: in}, err
	case found.pending(now):
		return PhonePoll{State: PhonePending, ExpiresAt: found.expiresAt}, nil
	}
	return PhonePoll{State: PhoneExpired, ExpiresAt: found.expiresAt}, nil
}

// challenge finds a challenge that is not forgotten.
func (s *Service) challenge(ctx context.Context, hash []byte, now time.Time) (challenge, error) {
	var c challenge
	err := scanChallenge(s.db.One(ctx, challengeStmt, hash), &c)
	switch {
	case errors.Is(err, db.ErrNoRow), err == nil && c.forgotten(now):
		return challenge{}, domain.Unauthorized
	case err != nil:
		return challenge{}, fmt.Errorf("session.challenge: %w", err)
	}
	return c, nil
}

// askProvider asks what has become of a pending call, unless that was done a
// moment ago, and gives the challenge as it is then.
func (s *Service) askProvider(ctx context.Context, hash []byte, c challenge, now time.Time) (challenge, error) {
	provider := s.opts.Phone.Provider
	if provider == nil || provider.Name() != c.provider { // another one was set since
		return c, nil
	}
	mine, err := s.db.Exec(ctx, askStmt, hash, now, now.Add(-askEvery))
	if err != nil {
		return c, fmt.Errorf("session.ask_provider: %w", err)
	}
	if mine == 0 {
		return c, nil
	}
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	status, err := provider.Status(ctx, *c.ref)
	if err != nil {
		return c, fmt.Errorf("session.ask_provider: %w: %w", domain.ServiceUnavailable, err)
	}
	if err := s.settleCall(ctx, c.provider, *c.ref, status, now, now); err != nil {
		return c, fmt.Errorf("session.ask_provider: %w", err)
	}
	return s.challenge(ctx, hash, now)
}

// redeemCall makes the session of a verified challenge, or gives the one that
// was made to the client that has it already.
func (s *Service) redeemCall(ctx context.Context, hash []byte, c Client, now time.Time) (*SignedIn, error) {
	var in *SignedIn
	err := s.db.InTx(ctx, func(tx db.Tx) error {
		in = nil
		var redeemed challenge
		err := tx.One(ctx, redeemCallStmt, hash, now, s.sameClient(c)).Scan(&redeemed.seed, &redeemed.phone)
		if errors.Is(err, db.ErrNoRow) {
			in, err = s.redeemedBefore(ctx, tx, hash, c, now)
			return err
		}
		if err != nil {
			return err
		}
		user, err := s.profiles.FindOrCreateByPhone(ctx, tx, redeemed.phone, now)
		if err != nil {
			return err
		}
		in, err = s.startWith(ctx, tx, user, PhoneCall, s.phonePair(redeemed.seed), c, now)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("session.redeem_call: %w", err)
	}
	if in == nil {
		return nil, domain.Unauthorized
	}
	return in, nil
}

// redeemedBefore gives the session again as long as it still is as it was
// handed out: not refreshed, not ended.
func (s *Service) redeemedBefore(ctx context.Context, tx db.Tx, hash []byte, c Client, now time.Time) (*SignedIn, error) {
	var seed []byte
	err := tx.One(ctx, redeemedStmt, hash, s.sameClient(c), now.Add(-repeatFor)).Scan(&seed)
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := s.phonePair(seed)
	in := SignedIn{Tokens: Tokens{Access: p.access, Refresh: p.refresh}}
	var user domain.UserID
	access, refresh := p.hashes()
	err = tx.One(ctx, untouchedStmt, access, refresh, now).
		Scan(&in.SessionID, &user, &in.AccessExpiresAt, &in.RefreshExpiresAt)
	if errors.Is(err, db.ErrNoRow) {
		return nil, nil
	}
	if err == nil {
		in.Account, err = s.profiles.Account(ctx, tx, user)
	}
	return &in, err
}
