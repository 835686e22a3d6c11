package idp

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/oauth2"
)

// opaque is a provider with opaque tokens. Its info endpoint returns the user of a
// token and the client it was issued to. The client must be compared: otherwise
// the token of any other application would be accepted.
type opaque struct {
	opts   Options
	client *http.Client
}

// AuthURL implements Provider.
func (p *opaque) AuthURL(_ context.Context, r AuthRequest) (string, error) {
	return authURL(p.config(r), r)
}

func (p *opaque) config(r AuthRequest) oauth2.Config {
	return oauth2.Config{
		ClientID: p.opts.ClientID, ClientSecret: p.opts.ClientSecret, RedirectURL: r.RedirectURI,
		Endpoint: oauth2.Endpoint{AuthURL: p.opts.AuthURL, TokenURL: p.opts.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// CheckIssuer implements Provider.
func (p *opaque) CheckIssuer(_ context.Context, iss string, present bool) error {
	if !present {
		return nil
	}
	return sameIssuer(iss, p.opts.Issuer)
}

// Exchange implements Provider.
func (p *opaque) Exchange(ctx context.Context, code string, r AuthRequest) (Identity, error) {
	token, err := exchange(ctx, p.client, p.config(r), code, r)
	if err != nil {
		return Identity{}, err
	}
	return p.info(ctx, token.AccessToken, []string{p.opts.ClientID})
}

// VerifyNative implements Provider. Opaque tokens have no nonce.
func (p *opaque) VerifyNative(ctx context.Context, token, _ string) (Identity, error) {
	return p.info(ctx, token, p.opts.NativeClientIDs)
}

// info is the response of the info endpoint.
type info struct {
	ID       json.RawMessage `json:"id"`
	ClientID string          `json:"client_id"`
	Name     string          `json:"display_name"`
}

// info returns the identity of a token. It ignores the e-mail address in the response,
// because the response does not say whether the address is verified.
func (p *opaque) info(ctx context.Context, token string, clients []string) (Identity, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.opts.InfoURL, nil)
	if err != nil {
		return Identity{}, unavailable("the info address of " + p.opts.Name + " is malformed")
	}
	r.Header.Set("Authorization", "OAuth "+token)
	r.Header.Set("Accept", "application/json")
	body, err := fetch(p.client, r, "the info endpoint of "+p.opts.Name,
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden)
	if err != nil {
		return Identity{}, err
	}
	var i info
	if checkDuplicates(body) != nil || json.Unmarshal(body, &i) != nil {
		return Identity{}, unavailable("the info endpoint of " + p.opts.Name + " returned no JSON object")
	}
	if i.ClientID == "" || !slices.Contains(clients, i.ClientID) {
		return Identity{}, refused("the token was issued to another client")
	}
	subject, ok := subjectOf(i.ID)
	if !ok {
		return Identity{}, unavailable("the info endpoint of " + p.opts.Name + " returned no valid id")
	}
	return Identity{Issuer: p.opts.Issuer, Subject: subject, Name: i.Name}, nil
}

var wholeNumber = regexp.MustCompile(`^(0|[1-9]\d{0,30})$`)

// subjectOf returns an id that is a JSON string or a whole number. It keeps the
// digits of a number: as float64, two ids could become equal.
func subjectOf(id json.RawMessage) (string, bool) {
	var text string
	if strings.HasPrefix(string(id), `"`) {
		err := json.Unmarshal(id, &text)
		return text, err == nil && validSubject(text)
	}
	return string(id), wholeNumber.Match(id)
}
