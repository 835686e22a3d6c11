package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/outbound"
)

const (
	timeout    = 10 * time.Second // of one attempt
	maxExcerpt = 512              // bytes
	userAgent  = "Moothall webhooks"
)

var errOwn = errors.New("must not be an address of this service")

// sender sends messages over HTTP.
type sender struct {
	public, loopback *http.Client
	clock            domain.Clock
}

func newSender(n outbound.Network, loopback bool, clock domain.Clock) sender {
	transport := n.Transport()
	transport.MaxIdleConnsPerHost, transport.IdleConnTimeout = perEndpoint, 30*time.Second
	s := sender{public: newClient(transport), clock: clock}
	if loopback {
		s.loopback = newClient(&http.Transport{DialContext: dialLoopback})
	}
	return s
}

// newClient returns a client that follows no redirects.
func newClient(t *http.Transport) *http.Client {
	return &http.Client{Transport: observe.Transport("webhook", "", t),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// isLoopback reports whether a URL is an http URL of a loopback address, which only development
// allows.
func isLoopback(u *url.URL) bool {
	address, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "http" && u.User == nil && err == nil && address.IsLoopback()
}

func dialLoopback(ctx context.Context, network, at string) (net.Conn, error) {
	if address, err := netip.ParseAddrPort(at); err != nil || !address.Addr().IsLoopback() {
		return nil, errors.New("not an address of this machine")
	}
	return new(net.Dialer).DialContext(ctx, network, at)
}

// message is a message that is due.
type message struct {
	id        domain.WebhookMessageID
	kind      Kind
	event     *domain.EventID
	sequence  int64
	user      *domain.UserID // nil if it must not be named
	count     int64
	data      string
	attempts  int
	createdAt time.Time
	trace     string // traceparent of the request or job that caused it; empty: none
	challenge string // that the server must return; empty: none
}

// body returns the body. It is the same for every attempt, unless the user must no longer be named.
func (m message) body() ([]byte, error) {
	data := map[string]any{}
	if err := json.Unmarshal([]byte(m.data), &data); err != nil {
		return nil, err
	}
	if m.event != nil {
		data["event_id"], data["sequence"] = *m.event, m.sequence
	}
	if m.challenge != "" {
		data["challenge"] = m.challenge
	}
	if name := named[m.kind]; name != "" {
		data[name] = nil
		if m.user != nil {
			data[name] = map[string]any{"user_id": *m.user}
		}
	}
	if named[m.kind] == "participant" {
		data["participant_count"] = m.count
	}
	return json.Marshal(map[string]any{"type": m.kind, "timestamp": m.createdAt, "data": data})
}

// result is the result of an attempt.
type result struct {
	message
	at      time.Time
	status  int // 0: no response
	took    time.Duration
	failure string // empty: accepted
	excerpt string
}

// send makes one attempt. Each of secrets signs the message; the newest is first.
func (s sender) send(ctx context.Context, address string, secrets []string, m message, now time.Time) result {
	r := result{message: m, at: now}
	request, err := newRequest(address, secrets, m, now)
	if err != nil {
		r.failure = "the message cannot be built"
		return r
	}
	observe.Propagate(ctx, request.Header)
	client := s.public
	if isLoopback(request.URL) && s.loopback != nil {
		client = s.loopback
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began := s.clock.Now()
	response, err := client.Do(request.WithContext(ctx))
	if err != nil {
		r.took, r.failure = s.clock.Now().Sub(began), failureOf(err)
		return r
	}
	defer func() { _ = response.Body.Close() }() // was read
	excerpt, err := io.ReadAll(io.LimitReader(response.Body, maxExcerpt))
	r.took, r.status, r.excerpt = s.clock.Now().Sub(began), response.StatusCode, printable(excerpt)
	switch {
	case response.StatusCode >= 300 && response.StatusCode < 400:
		r.failure = "redirects are not followed"
	case response.StatusCode < 200 || response.StatusCode >= 300:
		r.failure = fmt.Sprintf("status %d", response.StatusCode)
	case err != nil && ctx.Err() != nil:
		r.failure = "no complete response within 10 seconds"
	case m.challenge != "" && !answers(excerpt, m.challenge):
		r.failure = "the response does not contain the challenge"
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

func newRequest(address string, secrets []string, m message, now time.Time) (*http.Request, error) {
	body, err := m.body()
	if err != nil {
		return nil, err
	}
	var signatures []string
	for _, secret := range secrets {
		w, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, err
		}
		signature, err := w.Sign(m.id.String(), now, body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	h := request.Header
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", userAgent)
	h.Set("Webhook-Id", m.id.String())
	h.Set("Webhook-Timestamp", fmt.Sprint(now.Unix()))
	h.Set("Webhook-Signature", strings.Join(signatures, " "))
	return request, nil
}
