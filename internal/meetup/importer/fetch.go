package importer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/ratelimit"
)

const (
	fetchTimeout = 10 * time.Second
	maxRedirects = 3
	maxFetches   = 16 // at a time
	maxWait      = 24 * time.Hour
)

func newClient(n outbound.Network) *http.Client {
	transport := n.Transport()
	transport.DisableKeepAlives = true
	return &http.Client{Transport: observe.Transport("import", "", transport), Timeout: fetchTimeout}
}

// ParseURL parses an address, which may begin with webcal, and rejects those that are not fetched.
func (s *Service) ParseURL(raw string) (*url.URL, error) {
	if scheme, rest, ok := strings.Cut(strings.TrimSpace(raw), "://"); ok && strings.HasPrefix(strings.ToLower(scheme), "webcal") {
		raw = "https://" + rest
	}
	return outbound.ParseForeignURL(strings.TrimSpace(raw), s.Own)
}

// Version is what a server says about the version of a content; the zero value is unknown.
type Version struct {
	ETag     string
	Modified string // Last-Modified
}

// Content is what a server has sent.
type Content struct {
	Data     []byte
	Version  Version
	Modified bool // else the content is that of the version that was asked for, and Data is empty
}

// FetchError says why an address could not be fetched.
type FetchError struct {
	Code string        // as in the contract's GroupSourceError
	Wait time.Duration // how long the server asks to wait; 0: it does not ask
	text string        // for the user who chose the address
}

// Error implements error.
func (e *FetchError) Error() string { return e.text }

// Fetch returns the content at an address of another server, unless it is that of a version. Each host on the way counts against a limit.
// Returns a FetchError if it fails, domain.RateLimited beyond the limit, and domain.ServiceUnavailable if too many fetches run.
func (s *Service) Fetch(ctx context.Context, u *url.URL, have Version, perHost ratelimit.Limit) (Content, error) {
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	default:
		return Content{}, domain.ServiceUnavailable
	}
	if err := s.Limits.Spend(ctx, perHost, u.Hostname()); err != nil {
		return Content{}, err
	}
	client, asked := *s.client, u.Hostname()
	follow := outbound.Follow(maxRedirects, s.ParseURL)
	client.CheckRedirect = func(next *http.Request, before []*http.Request) error {
		if err := follow(next, before); err != nil || next.URL.Hostname() == asked {
			return err
		}
		asked = next.URL.Hostname()
		return s.Limits.Spend(ctx, perHost, asked)
	}
	request, err := newFetch(ctx, u, have)
	if err != nil {
		return Content{}, err
	}
	response, err := client.Do(request)
	if errors.Is(err, domain.RateLimited) {
		return Content{}, domain.RateLimited
	}
	if err != nil {
		return Content{}, failureOf(err)
	}
	defer func() { _ = response.Body.Close() }() // was read
	return readContent(response, have, s.Clock.Now())
}

func newFetch(ctx context.Context, u *url.URL, have Version) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "text/calendar, text/html;q=0.9, */*;q=0.1")
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "Moothall import")
	for name, value := range map[string]string{"If-None-Match": have.ETag, "If-Modified-Since": have.Modified} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	return request, nil
}

const maxVersion = 200 // bytes of each header

func readContent(response *http.Response, have Version, now time.Time) (c Content, err error) {
	header := response.Header
	encoding := header.Get("Content-Encoding")
	switch {
	case response.StatusCode == http.StatusNotModified && have != Version{}:
		return Content{Version: have}, nil
	case response.StatusCode != http.StatusOK:
		return c, &FetchError{"status", outbound.RetryAfter(header, now, maxWait),
			"must be public: the server answers with status " + response.Status[:min(3, len(response.Status))]}
	case encoding != "" && encoding != "identity":
		return c, &FetchError{Code: "compressed", text: "must be sent without compression"}
	}
	if c.Data, err = io.ReadAll(io.LimitReader(response.Body, MaxBytes+1)); err != nil {
		return c, failureOf(err)
	}
	if len(c.Data) > MaxBytes {
		return c, &FetchError{Code: "too_large", text: "must have at most 2 MiB"}
	}
	c.Modified = true
	if etag := header.Get("ETag"); len(etag) <= maxVersion {
		c.Version.ETag = etag
	}
	if modified := header.Get("Last-Modified"); len(modified) <= maxVersion {
		c.Version.Modified = modified
	}
	return c, nil
}

// failureOf describes a failure without names and addresses of networks.
func failureOf(err error) error {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, outbound.ErrRedirect):
		return &FetchError{Code: "redirect", text: "must not redirect more than 3 times, or to an address that is not public"}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &FetchError{Code: "timeout", text: "must be sent within 10 seconds"}
	}
	return &FetchError{Code: "unreachable", text: "must be the address of a server that answers"}
}
