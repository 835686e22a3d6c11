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
)

// maxAnswer bounds what is read of any answer of a provider.
const maxAnswer = 64 << 10

var errTooLarge = errors.New("the answer is larger than 64 KiB")

// newClient makes the one way out to the providers: bounded in time and size,
// following no redirect, so that nothing but configured and discovered
// addresses is ever asked.
func newClient() *http.Client {
	return &http.Client{
		Transport: bounded{&http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    8,
			MaxConnsPerHost:        64,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: maxAnswer,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       Timeout,
	}
}

type bounded struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.next.RoundTrip(r)
	if err == nil {
		answer.Body = &boundedBody{ReadCloser: answer.Body, left: maxAnswer}
	}
	return answer, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
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

// ask makes a request and gives the body of its answer 200. The statuses named
// are the provider's word that the token is not good; all else is its failure.
func ask(client *http.Client, r *http.Request, what string, refusals ...int) ([]byte, error) {
	answer, err := client.Do(r)
	if err != nil {
		return nil, unreachable(what, err)
	}
	defer func() { _ = answer.Body.Close() }()
	if slices.Contains(refusals, answer.StatusCode) {
		return nil, refused(what + " refused the token")
	}
	if answer.StatusCode != http.StatusOK {
		return nil, unavailable(what + " answered " + strconv.Itoa(answer.StatusCode))
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, unreachable(what, err)
	}
	return body, nil
}

// cached is a document of a provider, kept for a while. However many requests
// need it, one fetches it; that fetch outlives the request that began it.
type cached[T any] struct {
	clock  domain.Clock
	fetch  func(ctx context.Context) (T, error)
	flight singleflight.Group

	mu        sync.Mutex
	value     T
	fetchedAt time.Time // zero: never
}

// get gives the document, not older than maxAge.
func (c *cached[T]) get(ctx context.Context, maxAge time.Duration) (T, error) {
	if value, ok := c.young(maxAge); ok {
		return value, nil
	}
	done := c.flight.DoChan("", func() (any, error) {
		if value, ok := c.young(maxAge); ok {
			return value, nil // fetched since we looked
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), Timeout)
		defer cancel()
		value, err := c.fetch(ctx)
		if err == nil {
			c.keep(value)
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

func (c *cached[T]) young(maxAge time.Duration) (value T, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value, !c.fetchedAt.IsZero() && c.clock.Now().Sub(c.fetchedAt) < maxAge
}

func (c *cached[T]) keep(value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.value, c.fetchedAt = value, c.clock.Now()
}
