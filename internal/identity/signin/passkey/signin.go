package passkey

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin"
	"moothall/internal/platform/db"
)

// StartSignIn returns the options of a sign-in. With an address, only a passkey of its
// account is accepted. StartSignIn does not look for the account.
func (s *Service) StartSignIn(ctx context.Context, address *string) (*protocol.CredentialAssertion, error) {
	var c challenge
	if address != nil {
		e, err := signin.ParseEmail(*address)
		if err != nil {
			return nil, err
		}
		c.emailKey = &e.Key
	}
	options, began, err := s.RP.BeginDiscoverableLogin()
	if err == nil {
		err = s.begin(ctx, began.Challenge, c)
	}
	return options, err
}

// CopiedError is a domain.Unauthorized: the signature counter of a passkey has not
// increased, so somebody may have copied the passkey.
type CopiedError struct{ User domain.UserID }

// Error names no user.
func (e *CopiedError) Error() string { return "passkey: the signature counter has not increased" }

// Unwrap makes it a domain.Unauthorized.
func (e *CopiedError) Unwrap() error { return domain.Unauthorized }

// SignIn exchanges the response of an authenticator for a session. It returns
// domain.Unauthorized for a response that is not valid, for a challenge that is unknown,
// used or expired, for a passkey of another account than the address of the challenge, and
// for a suspended account.
func (s *Service) SignIn(ctx context.Context, r protocol.CredentialAssertionResponse, c session.Client) (session.SignedIn, error) {
	parsed, err := r.Parse()
	if err != nil {
		return session.SignedIn{}, cause(domain.Unauthorized, err)
	}
	text := parsed.Response.CollectedClientData.Challenge
	var asked challenge
	err = s.DB.InTx(ctx, func(tx db.Tx) (err error) {
		asked, err = s.consume(ctx, tx, text, domain.Unauthorized)
		return err
	})
	if err != nil {
		return session.SignedIn{}, err
	}
	id, o, emailKey, err := s.find(ctx, parsed.RawID)
	if err != nil {
		return session.SignedIn{}, err
	}
	if asked.userID != nil || asked.emailKey != nil && (emailKey == nil || *asked.emailKey != *emailKey) {
		return session.SignedIn{}, domain.Unauthorized
	}
	found := func(_, _ []byte) (webauthn.User, error) { return o, nil } // the library compares the user handle
	_, used, err := s.RP.ValidatePasskeyLogin(found, s.sessionOf(text), parsed)
	if err != nil {
		return session.SignedIn{}, cause(domain.Unauthorized, err)
	}
	return s.start(ctx, o.id, id, used, c)
}

// find returns the passkey with a credential id, its owner and their address.
func (s *Service) find(ctx context.Context, credentialID []byte) (id domain.PasskeyID, o owner, emailKey *string, err error) {
	credential := webauthn.Credential{ID: credentialID}
	var signCount int64
	err = s.DB.One(ctx, byCredentialStmt, credentialID).ScanOr(domain.Unauthorized, &id, &o.id, &credential.PublicKey, &signCount,
		&credential.Flags.BackupEligible, &emailKey)
	credential.Authenticator.SignCount = uint32(signCount) // it was a uint32
	o.credentials = []webauthn.Credential{credential}
	return id, o, emailKey, err
}

// start records the use of a passkey and starts the session. The statement compares the
// counters, so that of two concurrent signatures with one count one is refused. If the
// counter has not increased, the library has left it as it was.
func (s *Service) start(ctx context.Context, user domain.UserID, id domain.PasskeyID, used *webauthn.Credential,
	c session.Client) (session.SignedIn, error) {
	now := s.Clock.Now()
	var in *session.SignedIn
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		in = nil
		n, err := tx.Exec(ctx, useStmt, id, int64(used.Authenticator.SignCount), used.Flags.BackupState, now)
		if err == nil && n == 0 {
			err = &CopiedError{user}
		}
		if err != nil {
			return err
		}
		in, err = s.Sessions.Start(ctx, tx, user, session.Passkey, session.NewPair(), c, now)
		return err
	})
	switch {
	case err != nil && !errors.Is(err, domain.Unauthorized):
		return session.SignedIn{}, fmt.Errorf("passkey.sign_in: %w", err)
	case err != nil:
		return session.SignedIn{}, err
	case in == nil:
		return session.SignedIn{}, domain.Unauthorized
	}
	return *in, nil
}

var (
	byCredentialStmt = db.SQL("passkey.by_credential", `
		SELECT p.id, p.user_id, p.public_key, p.sign_count, p.backup_eligible, u.email_key
		FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`)

	useStmt = db.SQL("passkey.use", `
		UPDATE passkeys SET sign_count = $2, backed_up = $3, last_used_at = $4
		WHERE id = $1 AND (sign_count < $2 OR sign_count = 0 AND $2 = 0)`)
)
