package mail

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"moothall/internal/domain"
	"moothall/internal/platform/smtp"
)

// SendGrid reads the signed event webhooks of SendGrid
// (https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event).
type SendGrid struct{ key *ecdsa.PublicKey }

// ParseSendGrid parses the verification key that SendGrid shows: the base64 of a public key of
// the curve P-256.
func ParseSendGrid(key string) (SendGrid, error) {
	der, _ := base64.StdEncoding.DecodeString(key) // invalid base64 fails in ParsePKIXPublicKey
	parsed, err := x509.ParsePKIXPublicKey(der)
	public, ok := parsed.(*ecdsa.PublicKey)
	if err != nil || !ok || public.Curve != elliptic.P256() {
		return SendGrid{}, errors.New("must be the verification key of the signed event webhook, as SendGrid shows it")
	}
	return SendGrid{public}, nil
}

// The headers of a signed webhook of SendGrid.
const (
	sendGridSignature = "X-Twilio-Email-Event-Webhook-Signature"
	sendGridTimestamp = "X-Twilio-Email-Event-Webhook-Timestamp"
)

// Verify implements MailProvider: ECDSA with SHA-256 over timestamp and body.
func (s SendGrid) Verify(h http.Header, body []byte, now time.Time) error {
	timestamp := h.Get(sendGridTimestamp)
	digest := sha256.Sum256(append([]byte(timestamp), body...))
	signature, err := base64.StdEncoding.DecodeString(h.Get(sendGridSignature))
	if err != nil || !isRecent(timestamp, now) || !ecdsa.VerifyASN1(s.key, digest[:], signature) {
		return domain.Unauthorized
	}
	return nil
}

// Token implements MailProvider. The signature covers the body.
func (SendGrid) Token([]byte) string { return "" }

type sendGridEvent struct {
	Event     string `json:"event"`
	Address   string `json:"email"`
	MessageID string `json:"smtp-id"`
	Status    string `json:"status"`
	Reason    string `json:"reason"`
	Class     string `json:"bounce_classification"`
}

// Read implements MailProvider.
func (SendGrid) Read(body []byte) ([]MailEvent, error) {
	var all []sendGridEvent
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, domain.Invalid("", "must be an array of events of SendGrid")
	}
	events := make([]MailEvent, len(all))
	for i, e := range all {
		events[i] = MailEvent{e.Address, e.MessageID, e.report()}
	}
	return events, nil
}

// report converts an event. SendGrid retries deferred mails. It does not send dropped ones, because
// of an earlier event.
func (e sendGridEvent) report() smtp.Report {
	switch {
	case e.Event == "spamreport", e.Event == "dropped" && e.Reason == "Spam Reporting Address":
		return smtp.Report{Complaint: true}
	case e.Event == "dropped" && (e.Reason == "Bounced Address" || e.Reason == "Invalid"),
		e.Event == "bounce" && e.Class == "Invalid Address":
		return smtp.Report{Failed: true, Status: noMailbox}
	case e.Event == "bounce":
		return smtp.Report{Failed: true, Status: smtp.StatusOf(e.Status, e.Reason)}
	}
	return smtp.Report{}
}
