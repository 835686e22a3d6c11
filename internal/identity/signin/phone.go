package signin

import (
	"context"
	"crypto/sha256"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin/telephony"
	"moothall/internal/platform/db"
)

// Limits of a phone-call challenge (contract §2.2).
const (
	callLifetime   = 5 * time.Minute
	pollEvery      = 2 * time.Second  // recommended to clients
	callGrace      = time.Minute      // least time to fetch the session after the call
	keepExpired    = time.Hour        // an expired challenge is reported as expired, later as unknown
	repeatWindow   = 30 * time.Second // the holder of the id can fetch the same session again
	statusInterval = time.Second      // least time between two requests to the provider about one call
)

// PhoneOptions are the settings of sign-in by phone call.
type PhoneOptions struct {
	Provider telephony.Provider // nil: not available
	Rules    user.PhoneRules
}

// PhoneChallenge asks the user to call a number from their phone.
type PhoneChallenge struct {
	ID        domain.ChallengeID
	Phone     user.Phone
	Number    string // to call, E.164
	Pretty    string // the same number for display
	ExpiresAt time.Time
	ExpiresIn time.Duration
}

// PhoneState is the state of a challenge.
type PhoneState int

// The states of a challenge.
const (
	PhonePending PhoneState = iota
	PhoneVerified
	PhoneExpired
)

// PhonePoll is the response to a poll.
type PhonePoll struct {
	State     PhoneState
	ExpiresAt time.Time        // of the challenge, unless it is verified
	SignedIn  session.SignedIn // if it is verified
}

// newChallengeID returns a random UUIDv4: 122 bits that cannot be guessed.
func newChallengeID() domain.ChallengeID {
	id := domain.ChallengeID(newSeed())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// phonePair derives the tokens of a challenge's session from its id. So a repeated poll
// returns the same tokens, and neither the database nor the id alone reveals them.
func (s *Service) phonePair(id domain.ChallengeID) session.Pair {
	return session.PairOf(s.mac("phone access token", id[:]), s.mac("phone refresh token", id[:]))
}

func challengeHash(id domain.ChallengeID) []byte {
	sum := sha256.Sum256(id[:])
	return sum[:]
}

// challenge is a stored challenge.
type challenge struct {
	id         domain.ChallengeID // never stored
	phone      user.Phone
	provider   string
	ref        string // the provider's id of the call
	number     string // to dial
	pretty     string
	verifiedAt *time.Time
	redeemedAt *time.Time
	expiresAt  time.Time
}

// pending reports whether the call is still expected.
func (c challenge) pending(now time.Time) bool {
	return c.verifiedAt == nil && now.Before(c.expiresAt)
}

// redeemable reports whether the session can be fetched, or fetched again.
func (c challenge) redeemable(now time.Time) bool {
	return c.verifiedAt != nil && (c.redeemedAt != nil || now.Before(c.expiresAt))
}

// outdated reports whether the challenge expired so long ago that it counts as unknown.
func (c challenge) outdated(now time.Time) bool { return !now.Before(c.expiresAt.Add(keepExpired)) }

func (c challenge) started(now time.Time) PhoneChallenge {
	return PhoneChallenge{
		ID: c.id, Phone: c.phone, Number: c.number, Pretty: c.pretty, ExpiresAt: c.expiresAt, ExpiresIn: c.expiresAt.Sub(now),
	}
}

// challenge loads the challenge of an id; domain.Unauthorized if it is unknown or outdated.
func (s *Service) challenge(ctx context.Context, id domain.ChallengeID, now time.Time) (challenge, error) {
	c := challenge{id: id}
	err := s.DB.One(ctx, challengeStmt, challengeHash(id)).ScanOr(domain.Unauthorized,
		&c.phone, &c.provider, &c.ref, &c.number, &c.pretty, &c.verifiedAt, &c.redeemedAt, &c.expiresAt)
	if err == nil && c.outdated(now) {
		err = domain.Unauthorized
	}
	return c, err
}

var challengeStmt = db.SQL("signin.challenge", `
	SELECT phone, provider, ref, call_phone, call_pretty, verified_at, redeemed_at, expires_at
	FROM phone_challenges WHERE id_hash = $1 AND ref IS NOT NULL`)

var purgeCallsStmt = db.SQL("signin.purge_calls", `
	DELETE FROM phone_challenges WHERE id_hash IN (
		SELECT c.id_hash FROM phone_challenges c
		WHERE c.expires_at <= $1 OR c.redeemed_at <= $2 LIMIT 1000)`)
