package payment

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"moothall/internal/domain"
	"moothall/internal/platform/text"
)

// Development is a provider that takes no money. The operator simulates its
// notices with `moothall payments send`.
type Development struct{ secrets []Secret }

// NewDevelopment returns the provider. It accepts deliveries signed with any of the
// secrets, so that secrets can be rotated.
func NewDevelopment(secrets ...Secret) *Development { return &Development{secrets: secrets} }

// Secret is a key of Standard Webhooks.
type Secret struct{ webhook *standardwebhooks.Webhook }

const secretPrefix = "whsec_"

// ParseSecret parses "whsec_" and the base64 of 24 to 64 bytes. Its error does not
// contain the secret.
func ParseSecret(s string) (Secret, error) {
	encoded, ok := strings.CutPrefix(s, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return Secret{}, errors.New("must be " + secretPrefix + " and the base64 of 24 to 64 random bytes (echo " + secretPrefix +
			"$(openssl rand -base64 32))")
	}
	webhook, err := standardwebhooks.NewWebhookRaw(key)
	return Secret{webhook}, err
}

// Sign returns the headers of a delivery.
func (s Secret) Sign(id string, body []byte, now time.Time) (http.Header, error) {
	signature, err := s.webhook.Sign(id, now, body)
	if err != nil {
		return nil, fmt.Errorf("payment.sign: %w", err)
	}
	h := http.Header{}
	h.Set(standardwebhooks.HeaderWebhookID, id)
	h.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	h.Set(standardwebhooks.HeaderWebhookSignature, signature)
	return h, nil
}

// Name returns "development".
func (*Development) Name() string { return "development" }

// SelfVerified returns true.
func (*Development) SelfVerified() bool { return true }

// Begin returns an invented payment. The domain of its address does not exist (RFC 2606).
func (*Development) Begin(context.Context, Intent) (paymentID, checkoutURL string, err error) {
	var random [12]byte
	_, _ = rand.Read(random[:]) // never fails
	id := "dev_" + hex.EncodeToString(random[:])
	return id, "https://checkout.invalid/" + id, nil
}

// tolerance limits the difference between the timestamp of a delivery and the clock.
const tolerance = 5 * time.Minute

// Verify verifies the signature by Standard Webhooks, with the clock of the service.
func (d *Development) Verify(h http.Header, body []byte, now time.Time) error {
	seconds, err := strconv.ParseInt(h.Get(standardwebhooks.HeaderWebhookTimestamp), 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > tolerance {
		return domain.Unauthorized
	}
	for _, s := range d.secrets {
		if s.webhook.VerifyIgnoringTimestamp(body, h) == nil {
			return nil
		}
	}
	return domain.Unauthorized
}

// delivery is the body of a delivery.
type delivery struct {
	ID                string `json:"id"`
	Type              string `json:"type"`
	ProviderPaymentID string `json:"provider_payment_id"`
	Data              struct {
		Reason any `json:"reason"`
	} `json:"data"`
}

// Read returns domain.Unauthorized if the id in the body is not the signed id.
func (*Development) Read(h http.Header, body []byte) (Notice, error) {
	var d delivery
	if err := json.Unmarshal(body, &d); err != nil {
		return Notice{}, domain.Invalid("", "must be a JSON object as in the contract")
	}
	var wrong domain.Problems
	for _, field := range []struct{ pointer, value string }{
		{"/id", d.ID}, {"/type", d.Type}, {"/provider_payment_id", d.ProviderPaymentID},
	} {
		if field.value == "" {
			wrong.Add(field.pointer, "must be present")
		}
	}
	if err := wrong.Err(); err != nil {
		return Notice{}, err
	}
	if d.ID != h.Get(standardwebhooks.HeaderWebhookID) {
		return Notice{}, domain.Unauthorized
	}
	return Notice{ID: d.ID, Type: d.Type, About: d.ProviderPaymentID, Reason: d.reason()}, nil
}

// reason returns the reason for a block as a single line; nil if there is none.
func (d delivery) reason() *string {
	reason, _ := d.Data.Reason.(string)
	line, err := text.Line(1, 200)(reason)
	if err != nil {
		return nil
	}
	return &line
}
