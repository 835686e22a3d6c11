package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"moothall/internal/domain"
)

const userAgent = "Moothall webhooks"

// message is a message that is due.
type message struct {
	id        domain.WebhookMessageID
	kind      Kind
	event     *domain.EventID
	sequence  int64
	user      *domain.UserID // nil if it must not be named
	count     int64
	data      string
	createdAt time.Time
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

// newRequest returns the request of an attempt. Each of secrets signs the message; the newest is first.
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
