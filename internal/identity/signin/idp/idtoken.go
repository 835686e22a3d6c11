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

// algorithms are the accepted signature algorithms of ID tokens: only asymmetric ones,
// even if the provider or the token names others.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// clockSkew is how far a provider's clock may be ahead.
const clockSkew = time.Minute

// verifyIDToken verifies an ID token that was issued to one of the clients. The
// nonce must be equal; "" requires a token without a nonce.
func (p *openID) verifyIDToken(ctx context.Context, raw string, clients []string, nonce string) (Identity, error) {
	keys := &keySet{provider: p}
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = string(a)
	}
	verifier := oidc.NewVerifier(p.opts.Issuer, keys, &oidc.Config{
		SkipClientIDCheck: true, SupportedSigningAlgs: names, Now: p.clock.Now, // issuedTo checks the client
	})
	token, err := verifier.Verify(ctx, raw)
	if keys.failed != nil {
		return Identity{}, keys.failed
	}
	if err != nil {
		return Identity{}, refused("the ID token is invalid")
	}
	var c claims
	if err := c.read(token); err != nil {
		return Identity{}, err
	}
	switch {
	case !c.issuedTo(token.Audience, clients):
		return Identity{}, refused("the ID token was issued to another client")
	case token.IssuedAt.IsZero() || token.IssuedAt.After(p.clock.Now().Add(clockSkew)):
		return Identity{}, refused("the ID token has no valid time of issue")
	case token.Nonce != nonce:
		return Identity{}, refused("the ID token has another nonce")
	case !validSubject(token.Subject):
		return Identity{}, refused("the ID token has no valid subject")
	}
	identity := Identity{
		Issuer: p.opts.Issuer, Subject: token.Subject, Name: c.Name, Nonce: token.Nonce, ExpiresAt: token.Expiry,
	}
	if bool(c.EmailVerified) && p.opts.TrustEmail {
		identity.Email = c.Email
	}
	return identity, nil
}

// claims are the claims of an ID token that go-oidc does not parse.
type claims struct {
	AuthorizedParty *string  `json:"azp"`
	Name            string   `json:"name"`
	Email           string   `json:"email"`
	EmailVerified   flexBool `json:"email_verified"`
}

// flexBool is true or "true": some providers send a string.
type flexBool bool

// UnmarshalJSON implements json.Unmarshaler.
func (b *flexBool) UnmarshalJSON(value []byte) error {
	text := string(value)
	*b = text == "true" || text == `"true"`
	return nil
}

func (c *claims) read(token *oidc.IDToken) error {
	var payload json.RawMessage
	if err := token.Claims(&payload); err != nil {
		return refused("the ID token has no claims")
	}
	if err := checkDuplicates(payload); err != nil {
		return refused("the ID token has a duplicate claim")
	}
	if err := json.Unmarshal(payload, c); err != nil {
		return refused("the ID token has claims of the wrong type")
	}
	return nil
}

// issuedTo reports whether the token was issued to one of the clients (OpenID
// Connect Core §3.1.3.7): one of them is in the audience, and the authorized
// party is one of them. Only a token with a single audience may omit the party.
func (c *claims) issuedTo(audience, clients []string) bool {
	isClient := func(id string) bool { return id != "" && slices.Contains(clients, id) }
	if !slices.ContainsFunc(audience, isClient) {
		return false
	}
	if c.AuthorizedParty == nil {
		return len(audience) == 1
	}
	return isClient(*c.AuthorizedParty)
}

var errDuplicate = errors.New("duplicate name")

// checkDuplicates returns an error unless data is one JSON object whose names
// differ, even ignoring case. Two programs could read duplicates differently.
func checkDuplicates(object []byte) error {
	in := jsontext.NewDecoder(bytes.NewReader(object))
	if token, err := in.ReadToken(); err != nil || token.Kind() != '{' {
		return errDuplicate
	}
	names := map[string]bool{}
	for in.PeekKind() == '"' {
		name, err := in.ReadToken()
		if err != nil {
			return err
		}
		folded := strings.ToLower(name.String())
		if names[folded] {
			return errDuplicate
		}
		names[folded] = true
		if err := in.SkipValue(); err != nil {
			return err
		}
	}
	if _, err := in.ReadToken(); err != nil {
		return err
	}
	if _, err := in.ReadToken(); !errors.Is(err, io.EOF) {
		return errDuplicate
	}
	return nil
}

const (
	maxKeysAge    = 15 * time.Minute
	minKeysReload = 10 * time.Second // a token with an unknown key reloads the keys at most this often
)

// keySet is the oidc.KeySet for one token. It uses only the keys that the provider
// publishes. From the header of the token it uses only the id of the key.
type keySet struct {
	provider *openID
	failed   error // why the keys could not be fetched
}

// VerifySignature implements oidc.KeySet.
func (s *keySet) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(jwt, algorithms)
	if err != nil {
		return nil, err
	}
	id := signed.Signatures[0].Header.KeyID
	for _, age := range []time.Duration{maxKeysAge, minKeysReload} {
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
	m, err := p.metadata.get(ctx, maxMetadataAge)
	if err != nil {
		return keys, err
	}
	body, err := p.load(ctx, m.KeysURL)
	if err == nil && json.Unmarshal(body, &keys) != nil {
		err = unavailable("the keys of " + p.opts.Name + " are not a JSON key set")
	}
	return keys, err
}

func (p *openID) load(ctx context.Context, address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, unavailable("the address of the keys of " + p.opts.Name + " is malformed")
	}
	return fetch(p.client, r, "the keys of "+p.opts.Name)
}
