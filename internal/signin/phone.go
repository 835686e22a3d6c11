package signin

import (
	"crypto/sha256"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/session"
	"moothall/internal/signin/telephony"
	"moothall/internal/user"
)

// Limits of a phone-call challenge (contract §2.2).
const (
	callLifetime   = 5 * time.Minute
	pollEvery      = 2 * time.Second  // recommended to clients
	callGrace      = time.Minute      // least time to fetch the session after the call
	keepExpired    = time.Hour        // an expired challenge is reported as expired, later as unknown
	repeatWindow   = 30 * time.Second // the same client can fetch the same session again
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

// The id of a challenge and the tokens of its session are HMACs of its random
// seed. So a repeated start or poll can return the same values, and the database
// alone does not let anybody poll or use the session.

func (s *Service) phoneMAC(purpose string, data []byte) []byte { return s.mac("phone "+purpose, data) }

// challengeID returns a UUIDv4: 122 bits that cannot be guessed.
func (s *Service) challengeID(seed []byte) domain.ChallengeID {
	id := domain.ChallengeID(s.phoneMAC("challenge", seed)[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

func (s *Service) phonePair(seed []byte) session.Pair {
	return session.PairOf(s.phoneMAC("access token", seed), s.phoneMAC("refresh token", seed))
}

// clientKey identifies a client by its network and user agent without revealing them.
func (s *Service) clientKey(c session.Client) []byte {
	var userAgent, network string
	if c.UserAgent != nil {
		userAgent = *c.UserAgent
	}
	if c.Network != nil {
		network = *c.Network
	}
	return s.phoneMAC("client", []byte(network+"\x00"+userAgent))
}

func challengeHash(id domain.ChallengeID) []byte {
	sum := sha256.Sum256(id[:])
	return sum[:]
}

// challenge is a stored challenge.
type challenge struct {
	seed       []byte
	phone      user.Phone
	starter    []byte // clientKey of the client that started it
	provider   string
	ref        *string // nil until the provider has named a number
	number     *string
	pretty     *string
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

func (s *Service) started(c challenge, now time.Time) PhoneChallenge {
	return PhoneChallenge{
		ID: s.challengeID(c.seed), Phone: c.phone, Number: *c.number, Pretty: *c.pretty,
		ExpiresAt: c.expiresAt, ExpiresIn: c.expiresAt.Sub(now),
	}
}

const challengeSQL = `
	SELECT seed, phone, starter, provider, ref, call_phone, call_pretty, verified_at, redeemed_at, expires_at
	FROM phone_challenges WHERE `

var (
	challengeStmt     = db.SQL("signin.challenge", challengeSQL+`id_hash = $1 AND ref IS NOT NULL`)
	openChallengeStmt = db.SQL("signin.open_challenge", challengeSQL+`phone = $1 AND open`)
)

func (c *challenge) dest() []any {
	return []any{&c.seed, &c.phone, &c.starter, &c.provider, &c.ref, &c.number, &c.pretty,
		&c.verifiedAt, &c.redeemedAt, &c.expiresAt}
}

// purgeCallsStmt also deletes redeemed challenges, because their seeds can
// reproduce the tokens.
var purgeCallsStmt = db.SQL("signin.purge_calls", `
	DELETE FROM phone_challenges WHERE id_hash IN (
		SELECT c.id_hash FROM phone_challenges c
		WHERE c.expires_at <= $1 OR c.redeemed_at <= $2 LIMIT 1000)`)
