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

// openID is a provider that speaks OpenID Connect.
type openID struct {
	opts     Options
	client   *http.Client
	clock    domain.Clock
	metadata cached[metadata]
	keys     cached[jose.JSONWebKeySet]
}

const metadataAge = time.Hour

// metadata is what discovery tells (OpenID Connect Discovery §3).
type metadata struct {
	endpoint       oauth2.Endpoint
	KeysURL        string   `json:"jwks_uri"`
	AuthMethods    []string `json:"token_endpoint_auth_methods_supported"`
	IssuerInAnswer bool     `json:"authorization_response_iss_parameter_supported"`
}

func newOpenID(o Options, client *http.Client, clock domain.Clock) *openID {
	p := &openID{opts: o, client: client, clock: clock}
	p.metadata.clock, p.metadata.fetch = clock, p.discover
	p.keys.clock, p.keys.fetch = clock, p.fetchKeys
	return p
}

func (p *openID) discover(ctx context.Context) (metadata, error) {
	var m metadata
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.opts.Issuer)
	if err == nil {
		err = found.Claims(&m)
	}
	if network, ok := errors.AsType[*url.Error](err); ok {
		return metadata{}, unreachable("discovery of "+p.opts.Name, network)
	}
	if err != nil { // its text may hold the whole answer
		return metadata{}, unavailable("discovery of " + p.opts.Name + " failed: no metadata of that issuer")
	}
	m.endpoint = found.Endpoint()
	m.endpoint.AuthStyle = oauth2.AuthStyleInParams
	basic := len(m.AuthMethods) == 0 || slices.Contains(m.AuthMethods, "client_secret_basic")
	if basic && p.opts.ClientSecret != "" {
		m.endpoint.AuthStyle = oauth2.AuthStyleInHeader
	}
	return m, nil
}

// AuthURL implements Provider.
func (p *openID) AuthURL(ctx context.Context, t Trip) (string, error) {
	m, err := p.metadata.get(ctx, metadataAge)
	if err != nil {
		return "", err
	}
	return authURL(p.config(m, t), t, oidc.Nonce(t.Nonce))
}

func (p *openID) config(m metadata, t Trip) oauth2.Config {
	return oauth2.Config{
		ClientID: p.opts.ClientID, ClientSecret: p.opts.ClientSecret, Endpoint: m.endpoint,
		RedirectURL: t.RedirectURI, Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// CheckIssuer implements Provider.
func (p *openID) CheckIssuer(ctx context.Context, iss string, present bool) error {
	if present {
		return sameIssuer(iss, p.opts.Issuer)
	}
	m, err := p.metadata.get(ctx, metadataAge)
	if err == nil && m.IssuerInAnswer {
		return refused("the answer should name its issuer")
	}
	return err
}

func sameIssuer(iss, issuer string) error {
	if iss != issuer {
		return refused("the answer is another issuer's")
	}
	return nil
}

// Exchange implements Provider.
func (p *openID) Exchange(ctx context.Context, code string, t Trip) (Person, error) {
	m, err := p.metadata.get(ctx, metadataAge)
	if err != nil {
		return Person{}, err
	}
	token, err := exchange(ctx, p.client, p.config(m, t), code, t)
	if err != nil {
		return Person{}, err
	}
	idToken, ok := token.Extra("id_token").(string)
	if !ok {
		return Person{}, unavailable("the token endpoint gave no ID token")
	}
	return p.judge(ctx, idToken, []string{p.opts.ClientID}, t.Nonce)
}

// Native implements Provider.
func (p *openID) Native(ctx context.Context, token, nonce string) (Person, error) {
	return p.judge(ctx, token, p.opts.NativeClientIDs, nonce)
}

// authURL always asks for PKCE with S256, whatever the provider supports.
func authURL(c oauth2.Config, t Trip, more ...oauth2.AuthCodeOption) (string, error) {
	if c.ClientID == "" {
		return "", unavailable("the provider has no client for the web")
	}
	return c.AuthCodeURL(t.State, append(more, oauth2.S256ChallengeOption(t.Verifier))...), nil
}

// exchange trades a code at the token endpoint. What the endpoint says stays
// out of the error: it could be a token.
func exchange(ctx context.Context, client *http.Client, c oauth2.Config, code string, t Trip) (*oauth2.Token, error) {
	token, err := c.Exchange(oidc.ClientContext(ctx, client), code, oauth2.VerifierOption(t.Verifier))
	var answer *oauth2.RetrieveError
	switch {
	case err == nil:
		return token, nil
	case ctx.Err() != nil:
		return nil, unreachable("the token endpoint", ctx.Err())
	case errors.As(err, &answer) && answer.Response.StatusCode >= 400 && answer.Response.StatusCode < 500 &&
		answer.Response.StatusCode != http.StatusTooManyRequests:
		return nil, refused("the token endpoint refused the code")
	}
	return nil, unavailable("the token endpoint failed")
}
