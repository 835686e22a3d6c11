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

// Development is a provider that takes no money: whoever has its secret says
// which payments have succeeded (`moothall payments send`).
type Development struct{ secrets []Secret }

// NewDevelopment makes the provider. Deliveries signed with any of the secrets
// are good, so that secrets can be replaced one after the other.
func NewDevelopment(secrets ...Secret) *Development { return &Development{secrets: secrets} }

// Secret is a key of Standard Webhooks.
type Secret struct{ webhook *standardwebhooks.Webhook }

// secretPrefix begins every secret.
const secretPrefix = "whsec_"

// ParseSecret reads "whsec_" and the base64 of 24 to 64 bytes. Its error
// completes a sentence and does not hold the secret.
func ParseSecret(s string) (Secret, error) {
	encoded, ok := strings.CutPrefix(s, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return Secret{}, errors.New("must be " + secretPrefix + " and the base64 of 24 to 64 random bytes (echo " + secretPrefix + "$(openssl rand -base64 32))")
	}
	webhook, err := standardwebhooks.NewWebhookRaw(key)
	return Secret{webhook}, err
}

// Sign gives the headers of a delivery that is sent now.
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

// Name is "development".
func (*Development) Name() string { return "development" }

// SelfVerified is true.
func (*Development) SelfVerified() bool { return true }

// Begin makes up a payment. Its address leads nowhere (RFC 2606).
func (*Development) Begin(context.Context, Intent) (paymentID, checkoutURL string, err error) {
	var random [12]byte
	_, _ = rand.Read(random[:]) // never fails: it would end the process
	id := "dev_" + hex.EncodeToString(random[:])
	return id, "https://checkout.invalid/" + id, nil
}

// tolerance is how far the time of a delivery may be from ours.
const tolerance = 5 * time.Minute

// Verify checks the signature as Standard Webhooks lays down, its time by the
// clock of the service.
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

// delivery is the body of what the development provider sends.
type delivery struct {
	ID                string `json:"id"`
	Type              string `json:"type"`
	ProviderPaymentID string `json:"provider_payment_id"`
	Data              struct {
		Reason any `json:"reason"`
	} `json:"data"`
}

// Read refuses with domain.Unauthorized a body whose id is not the signed one.
func (*Development) Read(h http.Header, body []byte) (Notice, error) {
	var d delivery
	if err := json.Unmarshal(body, &d); err != nil {
		return Notice{}, domain.Invalid("", "must be a JSON object like the contract's example")
	}
	var wrong domain.Problems
	for _, field := range []struct{ pointer, value string }{
		{"/id", d.ID}, {"/type", d.Type}, {"/provider_payment_id", d.ProviderPaymentID},
	} {
		if field.value == "" {
			wrong.Add(field.pointer, "must be there")
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

// reason is what may be shown to the blocked organizer; nil when there is no
// such text.
func (d delivery) reason() *string {
	said, _ := d.Data.Reason.(string)
	line, err := text.Line(1, 200)(said)
	if err != nil {
		return nil
	}
	return &line
}
