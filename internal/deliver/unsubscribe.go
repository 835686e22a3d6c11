package deliver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"moothall/internal/domain"
	"moothall/internal/notify"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// Subject is what the link of a message ends: one kind of e-mail to a user, or all
// deliveries about an event.
type Subject struct {
	User  domain.UserID
	Kind  notify.Kind    // empty: Event
	Event domain.EventID // zero: Kind
}

// Tokens makes the tokens of links. They name their subject, and an HMAC proves that the
// service made them. They do not expire, because old mails must still be stoppable.
type Tokens struct{ Key []byte }

const macSize = 16

func (t Tokens) mac(payload []byte) []byte {
	mac := hmac.New(sha256.New, t.Key)
	mac.Write([]byte("unsubscribe\x00")) // separates this use of the key from others
	mac.Write(payload)
	return mac.Sum(nil)[:macSize]
}

// Token returns the token of a subject.
func (t Tokens) Token(s Subject) string {
	payload := append(s.User[:], 'k')
	if s.Kind == "" {
		payload[len(payload)-1] = 'e'
		payload = append(payload, s.Event[:]...)
	}
	payload = append(payload, s.Kind...)
	return base64.RawURLEncoding.EncodeToString(append(payload, t.mac(payload)...))
}

// Parse returns the subject of a token; ok is false if the service has not made it.
func (t Tokens) Parse(token string) (s Subject, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	const head = len(s.User) + 1
	if err != nil || len(raw) < head+macSize {
		return s, false
	}
	payload, mac := raw[:len(raw)-macSize], raw[len(raw)-macSize:]
	if !hmac.Equal(mac, t.mac(payload)) {
		return s, false
	}
	copy(s.User[:], payload)
	if payload[head-1] == 'e' {
		copy(s.Event[:], payload[head:])
		return s, true
	}
	s.Kind = notify.Kind(payload[head:])
	return s, s.Kind == digestKind || policyOf[s.Kind].kind != ""
}

// Unsubscribe ends what a token names. It reports whether the token is valid.
func (s *Service) Unsubscribe(ctx context.Context, token string) (bool, error) {
	subject, ok := s.Tokens.Parse(token)
	if !ok {
		return false, nil
	}
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Lock(ctx, tx, subject.User)
		p, err := readPreferences(ctx, tx, subject.User)
		switch {
		case err != nil:
			return err
		case subject.Kind == digestKind:
			for _, rule := range policies {
				if p.mode(rule.kind, Email) == Digest {
					saveRule(ctx, tx, subject.User, Rule{rule.kind, Email, Off})
				}
			}
		case subject.Kind != "":
			saveRule(ctx, tx, subject.User, Rule{subject.Kind, Email, Off})
		default:
			mute(ctx, tx, subject.User, subject.Event, true)
		}
		return nil
	})
	if errors.Is(err, domain.NotFound) { // the account was deleted
		err = nil
	}
	return true, err
}
