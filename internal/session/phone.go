package session

import (
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"moothall/internal/domain"
	"moothall/internal/session/telephony"
	"moothall/internal/user"
)

// Limits of a phone-call challenge (contract §2.2).
const (
	callLifetime = 5 * time.Minute
	pollEvery    = 2 * time.Second
	callGrace    = time.Minute      // to fetch the session, at least this long after the call
	expiredFor   = time.Hour        // how long an expired challenge is remembered
	repeatFor    = 30 * time.Second // how long the same client may fetch the same session again
	askEvery     = time.Second      // how often the provider is asked about one call
)

// PhoneOptions are the settings of sign-in by phone call.
type PhoneOptions struct {
	Provider telephony.Provider // nil: not offered
	Rules    user.PhoneRules
}

// PhoneChallenge is a call that is waited for.
type PhoneChallenge struct {
	ID        domain.ChallengeID
	Phone     user.Phone
	Number    string // to dial, E.164
	Pretty    string // the same for people
	ExpiresAt time.Time
	ExpiresIn time.Duration
}

// PhoneState is what has become of a challenge.
type PhoneState int

// The states of a challenge.
const (
	PhonePending PhoneState = iota
	PhoneVerified
	PhoneExpired
)

// PhonePoll is the answer to a client that polls.
type PhonePoll struct {
	State     PhoneState
	ExpiresAt time.Time // of the challenge, unless it is verified
	SignedIn  *SignedIn // when it is
}

// What a challenge gives its client, the id and later the tokens, is an HMAC of
// its random seed. So a start and a poll that are repeated answer the same, and
// the database alone lets nobody poll, nor use the session.

func (s *Service) derive(purpose string, seed []byte) []byte {
	mac := hmac.New(sha256.New, s.opts.Key)
	mac.Write([]byte("phone " + purpose + "\x00")) // the key serves other purposes too
	mac.Write(seed)
	return mac.Sum(nil)
}

// challengeID makes a UUIDv4: 122 bits that nobody can guess.
func (s *Service) challengeID(seed []byte) domain.ChallengeID {
	id := domain.ChallengeID(s.derive("challenge", seed)[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

func (s *Service) phonePair(seed []byte) pair {
	return pair{
		access:  tokenOf(accessToken, s.derive("access token", seed)),
		refresh: tokenOf(refreshToken, s.derive("refresh token", seed)),
	}
}

// sameClient is what two requests of one client have in common, as a key that
// tells nothing about it.
func (s *Service) sameClient(c Client) []byte {
	var userAgent, network string
	if c.UserAgent != nil {
		userAgent = *c.UserAgent
	}
	if c.Network != nil {
		network = *c.Network
	}
	return s.derive("client", []byte(network+"\x00"+userAgent))
}

func challengeHash(id domain.ChallengeID) []byte {
	sum := sha256.Sum256(id[:])
	return sum[:]
}

// challenge is a stored challenge.
type challenge struct {
	seed       []byte
	phone      user.Phone
	starter    []byte
	provider   string
	ref        *string // nil while the provider is being asked for a number
	number     *string
	pretty     *string
	verifiedAt *time.Time
	redeemedAt *time.Time
	expiresAt  time.Time
}

// pending reports whether the call can still come.
func (c challenge) pending(now time.Time) bool {
	return c.verifiedAt == nil && now.Before(c.expiresAt)
}

// redeemable reports whether there is a session to fetch, or to fetch again.
func (c challenge) redeemable(now time.Time) bool {
	return c.verifiedAt != nil && (c.redeemedAt != nil || now.Before(c.expiresAt))
}

// forgotten reports whether the challenge is as good as unknown.
func (c challenge) forgotten(now time.Time) bool { return !now.Before(c.expiresAt.Add(expiredFor)) }

func (s *Service) started(c challenge, now time.Time) PhoneChallenge {
	return PhoneChallenge{
		ID: s.challengeID(c.seed), Phone: c.phone, Number: *c.number, Pretty: *c.pretty,
		ExpiresAt: c.expiresAt, ExpiresIn: c.expiresAt.Sub(now),
	}
}
