package push

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"time"
)

// Keys are the key pair that authenticates the service to push services. Subscriptions are bound to
// it.
type Keys struct {
	private *ecdsa.PrivateKey
	public  string
}

// DeriveKeys derives the pair from the secret of the service. So all instances with the same secret
// have the same pair, and it need not be stored.
func DeriveKeys(secret []byte) *Keys {
	for try := byte(0); ; try++ { // a number above the order of the curve is invalid: probability 2^-32
		mac := hmac.New(sha256.New, secret)
		mac.Write(append([]byte("moothall VAPID key "), try))
		if keys, err := ParseKeys(mac.Sum(nil)); err == nil {
			return keys
		}
	}
}

// ParseKeys returns the pair of a private key, as Private returns it.
func ParseKeys(raw []byte) (*Keys, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		return nil, fmt.Errorf("push.ParseKeys: %w", err)
	}
	public, err := private.PublicKey.Bytes()
	if err != nil {
		return nil, fmt.Errorf("push.ParseKeys: %w", err)
	}
	return &Keys{private, base64.RawURLEncoding.EncodeToString(public)}, nil
}

// Private returns the private key.
func (k *Keys) Private() ([]byte, error) { return k.private.Bytes() }

// Public returns the public key, an uncompressed point in base64url.
func (k *Keys) Public() string { return k.public }

const (
	tokenLifetime = 12 * time.Hour // at most 24 hours are allowed
	tokenRenewal  = 10 * time.Hour // age at which a new token is signed
	maxTokens     = 1000
)

// tokens caches the signed token of each push service. Users choose the services, so the number of
// tokens is limited.
type tokens struct {
	mu  sync.Mutex
	all map[string]signed // by origin
}

type signed struct {
	text  string
	renew time.Time
}

// tokenHeader is the encoded header {"typ":"JWT","alg":"ES256"}.
var tokenHeader = base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`))

// token returns the token for the origin of an endpoint.
func (c *Client) token(u *url.URL, now time.Time) (string, error) {
	origin := u.Scheme + "://" + u.Host
	c.tokens.mu.Lock()
	defer c.tokens.mu.Unlock()
	if t, ok := c.tokens.all[origin]; ok && now.Before(t.renew) {
		return t.text, nil
	}
	text, err := c.options.Keys.sign(origin, c.options.Subject, now.Add(tokenLifetime))
	if err != nil {
		return "", err
	}
	if c.tokens.all == nil || len(c.tokens.all) >= maxTokens {
		c.tokens.all = map[string]signed{}
	}
	c.tokens.all[origin] = signed{text, now.Add(tokenRenewal)}
	return text, nil
}

// sign returns a token (RFC 8292, section 2).
func (k *Keys) sign(audience, subject string, expires time.Time) (string, error) {
	claims, err := json.Marshal(struct {
		Audience string `json:"aud"`
		Expires  int64  `json:"exp"`
		Subject  string `json:"sub"`
	}{audience, expires.Unix(), subject})
	if err != nil {
		return "", err
	}
	text := tokenHeader + "." + base64.RawURLEncoding.EncodeToString(claims)
	hash := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, k.private, hash[:])
	if err != nil {
		return "", err
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}
