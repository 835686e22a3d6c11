package idp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"github.com/go-json-experiment/json/jsontext"

	"moothall/internal/domain"
)

// algorithms are those an ID token may be signed with: asymmetric ones only,
// whatever the provider or the token says.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// clockSkew is how far a provider's clock may be ahead of ours.
const clockSkew = time.Minute

// judge verifies an ID token that was issued to one of the clients, for the
// nonce: a token that has one is good only for the request that sent it.
func (p *openID) judge(ctx context.Context, raw string, clients []string, nonce string) (Person, error) {
	keys := &signature{provider: p}
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = string(a)
	}
	verifier := oidc.NewVerifier(p.opts.Issuer, keys, &oidc.Config{
		SkipClientIDCheck: true, SupportedSigningAlgs: names, Now: p.clock.Now, // clients are checked below
	})
	token, err := verifier.Verify(ctx, raw)
	if keys.failed != nil {
		return Person{}, keys.failed
	}
	if err != nil {
		return Person{}, refused("the ID token is not good")
	}
	var c claims
	if err := c.read(token); err != nil {
		return Person{}, err
	}
	switch {
	case !c.issuedTo(token.Audience, clients):
		return Person{}, refused("the ID token was issued to another client")
	case token.IssuedAt.IsZero() || token.IssuedAt.After(p.clock.Now().Add(clockSkew)):
		return Person{}, refused("the ID token was not issued yet")
	case token.Nonce != nonce:
		return Person{}, refused("the ID token has another nonce")
	case !goodSubject(token.Subject):
		return Person{}, refused("the ID token has no usable subject")
	}
	person := Person{
		Issuer: p.opts.Issuer, Subject: token.Subject, Name: c.Name, Nonce: token.Nonce, ExpiresAt: token.Expiry,
	}
	if c.EmailVerified {
		person.Email = c.Email
	}
	return person, nil
}

// claims are those of an ID token that go-oidc does not read.
type claims struct {
	AuthorizedParty *string `json:"azp"`
	Name            string  `json:"name"`
	Email           string  `json:"email"`
	EmailVerified   yes     `json:"email_verified"`
}

// yes is true, or "true" as some providers write it.
type yes bool

// UnmarshalJSON implements json.Unmarshaler.
func (y *yes) UnmarshalJSON(value []byte) error {
	text := string(value)
	*y = text == "true" || text == `"true"`
	return nil
}

func (c *claims) read(token *oidc.IDToken) error {
	var payload json.RawMessage
	if err := token.Claims(&payload); err != nil {
		return refused("the ID token has no claims")
	}
	if err := unambiguous(payload); err != nil {
		return refused("the ID token has a claim twice")
	}
	if err := json.Unmarshal(payload, c); err != nil {
		return refused("the ID token has claims of the wrong type")
	}
	return nil
}

// issuedTo says whether one of the clients may use the token (OpenID Connect
// Core §3.1.3.7): it is for one of them, and the party it was issued to, which
// a token for several audiences has to name, is one too.
func (c *claims) issuedTo(audience, clients []string) bool {
	ours := func(id string) bool { return id != "" && slices.Contains(clients, id) }
	if !slices.ContainsFunc(audience, ours) {
		return false
	}
	if c.AuthorizedParty == nil {
		return len(audience) == 1
	}
	return ours(*c.AuthorizedParty)
}

var errAmbiguous = errors.New("a name stands twice")

// unambiguous refuses an object that two programs could read differently: a
// name twice, in any case of letters.
func unambiguous(object []byte) error {
	in := jsontext.NewDecoder(bytes.NewReader(object))
	if token, err := in.ReadToken(); err != nil || token.Kind() != '{' {
		return errAmbiguous
	}
	seen := map[string]bool{}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil {
			return err
		}
		folded := strings.ToLower(name.String())
		if seen[folded] {
			return errAmbiguous
		}
		seen[folded] = true
		if err := in.SkipValue(); err != nil {
			return err
		}
	}
	if _, err := in.ReadToken(); err != nil {
		return err
	}
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return errAmbiguous
	}
	return nil
}

const (
	keysAge    = 15 * time.Minute
	newKeysAge = 10 * time.Second // a token with an unknown key has them fetched again no more often
)

// signature is an oidc.KeySet for one token. It asks the provider's own keys
// only: what a token's header says about keys, its key id aside, is ignored.
type signature struct {
	provider *openID
	failed   error // the provider could not be asked
}

// VerifySignature implements oidc.KeySet.
func (s *signature) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(jwt, algorithms)
	if err != nil {
		return nil, err
	}
	id := signed.Signatures[0].Header.KeyID
	for _, age := range []time.Duration{keysAge, newKeysAge} {
		keys, err := s.provider.keys.get(ctx, age)
		if err != nil {
			s.failed = err
			return nil, err
		}
		for _, key := range keys.Keys {
			if id != "" && key.KeyID != id || key.Use == "enc" {
				continue
			}
			if payload, err := signed.Verify(key.Key); err == nil {
				return payload, nil
			}
		}
	}
	return nil, domain.Unauthorized
}

func (p *openID) fetchKeys(ctx context.Context) (jose.JSONWebKeySet, error) {
	var keys jose.JSONWebKeySet
	m, err := p.metadata.get(ctx, metadataAge)
	if err != nil {
		return keys, err
	}
	body, err := p.load(ctx, m.KeysURL)
	if err == nil && json.Unmarshal(body, &keys) != nil {
		err = unavailable("the keys of " + p.opts.Name + " cannot be read")
	}
	return keys, err
}

func (p *openID) load(ctx context.Context, address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, unavailable("the address of the keys of " + p.opts.Name + " is malformed")
	}
	return ask(p.client, r, "the keys of "+p.opts.Name)
}
