package courier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
)

const (
	timeout    = 10 * time.Second // of one attempt
	maxExcerpt = 512              // bytes
)

// client sends messages over HTTP.
type client struct {
	public, loopback *http.Client
	clock            domain.Clock
}

func newClient(o Options) client {
	transport := o.Network.Transport()
	transport.MaxIdleConnsPerHost, transport.IdleConnTimeout = perTarget, 30*time.Second
	c := client{public: newHTTP(o.Name, transport), clock: o.Clock}
	if o.Loopback {
		c.loopback = newHTTP(o.Name, &http.Transport{DialContext: dialLoopback})
	}
	return c
}

// newHTTP returns a client that follows no redirects.
func newHTTP(purpose string, t *http.Transport) *http.Client {
	return &http.Client{Transport: observe.Transport(purpose, "", t),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// HostOf returns the host of a URL, with its port if it has one.
func HostOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Host
	}
	return address
}

// IsLoopback reports whether a URL is an http URL of a loopback address, which only development
// allows.
func IsLoopback(u *url.URL) bool {
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && u.User == nil && err == nil && address.IsLoopback()
}

func dialLoopback(ctx context.Context, network, at string) (net.Conn, error) {
	if address, err := netip.ParseAddrPort(at); err != nil || !address.Addr().IsLoopback() {
		return nil, errors.New("not an address of this machine")
	}
	return new(net.Dialer).DialContext(ctx, network, at)
}

// send makes one attempt.
func (c client) send(ctx context.Context, m Message, now time.Time) Result {
	r := Result{Message: m, At: now}
	request, err := m.Request(now)
	if err != nil {
		r.Failure = "the message cannot be built"
		return r
	}
	observe.Propagate(ctx, request.Header)
	chosen := c.public
	if IsLoopback(request.URL) && c.loopback != nil {
		chosen = c.loopback
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := c.clock.Now()
	response, err := chosen.Do(request.WithContext(ctx))
	if err != nil {
		r.Took, r.Failure = c.clock.Now().Sub(began), failureOf(err)
		return r
	}
	defer func() { _ = response.Body.Close() }() // was read
	excerpt, err := io.ReadAll(io.LimitReader(response.Body, maxExcerpt))
	r.Took, r.Status, r.Excerpt = c.clock.Now().Sub(began), response.StatusCode, printable(excerpt)
	switch {
	case response.StatusCode >= 300 && response.StatusCode < 400:
		r.Failure = "redirects are not followed"
	case response.StatusCode < 200 || response.StatusCode >= 300:
		r.Failure = fmt.Sprintf("status %d", response.StatusCode)
	case err != nil && ctx.Err() != nil:
		r.Failure = "no complete response within 10 seconds"
	case m.Check != nil:
		r.Failure = m.Check(excerpt)
	}
	return r
}

// failureOf describes a failure without names and addresses in the network of the service.
func failureOf(err error) string {
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return "no response within 10 seconds"
	}
	return "cannot connect"
}

func printable(text []byte) string {
	return strings.Map(func(r rune) rune {
		if r == 0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(text), ""))
}
