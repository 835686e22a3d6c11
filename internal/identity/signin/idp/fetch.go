package idp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
)

// maxResponse limits the body of any response.
const maxResponse = 64 << 10

var errTooLarge = errors.New("the response is larger than 64 KiB")

// newTransport returns the transport for all providers.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    8,
		MaxConnsPerHost:        64,
		IdleConnTimeout:        time.Minute,
		MaxResponseHeaderBytes: maxResponse,
	}
}

// newClient returns the HTTP client for a provider. It limits time and size and
// follows no redirect, so that it reaches only configured and discovered addresses.
func newClient(provider string, t *http.Transport) *http.Client {
	return &http.Client{
		Transport:     limitedTransport{observe.Transport("identity", provider, t)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       Timeout,
	}
}

type limitedTransport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil {
		response.Body = &limitedBody{ReadCloser: response.Body, left: maxResponse}
	}
	return response, err
}

type limitedBody struct {
	io.ReadCloser
	left int
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if len(p) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if n > b.left {
		return 0, errTooLarge
	}
	b.left -= n
	return n, err
}

// fetch returns the body of a response with status 200. A status in refusals means that
// the provider refuses the token; any other status means that the provider fails.
func fetch(client *http.Client, r *http.Request, what string, refusals ...int) ([]byte, error) {
	response, err := client.Do(r)
	if err != nil {
		return nil, unreachable(what, err)
	}
	defer func() { _ = response.Body.Close() }()
	if slices.Contains(refusals, response.StatusCode) {
		return nil, refused(what + " refused the token")
	}
	if response.StatusCode != http.StatusOK {
		return nil, unavailable(what + " responded with status " + strconv.Itoa(response.StatusCode))
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, unreachable(what, err)
	}
	return body, nil
}

// cached caches a document of a provider. Concurrent requests share one fetch. The
// fetch continues when the request that started it ends.
type cached[T any] struct {
	clock  domain.Clock
	fetch  func(ctx context.Context) (T, error)
	flight singleflight.Group

	mu        sync.Mutex
	value     T
	fetchedAt time.Time // zero: never
}

// get returns the document, fetched at most maxAge ago.
func (c *cached[T]) get(ctx context.Context, maxAge time.Duration) (T, error) {
	if value, ok := c.fresh(maxAge); ok {
		return value, nil
	}
	done := c.flight.DoChan("", func() (any, error) {
		if value, ok := c.fresh(maxAge); ok {
			return value, nil // fetched meanwhile
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Timeout)
		defer cancel()
		value, err := c.fetch(ctx)
		if err == nil {
			c.store(value)
		}
		return value, err
	})
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case r := <-done:
		value, _ := r.Val.(T)
		return value, r.Err
	}
}

func (c *cached[T]) fresh(maxAge time.Duration) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value, !c.fetchedAt.IsZero() && c.clock.Now().Sub(c.fetchedAt) < maxAge
}

func (c *cached[T]) store(value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.fetchedAt = value, c.clock.Now()
}
