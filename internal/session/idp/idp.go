// Package idp speaks with identity providers: it sends browsers to them, trades
// what browsers bring back, and judges the tokens of native clients (contract
// §2.3). It decides who somebody is at the provider; whose account that is here
// is for the session room.
//
// Every refusal is domain.Unauthorized, and a provider that is away, slow or
// talks nonsense is domain.ServiceUnavailable. No error holds a token, a code or
// what a provider has answered.
package idp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/domain"
)

// Timeout bounds all talk with providers on behalf of one request.
const Timeout = 5 * time.Second

// The kinds of providers.
const (
	OIDC   = "oidc"   // OpenID Connect: discovery, ID tokens
	Opaque = "opaque" // OAuth whose tokens only the provider itself can judge (Yandex ID)
)

// Options describe one provider.
type Options struct {
	Name            string
	Kind            string // OIDC or Opaque
	Issuer          string // one half of the key of accounts; where discovery begins
	ClientID        string // of the web flow; empty: none
	ClientSecret    string
	NativeClientIDs []string // whose tokens native clients may bring; empty: nobody's

	AuthURL, TokenURL, InfoURL string // of an Opaque one; the others are discovered
}

// Check says what is missing or does not fit together.
func (o Options) Check() error {
	switch {
	case o.Kind != OIDC && o.Kind != Opaque:
		return errors.New("KIND must be oidc or opaque")
	case o.Issuer == "":
		return errors.New("ISSUER must be set")
	case o.ClientID == "" && len(o.NativeClientIDs) == 0:
		return errors.New("CLIENT_ID or NATIVE_CLIENT_IDS must be set")
	case o.Kind == Opaque && o.InfoURL == "":
		return errors.New("INFO_URL must be set: the kind is opaque")
	case o.Kind == Opaque && o.ClientID != "" && (o.AuthURL == "" || o.TokenURL == ""):
		return errors.New("AUTH_URL and TOKEN_URL must be set: the kind is opaque and there is a CLIENT_ID")
	case o.Kind == OIDC && o.AuthURL+o.TokenURL+o.InfoURL != "":
		return errors.New("AUTH_URL, TOKEN_URL and INFO_URL must not be set: the kind oidc discovers them")
	}
	return nil
}

// Person is whom a provider vouches for.
type Person struct {
	Issuer  string
	Subject string
	Email   string // empty unless the provider has verified it
	Name    string // may be empty; anything

	Nonce     string    // of the ID token, if it had one
	ExpiresAt time.Time // of the ID token
}

// Trip is the way of one browser to a provider and back.
type Trip struct {
	State, Nonce, Verifier string
	RedirectURI            string
}

// Provider is one identity provider. It may be used by several requests at once.
type Provider interface {
	// AuthURL gives the page where the browser signs in.
	AuthURL(ctx context.Context, t Trip) (string, error)
	// CheckIssuer judges the parameter iss of the browser's answer (RFC 9207).
	CheckIssuer(ctx context.Context, iss string, present bool) error
	// Exchange trades the code that the browser brought back.
	Exchange(ctx context.Context, code string, t Trip) (Person, error)
	// Native judges a token that a native client got from the provider's SDK.
	Native(ctx context.Context, token, nonce string) (Person, error)
}

// Set is the configured providers.
type Set struct {
	byName map[string]Provider
	first  string
}

// New makes a set; the first provider is the default one.
func New(all []Options, clock domain.Clock) *Set {
	s := &Set{byName: map[string]Provider{}}
	client := newClient()
	for _, o := range all {
		if s.first == "" {
			s.first = o.Name
		}
		if o.Kind == Opaque {
			s.byName[o.Name] = &opaque{opts: o, client: client}
		} else {
			s.byName[o.Name] = newOpenID(o, client, clock)
		}
	}
	return s
}

// Get gives a provider and its name, the default one for "";
// domain.ServiceUnavailable when it is not configured (contract §10).
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

// maxSubject bounds what is stored as an account's key (OpenID Connect Core §2
// says 255 ASCII characters).
const maxSubject = 255

func goodSubject(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && len(s) <= maxSubject
}

// unreachable describes a call that gave no answer; the text of such an error
// holds the address at most.
func unreachable(what string, err error) error { return unavailable(what + ": " + err.Error()) }
