package push_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/push"
	"moothall/internal/test/outboundtest"
)

var secret = []byte("a key that only tests ever use, 0123456789")

const endpoint = "https://example.com/push/1"

// client returns a client in a network whose push services a handler serves.
func client(t *testing.T, clock domain.Clock, handler http.HandlerFunc) (*push.Client, *outboundtest.Network) {
	t.Helper()
	network := outboundtest.New(t, handler)
	return push.New(push.Options{Clock: clock, Keys: push.DeriveKeys(secret), Subject: "mailto:ops@example.org", Network: network.Outbound()}),
		network
}

// TestMessage checks the request to a push service.
func TestMessage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	c, network := client(t, func() time.Time { return now },
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	s := newSubscription(t, endpoint)
	for range 2 {
		if err := c.Send(t.Context(), s, push.Message{Payload: []byte("{}"), TTL: time.Hour, Urgency: push.High, Topic: "chess"}); err != nil {
			t.Fatal(err)
		}
	}
	requests := network.Requests()
	if len(requests) != 2 || network.Connections() != 1 {
		t.Errorf("%d requests in %d connections", len(requests), network.Connections())
	}
	r := requests[0]
	for name, want := range map[string]string{
		"TTL": "3600", "Urgency": "high", "Topic": "chess", "Content-Encoding": "aes128gcm", "User-Agent": "Moothall push", "Cookie": "",
		"Referer": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if r.Method != http.MethodPost || r.URL.Path != "/push/1" {
		t.Errorf("%s %s", r.Method, r.URL)
	}
	claims := verify(t, r.Header.Get("Authorization"))
	if claims["aud"] != "https://example.com" || claims["sub"] != "mailto:ops@example.org" ||
		claims["exp"] != float64(now.Add(12*time.Hour).Unix()) {
		t.Errorf("claims %v", claims)
	}
	if requests[1].Header.Get("Authorization") != r.Header.Get("Authorization") {
		t.Error("the token was signed twice")
	}
	now = now.Add(11 * time.Hour)
	if err := c.Send(t.Context(), s, push.Message{Urgency: push.Normal}); err != nil {
		t.Fatal(err)
	}
	if claims := verify(t, network.Requests()[2].Header.Get("Authorization")); claims["exp"] != float64(now.Add(12*time.Hour).Unix()) {
		t.Errorf("an old token: %v", claims)
	}
}

// verify checks a header of VAPID and returns the claims of its token.
func verify(t *testing.T, header string) (claims map[string]any) {
	t.Helper()
	var token, key string
	if _, err := fmt.Sscanf(strings.ReplaceAll(header, ",", " "), "vapid t=%s k=%s", &token, &key); err != nil ||
		key != push.DeriveKeys(secret).Public() {
		t.Fatalf("Authorization %q: %v", header, err)
	}
	point, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	signed, signature := token[:strings.LastIndex(token, ".")], token[strings.LastIndex(token, ".")+1:]
	raw, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || len(raw) != 64 {
		t.Fatalf("signature %q", signature)
	}
	hash := sha256.Sum256([]byte(signed))
	if !ecdsa.Verify(public, hash[:], new(big.Int).SetBytes(raw[:32]), new(big.Int).SetBytes(raw[32:])) {
		t.Error("the signature is wrong")
	}
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(signed, ".")[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(payload, &claims); err != nil {
		t.Fatal(err)
	}
	return claims
}

// TestKeysDependOnSecret checks that instances with the same secret have the same key.
func TestKeysDependOnSecret(t *testing.T) {
	t.Parallel()
	first, again, other := push.DeriveKeys(secret), push.DeriveKeys(secret), push.DeriveKeys([]byte("another key that only tests ever use"))
	if first.Public() != again.Public() || first.Public() == other.Public() {
		t.Errorf("%s, %s, %s", first.Public(), again.Public(), other.Public())
	}
}

// TestAnswers checks what each answer of a push service means.
func TestAnswers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		status     int
		retryAfter string
		want       string
	}{
		{200, "", "<nil>"},
		{201, "", "<nil>"},
		{202, "", "<nil>"},
		{404, "", push.ErrGone.Error()},
		{410, "", push.ErrGone.Error()},
		{301, "", "refused 301"},
		{307, "", "refused 307"},
		{400, "", "refused 400"},
		{403, "", "refused 403"},
		{413, "", "refused 413"},
		{408, "", "later 0s"},
		{429, "", "later 0s"},
		{429, "120", "later 2m0s"},
		{429, "-5", "later 0s"},
		{429, "99999999999999999999", "later 0s"},
		{429, "9999999", "later 24h0m0s"},
		{429, "soon", "later 0s"},
		{503, "Fri, 20 Nov 2026 10:05:00 GMT", "later 5m0s"},
		{503, "Fri, 20 Nov 2026 09:05:00 GMT", "later 0s"},
		{500, "", "later 0s"},
	} {
		c, network := client(t, func() time.Time { return now }, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://example.com/other")
			if row.retryAfter != "" {
				w.Header().Set("Retry-After", row.retryAfter)
			}
			w.WriteHeader(row.status)
			_, _ = w.Write(make([]byte, 10_000)) // more than is read
		})
		err := c.Send(t.Context(), newSubscription(t, endpoint), push.Message{Urgency: push.Normal})
		got := fmt.Sprint(err)
		var later *push.LaterError
		var refused *push.RefusedError
		switch {
		case errors.As(err, &later):
			got = fmt.Sprint("later ", later.After)
		case errors.As(err, &refused):
			got = fmt.Sprint("refused ", refused.Status)
		}
		if got != row.want || len(network.Requests()) != 1 {
			t.Errorf("%d %q: %s after %d requests, want %s", row.status, row.retryAfter, got, len(network.Requests()), row.want)
		}
		if err != nil && strings.Contains(err.Error(), "/push/1") {
			t.Errorf("%d: the error contains the endpoint: %v", row.status, err)
		}
	}
}

// TestHostileEndpoints checks that no message reaches a private address, whatever the
// subscription or a name server says.
func TestHostileEndpoints(t *testing.T) {
	t.Parallel()
	c, network := client(t, time.Now, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) })
	for _, name := range []string{"127-0-0-1.sslip.io", "lvh.me", "cname.test", "moothall.test"} {
		network.Names[name] = outboundtest.Always("127.0.0.1")
	}
	network.Names["rebind.test"] = outboundtest.Always("10.0.0.1", "169.254.169.254")
	s := newSubscription(t, endpoint)
	for _, row := range outboundtest.URLs(t, "moothall.test") {
		if row.Expect == "ALLOW" {
			continue
		}
		s.Endpoint = row.URL
		if err := c.Send(t.Context(), s, push.Message{Urgency: push.Normal}); err == nil {
			t.Errorf("%.80q was accepted (%s)", row.URL, row.Why)
		}
	}
	if n := network.Connections(); n != 0 {
		t.Errorf("%d connections", n)
	}
}

// TestSlowServicesDoNotHoldUpOthers sends to push services that never answer, on many hosts,
// and to a quick one.
func TestSlowServicesDoNotHoldUpOthers(t *testing.T) {
	t.Parallel()
	const slow, limit = 80, 64
	var waiting atomic.Int32
	release := make(chan struct{})
	c, network := client(t, time.Now, func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "example.com" {
			waiting.Add(1)
			<-release
		}
		w.WriteHeader(http.StatusCreated)
	})
	for i := range slow {
		network.Names[fmt.Sprintf("slow%d.example.com", i)] = outboundtest.Always(outboundtest.Public)
	}
	quick, message := newSubscription(t, endpoint), push.Message{Urgency: push.Normal}
	if err := c.Send(t.Context(), quick, message); err != nil { // it has answered quickly before
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	results := make(chan error, slow)
	for i := range slow {
		s := newSubscription(t, fmt.Sprintf("https://slow%d.example.com/", i))
		go func() { results <- c.Send(ctx, s, message) }()
	}
	busy := 0
	for range slow - limit {
		var later *push.LaterError
		if err := <-results; errors.As(err, &later) && later.NotSent && later.After == time.Second { // the hosts are new
			busy++
		}
	}
	if busy != slow-limit {
		t.Errorf("%d messages were held back, want all but %d", busy, limit)
	}
	for range 20 {
		if err := c.Send(t.Context(), quick, message); err != nil {
			t.Fatalf("the quick service: %v", err)
		}
	}
	cancel()
	for range limit {
		if err := <-results; err == nil {
			t.Error("a slow message was sent")
		}
	}
	close(release)
}

// TestFailingServiceIsPaused leaves a service alone after failures in a row, then tries again.
func TestFailingServiceIsPaused(t *testing.T) {
	t.Parallel()
	now, status := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), http.StatusServiceUnavailable
	c, network := client(t, func() time.Time { return now }, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	s := newSubscription(t, endpoint)
	for range 10 {
		var later *push.LaterError
		if err := c.Send(t.Context(), s, push.Message{Urgency: push.Normal}); !errors.As(err, &later) {
			t.Fatal(err)
		}
	}
	if n := len(network.Requests()); n != 3 {
		t.Errorf("%d requests to a failing service", n)
	}
	now, status = now.Add(time.Minute), http.StatusCreated
	for range 3 {
		if err := c.Send(t.Context(), s, push.Message{Urgency: push.Normal}); err != nil {
			t.Error(err)
		}
	}
}

// TestCanceledMessagesAreNoFailures cancels messages, as a stop of the program does. The push service is not paused
// for that.
func TestCanceledMessagesAreNoFailures(t *testing.T) {
	t.Parallel()
	arrived, release := make(chan bool), make(chan bool)
	c, _ := client(t, time.Now, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Topic") == "slow" {
			arrived <- true
			<-release
		}
		w.WriteHeader(http.StatusCreated)
	})
	defer close(release)
	s := newSubscription(t, endpoint)
	for range 4 {
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-arrived; cancel() }()
		if err := c.Send(ctx, s, push.Message{Urgency: push.Normal, Topic: "slow"}); !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
	}
	if err := c.Send(t.Context(), s, push.Message{Urgency: push.Normal}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
