package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
)

const (
	fetchTimeout = 10 * time.Second
	maxRedirects = 3
	maxFetches   = 16 // at a time
)

func newClient(n outbound.Network, check func(string) (*url.URL, error)) *http.Client {
	transport := n.Transport()
	transport.DisableKeepAlives = true
	return &http.Client{Transport: observe.Transport("import", "", transport), CheckRedirect: outbound.Follow(maxRedirects, check),
		Timeout: fetchTimeout}
}

// checkURL parses an address, which may begin with webcal, and rejects those that are not fetched.
func (s *Service) checkURL(raw string) (*url.URL, error) {
	if scheme, rest, ok := strings.Cut(strings.TrimSpace(raw), "://"); ok && strings.HasPrefix(strings.ToLower(scheme), "webcal") {
		raw = "https://" + rest
	}
	return outbound.ParseForeignURL(strings.TrimSpace(raw), s.Own)
}

// fetch returns the content at an address of another server. Returns domain.InvalidRequest if it fails, and domain.ServiceUnavailable if
// too many fetches run.
func (s *Service) fetch(ctx context.Context, u *url.URL) ([]byte, error) {
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	default:
		return nil, domain.ServiceUnavailable
	}
	if err := s.Limits.Spend(ctx, FetchesPerHost, u.Hostname()); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, invalidURL(err)
	}
	request.Header.Set("Accept", "text/calendar, text/html;q=0.9, */*;q=0.1")
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "Moothall import")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, invalidURL(failureOf(err))
	}
	defer func() { _ = response.Body.Close() }() // was read
	encoding := response.Header.Get("Content-Encoding")
	switch {
	case response.StatusCode != http.StatusOK:
		return nil, invalidURL(fmt.Errorf("must be public: the server answers with status %d", response.StatusCode))
	case encoding != "" && encoding != "identity":
		return nil, invalidURL(errors.New("must be sent without compression"))
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, MaxBytes+1))
	if err != nil {
		return nil, invalidURL(failureOf(err))
	}
	if len(data) > MaxBytes {
		return nil, domain.PayloadTooLarge
	}
	return data, nil
}

// failureOf describes a failure without names and addresses of networks.
func failureOf(err error) error {
	var timeout interface{ Timeout() bool }
	switch {
	case errors.Is(err, outbound.ErrRedirect):
		return errors.New("must not redirect more than 3 times, or to an address that is not public")
	case errors.As(err, &timeout) && timeout.Timeout():
		return errors.New("must be sent within 10 seconds")
	}
	return errors.New("must be the address of a server that answers")
}
