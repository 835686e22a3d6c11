package session

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/session/idp"
	"moothall/internal/user"
)

// IdpOptions are the settings of signing in by identity provider.
type IdpOptions struct {
	Providers   *idp.Set
	RedirectURI string // the callback as providers and browsers know it
}

// LoginError is the code by which the login page is told that signing in by
// identity provider has failed (contract §2.3).
type LoginError string

// The codes there are; nothing that a provider says is ever passed on.
const (
	OAuthDenied      LoginError = "oauth_denied"      // the person or the provider said no
	OAuthState       LoginError = "oauth_state"       // not a trip of this browser, or not any more
	OAuthFailed      LoginError = "oauth_failed"      // what came back is not good
	OAuthUnavailable LoginError = "oauth_unavailable" // the provider, or the store, is away
)

// Error gives the code.
func (e LoginError) Error() string { return string(e) }

// tripLifetime is how long a browser may be on its way.
const tripLifetime = 10 * time.Minute

// Departure sends a browser to a provider.
type Departure struct {
	URL     string // of the provider's page
	Browser string // secret, for a cookie: whoever comes back has to have it
}

// Return is what a browser brings back from a provider.
type Return struct {
	State, Browser string
	Code, Error    string
	Issuer         string
	HasIssuer      bool
	Twice          bool // a parameter stood there twice
}

// StartIdp prepares the trip of a browser to a provider, the default one for
// "". Only a place of the web client is returned to, see localPath.
// domain.ServiceUnavailable when the provider is away or not configured.
func (s *Service) StartIdp(ctx context.Context, provider, returnTo string) (Departure, error) {
	ctx, cancel := context.WithTimeout(ctx, idp.Timeout)
	defer cancel()
	p, provider, err := s.opts.Idp.Providers.Get(provider)
	if err != nil {
		return Departure{}, err
	}
	state, browser := newToken(stateToken), newToken(browserToken)
	d := Departure{Browser: browser}
	if d.URL, err = p.AuthURL(ctx, s.trip(state, browser)); err != nil {
		return Departure{}, fmt.Errorf("session.start_idp %s: %w", provider, err)
	}
	stateHash, _ := stateToken.hash(state)
	browserHash, _ := browserToken.hash(browser)
	_, err = s.db.Exec(ctx, insertStateStmt, stateHash, browserHash, provider, localPath(returnTo), s.clock.Now().Add(tripLifetime))
	if err != nil {
		return Departure{}, fmt.Errorf("session.start_idp: %w", err)
	}
	return d, nil
}

// trip derives the secrets of a trip from that of the browser, so that they
// need not be stored.
func (s *Service) trip(state, browser string) idp.Trip {
	secret := func(purpose string) string {
		mac := hmac.New(sha256.New, s.opts.Key)
		mac.Write([]byte(purpose + "\x00" + browser)) // the key serves other purposes too
		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	return idp.Trip{
		State: state, Nonce: secret("oauth nonce"), Verifier: secret("oauth pkce verifier"),
		RedirectURI: s.opts.Idp.RedirectURI,
	}
}

// FinishIdp ends a trip with a session and the place to return to. Every way to
// fail is a LoginError, with its cause; consumed tells that the browser's secret
// is used up, well or not.
func (s *Service) FinishIdp(ctx context.Context, r Return, c Client) (in SignedIn, returnTo string, consumed bool, err error) {
	provider, returnTo, err := s.takeState(ctx, r)
	if err != nil {
		return SignedIn{}, "", false, err
	}
	person, err := s.arrive(ctx, provider, r)
	if err == nil {
		in, err = s.signInPerson(ctx, person, IdpWeb, c)
	}
	var known LoginError
	switch {
	case err == nil || errors.As(err, &known):
	case errors.Is(err, domain.ServiceUnavailable), errors.Is(err, db.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		err = fmt.Errorf("session.finish_idp %s: %w: %w", provider, OAuthUnavailable, err)
	case errors.Is(err, domain.Unauthorized):
		err = fmt.Errorf("session.finish_idp %s: %w: %w", provider, OAuthFailed, err)
	}
	return in, returnTo, true, err
}

// takeState uses a state up; any number of callbacks at once get it once.
func (s *Service) takeState(ctx context.Context, r Return) (provider, returnTo string, err error) {
	state, good := stateToken.hash(r.State)
	browser, known := browserToken.hash(r.Browser)
	if !good || !known || r.Twice {
		return "", "", OAuthState
	}
	err = s.db.InTx(ctx, func(tx db.Tx) error {
		return tx.One(ctx, takeStateStmt, state, browser, s.clock.Now()).Scan(&provider, &returnTo)
	})
	switch {
	case errors.Is(err, db.ErrNoRow):
		return "", "", OAuthState
	case errors.Is(err, db.ErrUnavailable), errors.Is(err, context.DeadlineExceeded):
		return "", "", fmt.Errorf("session.take_state: %w: %w", OAuthUnavailable, err)
	case err != nil:
		return "", "", fmt.Errorf("session.take_state: %w", err)
	}
	return provider, returnTo, nil
}

// arrive judges what the browser brought back and asks the provider who it is.
func (s *Service) arrive(ctx context.Context, provider string, r Return) (idp.Person, error) {
	ctx, cancel := context.WithTimeout(ctx, idp.Timeout)
	defer cancel()
	p, _, err := s.opts.Idp.Providers.Get(provider)
	if err == nil {
		err = p.CheckIssuer(ctx, r.Issuer, r.HasIssuer)
	}
	if err == nil {
		err = r.refusal()
	}
	if err != nil {
		return idp.Person{}, err
	}
	return p.Exchange(ctx, r.Code, s.trip(r.State, r.Browser))
}

// refusal translates the provider's error into one of ours.
func (r Return) refusal() error {
	switch {
	case r.Code == "" && r.Error == "access_denied":
		return OAuthDenied
	case r.Code == "" && (r.Error == "temporarily_unavailable" || r.Error == "server_error"):
		return OAuthUnavailable
	case r.Code == "" || r.Error != "":
		return OAuthFailed
	}
	return nil
}

// SignInByToken trades a token that a native client got from a provider's SDK.
// domain.Unauthorized when it is not good, was issued to another application, or
// has a nonce that was used; domain.ServiceUnavailable as for StartIdp.
func (s *Service) SignInByToken(ctx context.Context, provider, token, nonce string, c Client) (SignedIn, error) {
	p, provider, err := s.opts.Idp.Providers.Get(provider)
	if err != nil {
		return SignedIn{}, err
	}
	asking, cancel := context.WithTimeout(ctx, idp.Timeout)
	defer cancel()
	person, err := p.Native(asking, token, nonce)
	if err != nil {
		return SignedIn{}, fmt.Errorf("session.sign_in_by_token %s: %w", provider, err)
	}
	return s.signInPerson(ctx, person, IdpNative, c)
}

// errRace says that somebody else has just made the account of a person.
var errRace = errors.New("another request made the account")

// signInPerson starts a session for whom a provider vouches for, making the
// account when there is none. Any number of first sign-ins make one account.
func (s *Service) signInPerson(ctx context.Context, p idp.Person, m Method, c Client) (SignedIn, error) {
	now := s.clock.Now()
	var in *SignedIn
	sign := func(tx db.Tx) error {
		in = nil
		if err := burnNonce(ctx, tx, p); err != nil {
			return err
		}
		user, err := s.userOf(ctx, tx, p, now)
		if err == nil {
			in, err = s.start(ctx, tx, user, m, c, now)
		}
		return err
	}
	err := s.db.InTx(ctx, sign)
	if errors.Is(err, errRace) {
		err = s.db.InTx(ctx, sign) // finds it now
	}
	if err == nil && in == nil {
		err = domain.Unauthorized // suspended
	}
	if err != nil {
		return SignedIn{}, fmt.Errorf("session.sign_in_person: %w", err)
	}
	return *in, nil
}

// burnNonce makes sure that an ID token with a nonce is good once.
func burnNonce(ctx context.Context, tx db.Tx, p idp.Person) error {
	if p.Nonce == "" {
		return nil
	}
	hash := sha256.Sum256([]byte(p.Issuer + "\x00" + p.Nonce))
	n, err := tx.Exec(ctx, burnNonceStmt, hash[:], p.ExpiresAt)
	if err == nil && n == 0 {
		err = domain.Unauthorized
	}
	return err
}

// userOf finds or makes the account of a person: keyed by issuer and subject,
// which never change hands, and by nothing else once it is there.
func (s *Service) userOf(ctx context.Context, tx db.Tx, p idp.Person, now time.Time) (id domain.UserID, err error) {
	err = tx.One(ctx, identityStmt, p.Issuer, p.Subject).Scan(&id)
	if !errors.Is(err, db.ErrNoRow) {
		return id, err
	}
	var email *user.Email
	if e, err := user.ParseEmail(p.Email); err == nil {
		email = &e
	}
	if id, err = s.profiles.FindOrCreateVouched(ctx, tx, email, p.Name, now); err != nil {
		return id, err
	}
	made, err := tx.Exec(ctx, insertIdentityStmt, p.Issuer, p.Subject, id, now)
	if err == nil && made == 0 {
		err = errRace
	}
	return id, err
}
