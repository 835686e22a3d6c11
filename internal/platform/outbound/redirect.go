package outbound

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
)

// ParseForeignURL is ParseURL for a URL that must not be one of the service itself, whose hosts are own.
func ParseForeignURL(raw string, own []string) (*url.URL, error) {
	u, err := ParseURL(raw)
	if err == nil && slices.Contains(own, u.Host) {
		return nil, errors.New("must not be this service itself")
	}
	return u, err
}

// ErrRedirect is the error of a client that was redirected too often, or to a URL that it must not fetch.
var ErrRedirect = errors.New("redirected to a URL that is not fetched")

// Follow returns the CheckRedirect of a client that follows at most n redirects. Each URL is checked like the first one.
func Follow(n int, check func(rawURL string) (*url.URL, error)) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, before []*http.Request) error {
		if len(before) > n {
			return ErrRedirect
		}
		u, err := check(next.URL.String())
		if err != nil {
			return ErrRedirect
		}
		next.URL, next.Host = u, ""
		next.Header.Del("Referer")
		return nil
	}
}
