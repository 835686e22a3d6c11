package mail

import (
	"context"
	"errors"
	"slices"

	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/seal"
)

// Subject is the subject of an unsubscribe link: one kind of e-mail to a user, all deliveries about
// an event, or the participation in an event.
type Subject struct {
	User  domain.UserID
	Kind  notify.Kind    // empty: the link is about Event
	Event domain.EventID // zero: the link is about Kind
	Leave bool           // the link ends the participation, not the deliveries
}

// Tokens makes the tokens of unsubscribe links. A token contains its subject. It does not expire, because the links in old mails
// must work.
type Tokens struct{ Keys seal.Keys }

const unsubscribePurpose = "unsubscribe"

// Token returns the token of a subject.
func (t Tokens) Token(s Subject) string {
	var payload []byte
	switch {
	case s.Kind != "":
		payload = slices.Concat(s.User[:], []byte{'k'}, []byte(s.Kind))
	case s.Leave:
		payload = slices.Concat(s.User[:], []byte{'l'}, s.Event[:])
	default:
		payload = slices.Concat(s.User[:], []byte{'e'}, s.Event[:])
	}
	return t.Keys.Token(unsubscribePurpose, payload)
}

// Parse returns the subject of a token; ok is false if the token is invalid.
func (t Tokens) Parse(token string) (s Subject, ok bool) {
	const head = len(s.User) + 1
	payload, ok := t.Keys.OpenToken(unsubscribePurpose, token)
	if !ok || len(payload) < head {
		return s, false
	}
	copy(s.User[:], payload)
	if kind := payload[head-1]; kind != 'k' {
		copy(s.Event[:], payload[head:])
		s.Leave = kind == 'l'
		return s, true
	}
	s.Kind = notify.Kind(payload[head:])
	p := policyOf[s.Kind]
	return s, s.Kind == digestKind || p.kind != "" && !p.security
}

// Unsubscribe applies a token: it switches off a kind, mutes an event, or ends a participation. It
// returns false if the token is invalid, or if the participation cannot be ended.
func (s *Service) Unsubscribe(ctx context.Context, token string) (bool, error) {
	subject, ok := s.Tokens.Parse(token)
	if !ok {
		return false, nil
	}
	if subject.Leave {
		return s.leave(ctx, subject)
	}
	err := s.DB.InTx(ctx, func(tx db.Tx) error {
		user.Lock(ctx, tx, subject.User)
		p, err := readPreferences(ctx, tx, subject.User)
		switch {
		case err != nil:
			return err
		case subject.Kind == digestKind:
			for _, policy := range policies {
				if p.mode(policy.kind, Email) == Digest {
					savePreference(ctx, tx, subject.User, Preference{policy.kind, Email, Off})
				}
			}
		case subject.Kind != "":
			savePreference(ctx, tx, subject.User, Preference{subject.Kind, Email, Off})
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

var mayLeaveStmt = db.SQL("mail.may_leave", `
	SELECT 1 FROM events e JOIN users u ON u.id = $2 AND u.suspended_at IS NULL
	WHERE e.id = $1 AND e.status = 'published' AND e.starts_at > $3`)

// leave ends a participation in an event that has not begun.
func (s *Service) leave(ctx context.Context, subject Subject) (bool, error) {
	may, err := s.DB.One(ctx, mayLeaveStmt, subject.Event, subject.User, s.Clock.Now()).Find(new(int))
	if err != nil || !may {
		return false, err
	}
	err = s.Leave(ctx, domain.Viewer{UserID: subject.User}, subject.Event)
	if errors.Is(err, domain.NotFound) {
		return false, nil
	}
	return err == nil, err
}
