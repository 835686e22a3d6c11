package moothall

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"time"
)

const (
	maxAttempts = 4
	minDelay    = 200 * time.Millisecond // doubles with each attempt
	maxWait     = 30 * time.Second       // longest Retry-After for which the client waits
)

// send sends a request, and repeats it if the contract guarantees that it takes effect only once.
func (c *Client) send(ctx context.Context, request *call, content []byte, token string) (io.ReadCloser, error) {
	for attempt := 1; ; attempt++ {
		body, err := c.attempt(ctx, request, content, token)
		if err == nil || attempt == maxAttempts || !request.repeatable(err) {
			return body, err
		}
		if ended := wait(ctx, pause(err, attempt)); ended != nil {
			return nil, fmt.Errorf("%w, after %w", ended, err)
		}
	}
}

// repeatable reports whether the request may be sent again after a failure.
func (r *call) repeatable(err error) bool {
	var failure *Error
	if !errors.As(err, &failure) {
		return r.safe() && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	code, status := failure.Code, failure.Status
	switch {
	case failure.RetryAfter > maxWait:
		return false
	case status == http.StatusTooManyRequests, code == ErrorCodeServiceUnavailable, code == ErrorCodeConflict: // nothing was done
		return true
	case code == ErrorCodeOutcomeUnknown:
		return r.keyed
	case code == "": // from a proxy, which may have lost the response
		return status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout && r.safe()
	}
	return false
}

// safe reports whether the request may be repeated after its response was lost. A sign-in may not: its code works once. Nor may
// a change with If-Match, which fails the second time.
func (r *call) safe() bool {
	return r.keyed || r.method == http.MethodGet || !r.public && r.header.Get("If-Match") == ""
}

// pause returns how long to wait after a failed attempt. The time is random, so that clients that failed together do not return
// together.
func pause(err error, attempt int) time.Duration {
	delay := minDelay << attempt
	if failure := (*Error)(nil); errors.As(err, &failure) {
		return failure.RetryAfter + mathrand.N(delay)
	}
	return mathrand.N(delay)
}

// wait waits. It returns the error of ctx if that ends first, and at once if its deadline is earlier.
func wait(ctx context.Context, delay time.Duration) error {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < delay {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

type (
	idempotencyContext struct{}
	headerContext      struct{}
)

// WithIdempotencyKey returns a context for one operation that creates something. Without it, the client makes a random key
// for each call. With a stored key, a program that ended before the response can safely repeat the call after a restart.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyContext{}, key)
}

func idempotencyKey(ctx context.Context) string {
	if key, ok := ctx.Value(idempotencyContext{}).(string); ok {
		return key
	}
	return rand.Text()
}

// WithHeader returns a context for one call. The call stores the header of its response, for example its ETag.
func WithHeader(ctx context.Context, header *http.Header) context.Context {
	return context.WithValue(ctx, headerContext{}, header)
}

func captureHeader(ctx context.Context, header http.Header) {
	if target, ok := ctx.Value(headerContext{}).(*http.Header); ok {
		*target = header
	}
}
