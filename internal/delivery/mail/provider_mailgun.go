package mail

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"moothall/internal/domain"
	"moothall/internal/platform/smtp"
)

// Mailgun reads the webhooks of Mailgun, one event each
// (https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads).
type Mailgun struct{ SigningKey string }

type mailgunSignature struct {
	Signature struct {
		Timestamp string `json:"timestamp"`
		Token     string `json:"token"`
		Signature string `json:"signature"`
	} `json:"signature"`
}

type mailgunEvent struct {
	Event struct {
		Event     string `json:"event"`
		Severity  string `json:"severity"`
		Reason    string `json:"reason"`
		Recipient string `json:"recipient"`
		Status    struct {
			Code    string `json:"enhanced-code"`
			Message string `json:"message"`
		} `json:"delivery-status"`
		Message struct {
			Headers struct {
				ID string `json:"message-id"`
			} `json:"headers"`
		} `json:"message"`
	} `json:"event-data"`
}

// Verify implements MailProvider. The signature is in the body: HMAC-SHA256 of timestamp and
// token. It does not cover the event, so a token is used only once.
func (m Mailgun) Verify(_ http.Header, body []byte, now time.Time) error {
	var r mailgunSignature
	if err := json.Unmarshal(body, &r); err != nil {
		return domain.Unauthorized
	}
	mac := hmac.New(sha256.New, []byte(m.SigningKey))
	mac.Write([]byte(r.Signature.Timestamp + r.Signature.Token))
	sent, err := hex.DecodeString(r.Signature.Signature)
	if err != nil || !hmac.Equal(sent, mac.Sum(nil)) || !isRecent(r.Signature.Timestamp, now) {
		return domain.Unauthorized
	}
	return nil
}

// Token implements MailProvider.
func (Mailgun) Token(body []byte) string {
	var r mailgunSignature
	_ = json.Unmarshal(body, &r) // verified
	return r.Signature.Token
}

// Read implements MailProvider.
func (Mailgun) Read(body []byte) ([]MailEvent, error) {
	var r mailgunEvent
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, domain.Invalid("", "must be a webhook of Mailgun")
	}
	e := r.Event
	if e.Event == "" {
		return nil, domain.Invalid("/event-data/event", "must be present")
	}
	event := MailEvent{Address: e.Recipient, MessageID: e.Message.Headers.ID}
	switch {
	case e.Event == "complained", e.Reason == "suppress-complaint":
		event.Complaint = true
	case e.Event != "failed", e.Severity != "permanent": // the provider retries temporary failures
	case e.Reason == "suppress-unsubscribe": // says nothing about the address
	case e.Reason == "suppress-bounce":
		event.Report = smtp.Report{Failed: true, Status: noMailbox}
	default:
		event.Report = smtp.Report{Failed: true, Status: smtp.StatusOf(e.Status.Code, e.Status.Message)}
	}
	return []MailEvent{event}, nil
}
