// Package passkey signs users in by passkeys (WebAuthn) and manages the passkeys of users.
//
// Every passkey is discoverable: the browser finds it without a list from the server. So no
// response says whether an account exists or has passkeys.
package passkey

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/db"
)

const (
	lifetime    = 5 * time.Minute // of a challenge
	maxPasskeys = 20              // per user
)

// Service implements the use cases of passkeys.
type Service struct {
	DB       *db.DB
	Clock    domain.Clock
	Users    *user.Service
	Sessions *session.Service

	RP     *webauthn.WebAuthn // nil: passkeys are not available
	Others Others
}

// Others are the other ways to sign in that the deployment offers.
type Others struct {
	Email, Phone bool
	Issuers      []string // of identity providers
}

// NewRelyingParty returns the relying party of a web client. It fails if the host of the
// origin cannot have passkeys, such as an IP address.
func NewRelyingParty(origin string) (*webauthn.WebAuthn, error) {
	u, err := url.Parse(origin)
	if err != nil {
		return nil, err
	}
	resident := true
	timeout := webauthn.TimeoutConfig{Timeout: lifetime, TimeoutUVD: lifetime}
	return webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "Moothall", RPOrigins: []string{origin},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: &resident, UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
}

// Passkey is a passkey as its user sees it.
type Passkey struct {
	ID         domain.PasskeyID `json:"id"`
	Name       string           `json:"name"`
	Synced     bool             `json:"synced"`
	CreatedAt  time.Time        `json:"created_at"`
	LastUsedAt *time.Time       `json:"last_used_at"`
}

// owner is a user as package webauthn sees them.
type owner struct {
	id          domain.UserID
	name        string
	displayName string
	credentials []webauthn.Credential
}

// WebAuthnID returns the user handle.
func (o owner) WebAuthnID() []byte { return o.id.Bytes()[:] }

// WebAuthnName returns the name by which users distinguish accounts.
func (o owner) WebAuthnName() string { return o.name }

// WebAuthnDisplayName returns the display name.
func (o owner) WebAuthnDisplayName() string { return o.displayName }

// WebAuthnCredentials returns the passkeys.
func (o owner) WebAuthnCredentials() []webauthn.Credential { return o.credentials }

// challenge is a stored challenge.
type challenge struct {
	userID   *domain.UserID // of a registration
	emailKey *string        // of a sign-in to one account
}

func challengeHash(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// begin stores the challenge of a session.
func (s *Service) begin(ctx context.Context, text string, c challenge) error {
	_, err := s.DB.Exec(db.Preparation(ctx), insertChallengeStmt, challengeHash(text), c.userID, c.emailKey, s.Clock.Now().Add(lifetime))
	return err
}

// consume deletes a challenge and returns it, or unknown. Of several concurrent requests one
// succeeds.
func (s *Service) consume(ctx context.Context, tx db.Tx, text string, unknown error) (c challenge, err error) {
	err = tx.One(ctx, consumeStmt, challengeHash(text), s.Clock.Now()).ScanOr(unknown, &c.userID, &c.emailKey)
	return c, err
}

// sessionOf returns what package webauthn compares a response with.
func (s *Service) sessionOf(text string) webauthn.SessionData {
	return webauthn.SessionData{Challenge: text, RelyingPartyID: s.RP.Config.RPID, UserVerification: protocol.VerificationRequired}
}

// Purge deletes challenges that have expired. Several instances may run it at once.
func (s *Service) Purge(ctx context.Context) error {
	return db.Drain(ctx, s.DB, purgeStmt, s.Clock.Now())
}

// cause adds the reason of a refusal for the log; it contains no personal data.
func cause(refusal, err error) error { return fmt.Errorf("passkey: %w: %w", refusal, err) }

var (
	insertChallengeStmt = db.SQL("passkey.insert_challenge", `
		INSERT INTO passkey_challenges (challenge_hash, user_id, email_key, expires_at) VALUES ($1, $2, $3, $4)`)

	consumeStmt = db.SQL("passkey.consume", `
		DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND expires_at > $2 RETURNING user_id, email_key`)

	purgeStmt = db.SQL("passkey.purge", `
		DELETE FROM passkey_challenges WHERE challenge_hash IN (
			SELECT c.challenge_hash FROM passkey_challenges c WHERE c.expires_at <= $1 LIMIT 1000)`)
)
