package session

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/user"
)

const challengeSQL = `
	SELECT seed, phone, starter, provider, ref, call_phone, call_pretty, verified_at, redeemed_at, expires_at
	FROM phone_challenges WHERE `

var (
	challengeStmt     = db.SQL("session.challenge", challengeSQL+`id_hash = $1 AND ref IS NOT NULL`)
	openChallengeStmt = db.SQL("session.open_challenge", challengeSQL+`phone = $1 AND open`)
)

func scanChallenge(row db.Row, c *challenge) error {
	return row.Scan(&c.seed, &c.phone, &c.starter, &c.provider, &c.ref, &c.number, &c.pretty,
		&c.verifiedAt, &c.redeemedAt, &c.expiresAt)
}

var (
	closeExpiredStmt = db.SQL("session.close_expired", `
		UPDATE phone_challenges SET open = FALSE WHERE phone = $1 AND open AND expires_at <= $2`)

	// reserveStmt gives no row while the phone has an open challenge.
	reserveStmt = db.SQL("session.reserve", `
		INSERT INTO phone_challenges (id_hash, seed, phone, starter, open, provider, created_at, expires_at)
		VALUES ($1, $2, $3, $4, TRUE, $5, $6, $7)
		ON CONFLICT (phone) WHERE open DO NOTHING`)

	assignNumberStmt = db.SQL("session.assign_number", `
		UPDATE phone_challenges SET ref = $2, call_phone = $3, call_pretty = $4, expires_at = $5
		WHERE id_hash = $1 AND open AND ref IS NULL AND expires_at > $6`)

	releaseStmt = db.SQL("session.release", `DELETE FROM phone_challenges WHERE id_hash = $1 AND verified_at IS NULL`)
)

var (
	// askStmt lets one of any number of parallel polls ask the provider.
	askStmt = db.SQL("session.ask", `
		UPDATE phone_challenges SET asked_at = $2
		WHERE id_hash = $1 AND verified_at IS NULL AND (asked_at IS NULL OR asked_at <= $3)`)

	// verifyCallStmt leaves at least callGrace to fetch the session. A report
	// of a call from before the start, repeated late, verifies nothing.
	verifyCallStmt = db.SQL("session.verify_call", `
		UPDATE phone_challenges SET verified_at = $3, expires_at = CASE WHEN expires_at < $4 THEN $4 ELSE expires_at END
		WHERE provider = $1 AND ref = $2 AND open AND verified_at IS NULL AND expires_at > $3 AND created_at <= $5`)

	expireCallStmt = db.SQL("session.expire_call", `
		UPDATE phone_challenges SET expires_at = $3
		WHERE provider = $1 AND ref = $2 AND open AND verified_at IS NULL AND expires_at > $3`)

	// redeemCallStmt lets exactly one of any number of parallel polls win.
	redeemCallStmt = db.SQL("session.redeem_call", `
		UPDATE phone_challenges SET redeemed_at = $2, redeemer = $3, open = FALSE
		WHERE id_hash = $1 AND verified_at IS NOT NULL AND redeemed_at IS NULL AND expires_at > $2
		RETURNING seed, phone`)

	redeemedStmt = db.SQL("session.redeemed", `
		SELECT seed FROM phone_challenges WHERE id_hash = $1 AND redeemer = $2 AND redeemed_at > $3`)

	// untouchedStmt finds a session by the pair of tokens it was started with.
	untouchedStmt = db.SQL("session.untouched", `
		SELECT s.id, s.user_id, s.access_expires_at, s.refresh_expires_at
		FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE s.access_hash = $1 AND s.refresh_hash = $2 AND s.access_expires_at > $3
			AND s.revoked_at IS NULL AND u.suspended_at IS NULL`)
)

// purgePhoneStmt takes what is forgotten and, because its seed could make the
// tokens again, what was redeemed.
var purgePhoneStmt = db.SQL("session.purge_phone", `
	DELETE FROM phone_challenges WHERE id_hash IN (
		SELECT c.id_hash FROM phone_challenges c
		WHERE c.expires_at <= $1 OR c.redeemed_at <= $2 LIMIT 1000)`)

// PendingCall is a call that is waited for, for the development page.
type PendingCall struct {
	Phone, Number user.Phone
	ExpiresAt     time.Time
}

var pendingCallsStmt = db.SQL("session.pending_calls", `
	SELECT phone, call_phone, expires_at FROM phone_challenges
	WHERE provider = $1 AND open AND ref IS NOT NULL AND verified_at IS NULL AND expires_at > $2
	ORDER BY created_at DESC LIMIT 100`)

// PendingCalls lists the calls that a provider waits for, the newest first.
func (s *Service) PendingCalls(ctx context.Context, provider string) ([]PendingCall, error) {
	calls, err := db.All(ctx, s.db, func(r db.Row, c *PendingCall) error {
		return r.Scan(&c.Phone, &c.Number, &c.ExpiresAt)
	}, pendingCallsStmt, provider, s.clock.Now())
	if err != nil {
		return nil, fmt.Errorf("session.pending_calls: %w", err)
	}
	return calls, nil
}
