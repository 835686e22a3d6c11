// Package push sends encrypted messages to browsers and phones through the push services
// of their makers: message encryption by RFC 8291, delivery by RFC 8030, and
// authentication by RFC 8292 (VAPID).
package push

import (
	"context"
	"crypto/ecdh"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
)

// Subscription is the endpoint of a browser or an app, and its keys.
type Subscription struct {
	Endpoint string
	Key      []byte // public key of the receiver, an uncompressed point of P-256
	Auth     []byte // secret that only the receiver and the service know
}

// authBytes is the length of Subscription.Auth.
const authBytes = 16

// ParseSubscription parses the endpoint and the two keys (in base64url) that a browser has returned.
// It returns a domain.Invalid error that lists all invalid fields.
func ParseSubscription(endpoint, p256dh, auth string) (Subscription, error) {
	var wrong domain.Problems
	var s Subscription
	if u, err := outbound.ParseURL(endpoint); err != nil {
		wrong.Add("/endpoint", err.Error())
	} else {
		s.Endpoint = u.String()
	}
	var err error
	if s.Key, err = decodeKey(p256dh); err == nil {
		_, err = ecdh.P256().NewPublicKey(s.Key)
	}
	if err != nil {
		wrong.Add("/keys/p256dh", "must be an uncompressed point of P-256 in base64url")
	}
	if s.Auth, err = decodeKey(auth); err != nil || len(s.Auth) != authBytes {
		wrong.Add("/keys/auth", fmt.Sprintf("must be %d bytes in base64url", authBytes))
	}
	return s, wrong.Err()
}

// decodeKey decodes base64url with or without padding.
func decodeKey(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}

// Urgency says when a device should wake up for a message.
type Urgency string

// The urgencies in use (RFC 8030, section 5.3).
const (
	Normal Urgency = "normal"
	High   Urgency = "high"
)

// Message is one message to one subscription.
type Message struct {
	Payload []byte        // at most MaxPayload
	TTL     time.Duration // how long the push service keeps it
	Urgency Urgency
	Topic   string // replaces an undelivered message with the same topic; at most 32 characters of base64url
}

// Options configure a Client.
type Options struct {
	Clock   domain.Clock
	Keys    *Keys
	Subject string // contact of the operator: a mailto: or https: URL
	Network outbound.Network
}

// Client sends messages.
type Client struct {
	options Options
	http    *http.Client
	tokens  tokens
	hosts   hosts
}

// Limits of one message.
const (
	timeout      = 10 * time.Second // of the whole exchange
	maxAnswer    = 4 << 10          // bytes of a response that are read
	idleTimeout  = 90 * time.Second // of a connection
	maxTTL       = 28 * 24 * time.Hour
	userAgent    = "Moothall push"
	contentCoder = "aes128gcm"
)

// New returns a client.
func New(o Options) *Client {
	transport := o.Network.Transport()
	transport.ForceAttemptHTTP2 = true
	transport.ResponseHeaderTimeout = timeout
	transport.IdleConnTimeout, transport.MaxIdleConnsPerHost, transport.MaxIdleConns = idleTimeout, MaxParallel, 2*MaxParallel
	return &Client{options: o, http: &http.Client{
		Transport:     observe.Transport("push", "", transport),
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// PublicKey returns the public key that browsers ask for when they subscribe.
func (c *Client) PublicKey() string { return c.options.Keys.Public() }

// ErrGone means that the subscription no longer exists.
var ErrGone = errors.New("the subscription is gone")

// RefusedError means that the push service will not accept the message if it is sent again.
type RefusedError struct{ Status int }

// Error implements error.
func (e *RefusedError) Error() string { return fmt.Sprintf("the push service answered %d", e.Status) }

// LaterError means that the push service may accept the message later.
type LaterError struct {
	After  time.Duration // until the retry; 0: the push service did not say
	Reason string
	// NotSent means that the client did not send the message (see maxUnproven and pause).
	NotSent bool
}

// Error implements error.
func (e *LaterError) Error() string { return e.Reason }

// Send sends a message. It returns nil when the push service has accepted it, or ErrGone, a
// *RefusedError or a *LaterError. If ctx is canceled, it returns context.Canceled, which says
// nothing about the push service.
func (c *Client) Send(ctx context.Context, s Subscription, m Message) error {
	u, err := outbound.ParseURL(s.Endpoint) // the rules may have become stricter
	if err != nil {
		return ErrGone
	}
	now := c.options.Clock.Now()
	x, err := c.hosts.begin(u.Host, now)
	if err != nil {
		return err
	}
	err = c.send(ctx, u, s, m, now)
	c.hosts.end(x, err, c.options.Clock.Now())
	return err
}

func (c *Client) send(ctx context.Context, u *url.URL, s Subscription, m Message, now time.Time) error {
	body, err := Encrypt(s, m.Payload)
	if err != nil {
		return ErrGone // ParseSubscription has checked the keys
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(body))
	if err != nil {
		return ErrGone
	}
	token, err := c.token(u, now)
	if err != nil {
		return err
	}
	h := request.Header
	h.Set("Authorization", "vapid t="+token+", k="+c.options.Keys.Public())
	h.Set("Content-Encoding", contentCoder)
	h.Set("Content-Type", "application/octet-stream")
	h.Set("TTL", strconv.Itoa(int(min(max(m.TTL, 0), maxTTL)/time.Second)))
	h.Set("Urgency", string(m.Urgency))
	h.Set("User-Agent", userAgent)
	if m.Topic != "" {
		h.Set("Topic", m.Topic)
	}
	response, err := c.http.Do(request)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return context.Canceled
	}
	if err != nil {
		return &LaterError{Reason: "the push service does not answer"} // without err: it contains the endpoint, which is secret
	}
	defer func() { _ = response.Body.Close() }()                         // was read
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxAnswer)) // so that the connection can be used again
	return result(response, now)
}

// result converts a response to an error (RFC 8030, sections 5 and 7.3).
func result(r *http.Response, now time.Time) error {
	switch status := r.StatusCode; {
	case status >= 200 && status < 300:
		return nil
	case status == http.StatusNotFound, status == http.StatusGone:
		return ErrGone
	case status == http.StatusTooManyRequests, status == http.StatusRequestTimeout, status >= 500:
		return &LaterError{After: outbound.RetryAfter(r.Header, now, maxRetryAfter), Reason: fmt.Sprintf("the push service answered %d", status)}
	default: // also redirects, which are not followed
		return &RefusedError{Status: status}
	}
}

// maxRetryAfter limits what a push service can ask for.
const maxRetryAfter = 24 * time.Hour
