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

	"moothall/internal/platform/observe"
)

const (
	requestTimeout = 4 * time.Second
	maxResponse    = 64 << 10 // bytes
	maxConcurrent  = 32       // requests at a time, so that a slow provider does not tie up the service
)

// client sends requests to a provider. It follows no redirect, because the form
// contains a secret.
type client struct {
	base    string
	http    *http.Client
	permits chan struct{}
}

func newClient(provider, base string) *client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = maxResponse
	return &client{
		base:    strings.TrimRight(base, "/"),
		permits: make(chan struct{}, maxConcurrent),
		http: &http.Client{
			Transport: observe.Transport("phone", provider, transport), Timeout: requestTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// post sends a form and decodes the JSON of the response into dest.
func (c *client) post(ctx context.Context, path string, form url.Values, dest any) error {
	select {
	case c.permits <- struct{}{}:
		defer func() { <-c.permits }()
	default:
		return errors.New("telephony: too many concurrent requests")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("telephony: %w", err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	response, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("telephony: no response: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("telephony: the provider responded with status %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	if err != nil {
		return fmt.Errorf("telephony: read response: %w", err)
	}
	if len(body) > maxResponse || json.Unmarshal(body, dest) != nil { // its error may quote the body
		return errors.New("telephony: the response is not the expected JSON")
	}
	return nil
}

// text is a JSON string or number.
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(t))
	}
	var n json.Number
	err := json.Unmarshal(raw, &n)
	*t = text(n.String())
	return err
}
