// Package signin signs users in: by a code sent to an e-mail address (in
// development), by a call from their phone, or through an identity provider
// (contract §2.1 to §2.3). Every method finds or creates the account and starts a
// session of package session.
package signin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// Limits that count by a value in the request, such as the phone (contract §11). While
// the store is down they refuse requests, so that codes cannot be guessed without limit.
var (
	DevStartPerEmail = ratelimit.Limit{Name: "dev_start_per_email", What: "development codes sent to one e-mail address",
		Default: ratelimit.Quota{N: 5, Window: 10 * time.Minute}}
	PhoneStartPerPhone = ratelimit.Limit{Name: "phone_start_per_phone",
		What:    "calls started for one phone; clients that have signed in with it count separately",
		Default: ratelimit.Quota{N: 3, Window: 10 * time.Minute}}
	PhoneStartPerPhoneDay = ratelimit.Limit{Name: "phone_start_per_phone_day",
		What:    "calls started for one phone; clients that have signed in with it count separately",
		Default: ratelimit.Quota{N: 10, Window: 24 * time.Hour}}
	PhoneStartsPerDay = ratelimit.Limit{Name: "phone_starts_per_day",
		What: "calls started by all users together; limits the provider's cost. One network (IPv4 /24, IPv6 /48) gets at most a twentieth, an IPv6 /32 at most a fifth. Half is for clients that have signed in with their phone, a quarter for networks with at most 5 starts", Default: ratelimit.Quota{N: 2000, Window: 24 * time.Hour}}
	PhoneStatusPerChallenge = ratelimit.Limit{Name: "phone_status_per_challenge", What: "status requests about one call",
		Default: ratelimit.Quota{N: 60, Window: time.Minute}}
)

// Service implements the sign-in methods.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Users    *user.Service
	Sessions *session.Service
	Limits   *ratelimit.Limits // nil: attempts are not limited

	Key        []byte // makes codes, challenge ids and tokens; the same on all instances
	ExposeCode bool   // return the e-mail code in the response

	Mail  MailOptions
	Phone PhoneOptions
	Idp   IdpOptions
}

// mac returns the HMAC of data under the key. The result differs for each purpose,
// because one key serves several purposes.
func (s *Service) mac(purpose string, data ...[]byte) []byte {
	mac := hmac.New(sha256.New, s.Key)
	mac.Write([]byte(purpose + "\x00"))
	for _, d := range data {
		mac.Write(d)
	}
	return mac.Sum(nil)
}

const seedBytes = 16

func newSeed() []byte {
	seed := make([]byte, seedBytes)
	_, _ = rand.Read(seed) // never fails
	return seed
}

// Purge deletes codes, challenges, states and nonces that have expired. Several
// instances may run it at once.
func (s *Service) Purge(ctx context.Context) error {
	now := s.Clock.Now()
	return errors.Join(
		db.Drain(ctx, s.DB, purgeCodesStmt, now),
		db.Drain(ctx, s.DB, purgeCallsStmt, now.Add(-keepExpired), now.Add(-repeatWindow)),
		db.Drain(ctx, s.DB, purgeStatesStmt, now),
		db.Drain(ctx, s.DB, purgeNoncesStmt, now))
}
