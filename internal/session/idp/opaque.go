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

// opaque is a provider whose tokens mean nothing by themselves: its info
// endpoint says whose a token is and, what decides, which client it was issued
// to. Without that comparison any other application's token would do.
type opaque struct {
	opts   Options
	client *http.Client
}

// AuthURL implements Provider.
func (p *opaque) AuthURL(_ context.Context, t Trip) (string, error) { return authURL(p.config(t), t) }

func (p *opaque) config(t Trip) oauth2.Config {
	return oauth2.Config{
		ClientID: p.opts.ClientID, ClientSecret: p.opts.ClientSecret, RedirectURL: t.RedirectURI,
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
func (p *opaque) Exchange(ctx context.Context, code string, t Trip) (Person, error) {
	token, err := exchange(ctx, p.client, p.config(t), code, t)
	if err != nil {
		return Person{}, err
	}
	return p.info(ctx, token.AccessToken, []string{p.opts.ClientID})
}

// Native implements Provider. A nonce says nothing here: the token has none.
func (p *opaque) Native(ctx context.Context, token, _ string) (Person, error) {
	return p.info(ctx, token, p.opts.NativeClientIDs)
}

// info is what the info endpoint says of a token.
type info struct {
	ID       json.RawMessage `json:"id"`
	ClientID string          `json:"client_id"`
	Name     string          `json:"display_name"`
}

// info asks whose a token is. The address that the endpoint may tell is left
// alone: nothing says that it was verified.
func (p *opaque) info(ctx context.Context, token string, clients []string) (Person, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.opts.InfoURL, nil)
	if err != nil {
		return Person{}, unavailable("the info address of " + p.opts.Name + " is malformed")
	}
	r.Header.Set("Authorization", "OAuth "+token)
	r.Header.Set("Accept", "application/json")
	body, err := ask(p.client, r, "the info endpoint of "+p.opts.Name,
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden)
	if err != nil {
		return Person{}, err
	}
	var i info
	if unambiguous(body) != nil || json.Unmarshal(body, &i) != nil {
		return Person{}, unavailable("the info endpoint of " + p.opts.Name + " gave no JSON object")
	}
	if i.ClientID == "" || !slices.Contains(clients, i.ClientID) {
		return Person{}, refused("the token was issued to another client")
	}
	subject, ok := subjectOf(i.ID)
	if !ok {
		return Person{}, unavailable("the info endpoint of " + p.opts.Name + " gave no usable id")
	}
	return Person{Issuer: p.opts.Issuer, Subject: subject, Name: i.Name}, nil
}

var wholeNumber = regexp.MustCompile(`^(0|[1-9]\d{0,30})$`)

// subjectOf takes an id that is a string or a number. The number keeps its
// digits: as a float64 two people could become one.
func subjectOf(id json.RawMessage) (string, bool) {
	var text string
	if strings.HasPrefix(string(id), `"`) {
		err := json.Unmarshal(id, &text)
		return text, err == nil && goodSubject(text)
	}
	return string(id), wholeNumber.Match(id)
}
