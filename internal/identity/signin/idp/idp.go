// Package idp talks to identity providers: it builds authorization requests,
// exchanges authorization codes, and verifies the tokens of native clients (contract
// §2.3). It returns identities at a provider; package signin maps them to accounts.
//
// Every refusal is domain.Unauthorized. If a provider is unreachable or slow, or its
// response is invalid, the error is domain.ServiceUnavailable. No error contains a
// token, a code or the response of a provider.
package idp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
)

// Timeout limits all requests to providers on behalf of one request to the service.
const Timeout = 5 * time.Second

// Options describe one provider.
type Options struct {
	Name            string
	Issuer          string // part of the key of identities; the address of discovery
	ClientID        string // of the web client; empty: no sign-in by browser
	ClientSecret    string
	NativeClientIDs []string // clients whose tokens are accepted from native apps; empty: none
	TrustEmail      bool     // e-mail addresses that the provider calls verified are used

	// Without InfoURL, the provider speaks OpenID Connect, which discovers all three. With it, the tokens are opaque: only the provider
	// can verify them (Yandex ID).
	AuthURL, TokenURL, InfoURL string
}

// Check returns an error if an option is missing or options contradict each other.
func (o Options) Check() error {
	switch {
	case o.Issuer == "":
		return errors.New("ISSUER must be set")
	case o.ClientID == "" && len(o.NativeClientIDs) == 0:
		return errors.New("CLIENT_ID or NATIVE_CLIENT_IDS must be set")
	case o.InfoURL != "" && o.ClientID != "" && (o.AuthURL == "" || o.TokenURL == ""):
		return errors.New("AUTH_URL and TOKEN_URL must be set with INFO_URL and CLIENT_ID")
	case o.InfoURL == "" && o.AuthURL+o.TokenURL != "":
		return errors.New("INFO_URL must be set with AUTH_URL and TOKEN_URL; OpenID Connect discovers all three")
	}
	return nil
}

// Identity is a user as the provider knows them.
type Identity struct {
	Issuer  string
	Subject string
	Email   string // empty unless verified by a provider that is trusted for it
	Name    string // any text; may be empty

	Nonce     string    // of the ID token; may be empty
	ExpiresAt time.Time // of the ID token
}

// AuthRequest holds the parameters of one authorization request (OpenID Connect
// Core §3.1.2.1, RFC 7636).
type AuthRequest struct {
	State, Nonce, Verifier string
	RedirectURI            string
}

// Provider is one identity provider. It is safe for concurrent use.
type Provider interface {
	// AuthURL returns the address of the authorization page.
	AuthURL(ctx context.Context, r AuthRequest) (string, error)
	// CheckIssuer checks the iss parameter of the callback (RFC 9207).
	CheckIssuer(ctx context.Context, iss string, present bool) error
	// Exchange exchanges the code of the callback.
	Exchange(ctx context.Context, code string, r AuthRequest) (Identity, error)
	// VerifyNative verifies a token that a native client got from the provider's SDK.
	VerifyNative(ctx context.Context, token, nonce string) (Identity, error)
}

// Set is the configured providers.
type Set struct {
	byName map[string]Provider
	first  string
}

// New returns a set whose default is the first provider.
func New(all []Options, clock domain.Clock) *Set {
	s := &Set{byName: map[string]Provider{}}
	transport := newTransport()
	for _, o := range all {
		client := newClient(o.Name, transport)
		if s.first == "" {
			s.first = o.Name
		}
		if o.InfoURL != "" {
			s.byName[o.Name] = &opaque{opts: o, client: client}
		} else {
			s.byName[o.Name] = newOpenID(o, client, clock)
		}
	}
	return s
}

// Get returns a provider and its name; "" is the default provider. It returns
// domain.ServiceUnavailable if the provider is not configured (contract §10).
func (s *Set) Get(name string) (Provider, string, error) {
	if name == "" {
		name = s.first
	}
	p, ok := s.byName[name]
	if !ok {
		return nil, "", unavailable("this identity provider is not configured")
	}
	return p, name, nil
}

func refused(why string) error { return fmt.Errorf("%s: %w", why, domain.Unauthorized) }

func unavailable(why string) error { return fmt.Errorf("%s: %w", why, domain.ServiceUnavailable) }

// maxSubject limits the subject, which is part of a primary key (OpenID Connect
// Core §2: at most 255 ASCII characters).
const maxSubject = 255

func validSubject(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && len(s) <= maxSubject
}

// unreachable is the error of a request without a response. The text of err must not
// contain a secret.
func unreachable(what string, err error) error { return unavailable(what + ": " + err.Error()) }
