package signin

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin/telephony"
	"moothall/internal/platform/db"
)

// PollPhone returns the state of a challenge and, once it is verified, its
// session. A client that sends the id again within repeatWindow gets the same session,
// because a response can be lost. It returns domain.Unauthorized for an unknown
// challenge and for a suspended account, and domain.ServiceUnavailable if the
// provider fails.
func (s *Service) PollPhone(ctx context.Context, challengeID string, c session.Client) (PhonePoll, error) {
	id, err := domain.ParseID[domain.ChallengeKind](challengeID)
	if err != nil {
		return PhonePoll{}, domain.Unauthorized
	}
	now := s.Clock.Now()
	ch, err := s.challenge(ctx, id, now)
	if err != nil {
		return PhonePoll{}, err
	}
	if err := s.Limits.Spend(ctx, PhoneStatusPerChallenge, id.String()); err != nil {
		return PhonePoll{}, err
	}
	if ch.pending(now) {
		if ch, err = s.updateStatus(ctx, ch, now); err != nil {
			return PhonePoll{}, err
		}
	}
	switch {
	case ch.redeemable(now):
		in, err := s.redeemCall(ctx, id, c, now)
		return PhonePoll{State: PhoneVerified, SignedIn: in}, err
	case ch.pending(now):
		return PhonePoll{State: PhonePending, ExpiresAt: ch.expiresAt}, nil
	}
	return PhonePoll{State: PhoneExpired, ExpiresAt: ch.expiresAt}, nil
}

// updateStatus asks the provider about a pending call, at most once per
// statusInterval, and returns the updated challenge.
func (s *Service) updateStatus(ctx context.Context, c challenge, now time.Time) (challenge, error) {
	provider := s.Phone.Provider
	if provider == nil || provider.Name() != c.provider { // the settings have changed since
		return c, nil
	}
	claimed, err := s.DB.Exec(db.Preparation(ctx), claimStatusStmt, challengeHash(c.id), now, now.Add(-statusInterval))
	if err != nil || claimed == 0 {
		return c, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	status, err := provider.Status(ctx, c.ref)
	if err != nil {
		return c, fmt.Errorf("signin.call_status: %w: %w", domain.ServiceUnavailable, err)
	}
	if err := s.applyStatus(ctx, c.provider, c.ref, status, now, now); err != nil {
		return c, err
	}
	return s.challenge(ctx, c.id, now)
}

// HandleReports applies the reports of a provider. A confirmed call verifies the
// open challenge that expects it, if the challenge was started before the call.
func (s *Service) HandleReports(ctx context.Context, provider string, reports []telephony.Report) error {
	now := s.Clock.Now()
	for _, r := range reports {
		at := now
		if !r.At.IsZero() {
			at = r.At
		}
		if err := s.applyStatus(ctx, provider, r.Ref, r.Status, at, now); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) applyStatus(ctx context.Context, provider, ref string, status telephony.Status, at, now time.Time) (err error) {
	switch status {
	case telephony.Confirmed:
		_, err = s.DB.Exec(ctx, verifyCallStmt, provider, ref, now, now.Add(callGrace), at)
	case telephony.Expired:
		_, err = s.DB.Exec(ctx, expireCallStmt, provider, ref, now)
	case telephony.Pending: // nothing to store
	}
	return err
}

// redeemCall starts the session of a verified challenge. Within repeatWindow it returns
// the same session again, unless that session was refreshed or revoked since.
func (s *Service) redeemCall(ctx context.Context, id domain.ChallengeID, c session.Client, now time.Time) (session.SignedIn, error) {
	var in *session.SignedIn
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		in = nil
		var phone user.Phone
		first, err := tx.One(ctx, redeemCallStmt, challengeHash(id), now).Find(&phone)
		if err != nil {
			return err
		}
		if !first {
			in, err = s.redeemedBefore(ctx, tx, id, now)
			return err
		}
		user, err := s.Users.FindOrCreateByPhone(ctx, tx, phone, now)
		if err != nil {
			return err
		}
		in, err = s.Sessions.Start(ctx, tx, user, session.PhoneCall, s.phonePair(id), c, now)
		return err
	})
	return signedIn(in, err)
}

func (s *Service) redeemedBefore(ctx context.Context, tx db.Tx, id domain.ChallengeID, now time.Time) (*session.SignedIn, error) {
	var redeemedAt time.Time
	found, err := tx.One(ctx, redeemedStmt, challengeHash(id), now.Add(-repeatWindow)).Find(&redeemedAt)
	if err != nil || !found {
		return nil, err
	}
	return s.Sessions.Unused(ctx, tx, s.phonePair(id), now)
}

// PendingCall is a call that is expected, for the development page.
type PendingCall struct {
	Phone, Number user.Phone
	ExpiresAt     time.Time
}

// PendingCalls returns the newest 100 calls that a provider expects, the newest first.
func (s *Service) PendingCalls(ctx context.Context, provider string) ([]PendingCall, error) {
	return db.All(ctx, s.DB, func(r db.Row, c *PendingCall) error {
		return r.Scan(&c.Phone, &c.Number, &c.ExpiresAt)
	}, pendingCallsStmt, provider, s.Clock.Now())
}

var (
	// claimStatusStmt lets one of several concurrent polls ask the provider.
	claimStatusStmt = db.SQL("signin.claim_status", `
		UPDATE phone_challenges SET asked_at = $2
		WHERE id_hash = $1 AND verified_at IS NULL AND (asked_at IS NULL OR asked_at <= $3)`)

	// verifyCallStmt leaves at least callGrace to fetch the session. A late or
	// repeated report of a call from before the start verifies nothing.
	verifyCallStmt = db.SQL("signin.verify_call", `
		UPDATE phone_challenges SET verified_at = $3, expires_at = CASE WHEN expires_at < $4 THEN $4 ELSE expires_at END
		WHERE provider = $1 AND ref = $2 AND open AND verified_at IS NULL AND expires_at > $3 AND created_at <= $5`)

	expireCallStmt = db.SQL("signin.expire_call", `
		UPDATE phone_challenges SET expires_at = $3
		WHERE provider = $1 AND ref = $2 AND open AND verified_at IS NULL AND expires_at > $3`)

	// redeemCallStmt lets exactly one of several concurrent polls succeed.
	redeemCallStmt = db.SQL("signin.redeem_call", `
		UPDATE phone_challenges SET redeemed_at = $2, open = FALSE
		WHERE id_hash = $1 AND verified_at IS NOT NULL AND redeemed_at IS NULL AND expires_at > $2
		RETURNING phone`)

	redeemedStmt = db.SQL("signin.redeemed", `
		SELECT redeemed_at FROM phone_challenges WHERE id_hash = $1 AND redeemed_at > $2`)

	pendingCallsStmt = db.SQL("signin.pending_calls", `
		SELECT phone, call_phone, expires_at FROM phone_challenges
		WHERE provider = $1 AND open AND ref IS NOT NULL AND verified_at IS NULL AND expires_at > $2
		ORDER BY created_at DESC LIMIT 100`)
)
