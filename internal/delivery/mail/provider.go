package mail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/db"
	"moothall/internal/platform/smtp"
)

// MailProvider is a service that sends mails and reports their outcome by signed HTTP requests.
type MailProvider interface {
	// Verify returns domain.Unauthorized unless the provider has signed the request within the
	// last five minutes.
	Verify(h http.Header, body []byte, now time.Time) error

	// Token returns what makes a verified request unique, if its signature does not cover the body.
	// It is empty for other providers: to repeat one of their requests has no effect.
	Token(body []byte) string

	// Read returns the events of a verified body, or a domain.Invalid error.
	Read(body []byte) ([]MailEvent, error)
}

// MailEvent is the report of a provider about one mail.
type MailEvent struct {
	Address   string // of the recipient
	MessageID string // may have angle brackets; empty: the provider does not name the mail
	smtp.Report
}

// ProviderEvents receives the events of mail providers.
type ProviderEvents struct {
	Bounces   *Bounces
	Users     *user.Service
	Addresses *attendance.Addresses
	Providers map[string]MailProvider // by name; only those that have a key
}

// Verify verifies the raw bytes of a request. It returns domain.NotFound for a provider
// without a key, and domain.Unauthorized for a wrong signature.
func (p *ProviderEvents) Verify(provider string, h http.Header, body []byte) error {
	from, ok := p.Providers[provider]
	if !ok {
		return domain.NotFound
	}
	return from.Verify(h, body, p.Bounces.Clock.Now())
}

// Receive applies the events of a verified request like bounces, and returns their number. A request with a
// used token has none. After an error the provider should send all events again: those that were applied
// have no further effect.
func (p *ProviderEvents) Receive(ctx context.Context, provider string, body []byte) (int, error) {
	events, err := p.Providers[provider].Read(body)
	if err != nil {
		return 0, err
	}
	token := p.Providers[provider].Token(body)
	if fresh, err := p.use(ctx, token); !fresh || err != nil {
		return 0, err
	}
	for _, e := range events {
		if err := p.apply(ctx, e); err != nil {
			return 0, errors.Join(err, p.release(ctx, token))
		}
	}
	return len(events), nil
}

var (
	useTokenStmt = db.SQL("mail.use_token", `
		INSERT INTO mail_event_tokens (token, used_at) VALUES ($1, $2) ON CONFLICT (token) DO NOTHING`)

	releaseTokenStmt = db.SQL("mail.release_token", `DELETE FROM mail_event_tokens WHERE token = $1`)

	purgeTokensStmt = db.SQL("mail.purge_tokens", `DELETE FROM mail_event_tokens WHERE used_at < $1`)
)

// use stores a token, and reports whether it was not used before.
func (p *ProviderEvents) use(ctx context.Context, token string) (fresh bool, err error) {
	if token == "" {
		return true, nil
	}
	sum := sha256.Sum256([]byte(token))
	stored, err := p.Bounces.DB.Exec(ctx, useTokenStmt, sum[:], p.Bounces.Clock.Now())
	return stored == 1, err
}

// release lets the provider send a request again that had no effect.
func (p *ProviderEvents) release(ctx context.Context, token string) error {
	sum := sha256.Sum256([]byte(token))
	_, err := p.Bounces.DB.Exec(context.WithoutCancel(ctx), releaseTokenStmt, sum[:])
	return err
}

// apply finds the user by the address and the delivery by the Message-ID. The address suffices,
// because the provider has signed the request. A repeated event has no effect on a failed delivery;
// an event without a delivery counts at most once a day.
func (p *ProviderEvents) apply(ctx context.Context, e MailEvent) error {
	if !e.Failed && !e.Complaint {
		return nil
	}
	address, err := user.ParseEmail(e.Address)
	if err != nil {
		return nil //nolint:nilerr // not an address of a user
	}
	if mailbox, err := p.Addresses.Mailbox(ctx, address); err != nil {
		return err
	} else if _, err = p.Bounces.record(ctx, deliveryRef{mailbox, messagePrefix(e.MessageID)}, e.Report, false); err != nil {
		return err
	}
	id, err := p.Users.ByEmail(ctx, p.Bounces.DB, address)
	if errors.Is(err, domain.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = p.Bounces.record(ctx, deliveryRef{id, messagePrefix(e.MessageID)}, e.Report, true)
	return err
}

// messagePrefix returns the first bytes of the id of the delivery that a Message-ID names; zero if
// the Message-ID is not one of this service.
func messagePrefix(messageID string) (prefix [deliverySize]byte) {
	id, _, _ := strings.Cut(strings.TrimLeft(messageID, "<"), "@")
	if raw, err := hex.DecodeString(id); err == nil {
		copy(prefix[:], raw)
	}
	return prefix
}

// eventTolerance limits the difference between the time of a signature and the clock.
const eventTolerance = 5 * time.Minute

// isRecent reports whether a signature was made just now. timestamp is in Unix seconds.
func isRecent(timestamp string, now time.Time) bool {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	return err == nil && now.Sub(time.Unix(seconds, 0)).Abs() <= eventTolerance
}

// noMailbox is the status of an address that the provider has suppressed.
const noMailbox = "5.1.1"
