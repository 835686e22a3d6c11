package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"path"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin/idp"
	"moothall/internal/platform/db"
)

// IdpOptions are the settings of sign-in through identity providers.
type IdpOptions struct {
	Providers   *idp.Set
	RedirectURI string // the callback address that providers and browsers see
	// WebOrigin is the origin of the web client if its host is not that of RedirectURI.
	// Otherwise it is empty.
	WebOrigin string
}

// cookiePath returns the path of the callback address without its last element.
func (o IdpOptions) cookiePath() string {
	u, err := url.Parse(o.RedirectURI)
	if err != nil {
		return "/" // the settings are checked
	}
	return path.Dir(u.Path)
}

// LoginError is the error code that the callback passes to the login page
// (contract §2.3).
type LoginError string

// The error codes. The callback never passes on a text from a provider.
const (
	OAuthDenied      LoginError = "oauth_denied"      // the user or the provider refused
	OAuthState       LoginError = "oauth_state"       // the state is unknown, used, expired or of another browser
	OAuthFailed      LoginError = "oauth_failed"      // the response of the provider is invalid
	OAuthUnavailable LoginError = "oauth_unavailable" // the provider or the database is unavailable
)

// Error returns the code.
func (e LoginError) Error() string { return string(e) }

// stateLifetime is how long a user may take to sign in at the provider.
const stateLifetime = 10 * time.Minute

const (
	stateToken   session.TokenKind = "st_" // the state parameter
	browserToken session.TokenKind = "br_" // the cookie that ties the state to a browser
)

// Redirect sends a browser to a provider.
type Redirect struct {
	URL     string // the provider's authorization page
	Browser string // secret for a cookie: only this browser can use the callback
}

// Callback holds the parameters and the cookie of a request to the callback address.
type Callback struct {
	State, Browser string
	Code, Error    string
	Issuer         string
	HasIssuer      bool
	Repeated       bool // a parameter was given more than once
}

// StartIdp starts a sign-in through a provider; "" is the default provider. It ignores
// a returnTo that is not a path of the web client, see LocalPath. It returns
// domain.ServiceUnavailable if the provider is unavailable or not configured.
func (s *Service) StartIdp(ctx context.Context, provider, returnTo string) (Redirect, error) {
	ctx, cancel := context.WithTimeout(ctx, idp.Timeout)
	defer cancel()
	p, provider, err := s.Idp.Providers.Get(provider)
	if err != nil {
		return Redirect{}, err
	}
	state, browser := stateToken.New(), browserToken.New()
	r := Redirect{Browser: browser}
	if r.URL, err = p.AuthURL(ctx, s.authRequest(state, browser)); err != nil {
		return Redirect{}, fmt.Errorf("signin.start_idp %s: %w", provider, err)
	}
	stateHash, _ := stateToken.Hash(state)
	browserHash, _ := browserToken.Hash(browser)
	_, err = s.DB.Exec(db.Preparation(ctx), insertStateStmt, stateHash, browserHash, provider, LocalPath(returnTo),
		s.Clock.Now().Add(stateLifetime))
	return r, err
}

// authRequest derives the nonce and the PKCE verifier from the browser's secret,
// so that they are not stored.
func (s *Service) authRequest(state, browser string) idp.AuthRequest {
	secret := func(purpose string) string {
		return base64.RawURLEncoding.EncodeToString(s.mac(purpose, []byte(browser)))
	}
	return idp.AuthRequest{
		State: state, Nonce: secret("oauth nonce"), Verifier: secret("oauth pkce verifier"),
		RedirectURI: s.Idp.RedirectURI,
	}
}

// FinishIdp exchanges a callback for a session and the path to return to. Every refusal
// is a LoginError that wraps its cause. consumed reports whether the state was used, so
// that the browser no longer needs the cookie.
func (s *Service) FinishIdp(ctx context.Context, cb Callback,
	c session.Client) (in session.SignedIn, returnTo string, consumed bool, err error) {
	provider, returnTo, err := s.consumeState(ctx, cb)
	if err != nil {
		return session.SignedIn{}, "", false, err
	}
	identity, err := s.exchange(ctx, provider, cb)
	if err == nil {
		in, err = s.signInIdentity(ctx, identity, session.IdpWeb, c)
	}
	var refused LoginError
	switch {
	case err == nil || errors.As(err, &refused):
	case errors.Is(err, domain.ServiceUnavailable), isUnavailable(err):
		err = fmt.Errorf("signin.finish_idp %s: %w: %w", provider, OAuthUnavailable, err)
	case errors.Is(err, domain.Unauthorized):
		err = fmt.Errorf("signin.finish_idp %s: %w: %w", provider, OAuthFailed, err)
	}
	return in, returnTo, true, err
}

func isUnavailable(err error) bool {
	return errors.Is(err, db.ErrUnavailable) || errors.Is(err, db.ErrInDoubt) || errors.Is(err, context.DeadlineExceeded)
}

// consumeState deletes a state and returns its provider and path. Of several concurrent
// callbacks one succeeds.
func (s *Service) consumeState(ctx context.Context, cb Callback) (provider, returnTo string, err error) {
	state, validState := stateToken.Hash(cb.State)
	browser, validBrowser := browserToken.Hash(cb.Browser)
	if !validState || !validBrowser || cb.Repeated {
		return "", "", OAuthState
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		return tx.One(ctx, consumeStateStmt, state, browser, s.Clock.Now()).ScanOr(OAuthState, &provider, &returnTo)
	})
	if isUnavailable(err) {
		err = fmt.Errorf("%w: %w", OAuthUnavailable, err)
	}
	return provider, returnTo, err
}

// exchange checks a callback and exchanges its code for the user's identity.
func (s *Service) exchange(ctx context.Context, provider string, cb Callback) (idp.Identity, error) {
	ctx, cancel := context.WithTimeout(ctx, idp.Timeout)
	defer cancel()
	p, _, err := s.Idp.Providers.Get(provider)
	if err == nil {
		err = p.CheckIssuer(ctx, cb.Issuer, cb.HasIssuer)
	}
	if err == nil {
		err = cb.refusal()
	}
	if err != nil {
		return idp.Identity{}, err
	}
	return p.Exchange(ctx, cb.Code, s.authRequest(cb.State, cb.Browser))
}

// refusal maps the provider's error parameter to a LoginError.
func (cb Callback) refusal() error {
	switch {
	case cb.Code == "" && cb.Error == "access_denied":
		return OAuthDenied
	case cb.Code == "" && (cb.Error == "temporarily_unavailable" || cb.Error == "server_error"):
		return OAuthUnavailable
	case cb.Code == "" || cb.Error != "":
		return OAuthFailed
	}
	return nil
}

// SignInByToken exchanges a token that a native client got from a provider's
// SDK. It returns domain.Unauthorized if the token is invalid, was issued to
// another application, or has a nonce that was used before, and
// domain.ServiceUnavailable like StartIdp.
func (s *Service) SignInByToken(ctx context.Context, provider, token, nonce string, c session.Client) (session.SignedIn, error) {
	p, provider, err := s.Idp.Providers.Get(provider)
	if err != nil {
		return session.SignedIn{}, err
	}
	providerCtx, cancel := context.WithTimeout(ctx, idp.Timeout)
	defer cancel()
	identity, err := p.VerifyNative(providerCtx, token, nonce)
	if err != nil {
		return session.SignedIn{}, fmt.Errorf("signin.sign_in_by_token %s: %w", provider, err)
	}
	return s.signInIdentity(ctx, identity, session.IdpNative, c)
}

// signInIdentity starts a session for an identity and creates the account if
// there is none. Concurrent first sign-ins create one account.
func (s *Service) signInIdentity(ctx context.Context, i idp.Identity, m session.Method, c session.Client) (session.SignedIn, error) {
	now := s.Clock.Now()
	var in *session.SignedIn
	signIn := func(tx db.Tx) error {
		in = nil
		if err := useNonce(ctx, tx, i); err != nil {
			return err
		}
		user, err := s.findOrCreateUser(ctx, tx, i, now)
		if err == nil {
			in, err = s.Sessions.Start(ctx, tx, user, m, session.NewPair(), c, now)
		}
		return err
	}
	err := db.RetryUnique(func() error { return s.DB.InTx(ctx, signIn) })
	return signedIn(in, err)
}

// useNonce returns domain.Unauthorized if an ID token with the same nonce was used.
func useNonce(ctx context.Context, tx db.Tx, i idp.Identity) error {
	if i.Nonce == "" {
		return nil
	}
	hash := sha256.Sum256([]byte(i.Issuer + "\x00" + i.Nonce))
	n, err := tx.Exec(ctx, insertNonceStmt, hash[:], i.ExpiresAt)
	if err == nil && n == 0 {
		err = domain.Unauthorized
	}
	return err
}

// findOrCreateUser returns the account of an identity. The key of the account is
// the issuer and the subject, which never change; e-mail addresses do.
func (s *Service) findOrCreateUser(ctx context.Context, tx db.Tx, i idp.Identity, now time.Time) (id domain.UserID, err error) {
	found, err := tx.One(ctx, identityStmt, i.Issuer, i.Subject).Find(&id)
	if err != nil || found {
		return id, err
	}
	var email *user.Email
	if e, err := user.ParseEmail(i.Email); err == nil {
		email = &e
	}
	if id, err = s.Users.FindOrCreateVerified(ctx, tx, email, i.Name, now); err != nil {
		return id, err
	}
	_, err = tx.Exec(ctx, insertIdentityStmt, i.Issuer, i.Subject, id, now)
	return id, err
}

var (
	insertStateStmt = db.SQL("signin.insert_state", `
		INSERT INTO oauth_states (state_hash, browser_hash, provider, return_to, expires_at) VALUES ($1, $2, $3, $4, $5)`)

	// consumeStateStmt lets a state be used once, and only by the browser that started.
	consumeStateStmt = db.SQL("signin.consume_state", `
		DELETE FROM oauth_states WHERE state_hash = $1 AND browser_hash = $2 AND expires_at > $3
		RETURNING provider, return_to`)

	insertNonceStmt = db.SQL("signin.insert_nonce", `
		INSERT INTO oauth_nonces (nonce_hash, expires_at) VALUES ($1, $2) ON CONFLICT (nonce_hash) DO NOTHING`)

	identityStmt = db.SQL("signin.identity", `
		SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2`)

	insertIdentityStmt = db.SQL("signin.insert_identity", `
		INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)`)

	purgeStatesStmt = db.SQL("signin.purge_states", `
		DELETE FROM oauth_states WHERE state_hash IN (
			SELECT s.state_hash FROM oauth_states s WHERE s.expires_at <= $1 LIMIT 1000)`)

	purgeNoncesStmt = db.SQL("signin.purge_nonces", `
		DELETE FROM oauth_nonces WHERE nonce_hash IN (
			SELECT n.nonce_hash FROM oauth_nonces n WHERE n.expires_at <= $1 LIMIT 1000)`)
)
