package telephony

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	patience  = 4 * time.Second // for one request to a provider, from start to end
	maxAnswer = 64 << 10        // bytes
	maxAsking = 32              // requests at a time; a slow provider must not hold up the service
)

// client asks a provider. It follows no redirect: the form holds a secret.
type client struct {
	base   string
	http   *http.Client
	places chan struct{}
}

func newClient(base string) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxAnswer
	return &client{
		base:   strings.TrimRight(base, "/"),
		places: make(chan struct{}, maxAsking),
		http: &http.Client{
			Transport: transport, Timeout: patience,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// post sends a form and reads the answer's JSON.
func (c *client) post(ctx context.Context, path string, form url.Values, answer any) error {
	select {
	case c.places <- struct{}{}:
		defer func() { <-c.places }()
	default:
		return errors.New("telephony: too many requests are waiting for the provider")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("telephony: %w", err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("telephony: no answer: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("telephony: the provider answered %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return fmt.Errorf("telephony: reading the answer: %w", err)
	}
	if len(body) > maxAnswer || json.Unmarshal(body, answer) != nil { // its error may quote the answer
		return errors.New("telephony: the provider's answer is not the JSON it should be")
	}
	return nil
}

// text is a JSON string, or a number in its place.
type text string

// UnmarshalJSON reads both.
func (t *text) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(t))
	}
	var n json.Number
	err := json.Unmarshal(raw, &n)
	*t = text(n.String())
	return err
}
