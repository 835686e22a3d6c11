package push_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"testing"

	"moothall/internal/platform/push"
)

// newSubscription returns the subscription of a new receiver.
func newSubscription(t testing.TB, endpoint string) push.Subscription {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := push.ParseSubscription(endpoint, base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), "AAAAAAAAAAAAAAAAAAAAAA")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEncryptRefusesLongPayload(t *testing.T) {
	s := newSubscription(t, "https://example.com/")
	longest, err := push.Encrypt(s, make([]byte, push.MaxPayload))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := push.Encrypt(s, make([]byte, push.MaxPayload+1)); err == nil {
		t.Error("encrypted a payload that is too long")
	}
	shortest, err := push.Encrypt(s, nil)
	if err != nil || len(shortest) != len(longest) || len(longest) > 4096 {
		t.Errorf("%d and %d bytes, %v: push services accept 4096, and lengths must not differ", len(shortest), len(longest), err)
	}
}

// BenchmarkEncrypt encrypts on all cores.
func BenchmarkEncrypt(b *testing.B) {
	s := newSubscription(b, "https://example.com/")
	payload := make([]byte, 400)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := push.Encrypt(s, payload); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
