package idp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/oauth2"

	"moothall/internal/domain"
)

// openID is an OpenID Connect provider.
type openID struct {
	opts     Options
	client   *http.Client
	clock    domain.Clock
	metadata cached[metadata]
	keys     cached[jose.JSONWebKeySet]
}

const maxMetadataAge = time.Hour

// metadata is the document of discovery (OpenID Connect Discovery §3).
type metadata struct {
	endpoint         oauth2.Endpoint
	KeysURL          string   `json:"jwks_uri"`
	AuthMethods      []string `json:"token_endpoint_auth_methods_supported"`
	IssuerInResponse bool     `json:"authorization_response_iss_parameter_supported"`
}

func newOpenID(o Options, client *http.Client, clock domain.Clock) *openID {
	p := &openID{opts: o, client: client, clock: clock}
	p.metadata.clock, p.metadata.fetch = clock, p.discover
	p.keys.clock, p.keys.fetch = clock, p.fetchKeys
	return p
}

func (p *openID) discover(ctx context.Context) (metadata, error) {
	var m metadata
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.opts.Issuer)
	if err == nil {
		err = provider.Claims(&m)
	}
	if network, ok := errors.AsType[*url.Error](err); ok {
		return metadata{}, unreachable("discovery of "+p.opts.Name, network)
	}
	if err != nil { // its text may contain the whole response
		return metadata{}, unavailable("discovery of " + p.opts.Name + " failed: no metadata of that issuer")
	}
	m.endpoint = provider.Endpoint()
	m.endpoint.AuthStyle = oauth2.AuthStyleInParams
	basic := len(m.AuthMethods) == 0 || slices.Contains(m.AuthMethods, "client_secret_basic")
	if basic && p.opts.ClientSecret != "" {
		m.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	}
	return m, nil
}

// AuthURL implements Provider.
func (p *openID) AuthURL(ctx context.Context, r AuthRequest) (string, error) {
	m, err := p.metadata.get(ctx, maxMetadataAge)
	if err != nil {
		return "", err
	}
	return authURL(p.config(m, r), r, oidc.Nonce(r.Nonce))
}

func (p *openID) config(m metadata, r AuthRequest) oauth2.Config {
	return oauth2.Config{
		ClientID: p.opts.ClientID, ClientSecret: p.opts.ClientSecret, Endpoint: m.endpoint,
		RedirectURL: r.RedirectURI, Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// CheckIssuer implements Provider.
func (p *openID) CheckIssuer(ctx context.Context, iss string, present bool) error {
	if present {
		return sameIssuer(iss, p.opts.Issuer)
	}
	m, err := p.metadata.get(ctx, maxMetadataAge)
	if err == nil && m.IssuerInResponse {
		return refused("the callback has no issuer")
	}
	return err
}

func sameIssuer(iss, issuer string) error {
	if iss != issuer {
		return refused("the callback has another issuer")
	}
	return nil
}

// Exchange implements Provider.
func (p *openID) Exchange(ctx context.Context, code string, r AuthRequest) (Identity, error) {
	m, err := p.metadata.get(ctx, maxMetadataAge)
	if err != nil {
		return Identity{}, err
	}
	token, err := exchange(ctx, p.client, p.config(m, r), code, r)
	if err != nil {
		return Identity{}, err
	}
	idToken, ok := token.Extra("id_token").(string)
	if !ok {
		return Identity{}, unavailable("the token endpoint returned no ID token")
	}
	return p.verifyIDToken(ctx, idToken, []string{p.opts.ClientID}, r.Nonce)
}

// VerifyNative implements Provider.
func (p *openID) VerifyNative(ctx context.Context, token, nonce string) (Identity, error) {
	return p.verifyIDToken(ctx, token, p.opts.NativeClientIDs, nonce)
}

// authURL returns the address of the authorization page. It always uses PKCE with S256.
func authURL(c oauth2.Config, r AuthRequest, more ...oauth2.AuthCodeOption) (string, error) {
	if c.ClientID == "" {
		return "", unavailable("the provider has no web client")
	}
	return c.AuthCodeURL(r.State, append(more, oauth2.S256ChallengeOption(r.Verifier))...), nil
}

// exchange exchanges a code at the token endpoint. Its errors do not contain the
// response, which could be a token.
func exchange(ctx context.Context, client *http.Client, c oauth2.Config, code string, r AuthRequest) (*oauth2.Token, error) {
	token, err := c.Exchange(oidc.ClientContext(ctx, client), code, oauth2.VerifierOption(r.Verifier))
	var refusal *oauth2.RetrieveError
	switch {
	case err == nil:
		return token, nil
	case ctx.Err() != nil:
		return nil, unreachable("the token endpoint", ctx.Err())
	case errors.As(err, &refusal) && refusal.Response.StatusCode >= 400 && refusal.Response.StatusCode < 500 &&
		refusal.Response.StatusCode != http.StatusTooManyRequests:
		return nil, refused("the token endpoint refused the code")
	}
	return nil, unavailable("the token endpoint failed")
}
