package email

import (
	"context"
	"embed"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"golang.org/x/text/language"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/mailtemplate"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/smtp"
	"moothall/internal/platform/text"
)

// texts are the texts of the mail and of the page, by language.
//
//go:embed texts
var texts embed.FS

var languages = text.LoadLanguages(texts, language.English, language.German, language.Russian)

const sendKind = "emailsignin.send"

// sendJob is the payload of the job that sends a mail.
type sendJob struct {
	ClientHash []byte        `json:"client_hash"`
	MailID     domain.MailID `json:"mail_id"`          // the same at every attempt, so that receivers can drop a second copy
	Beyond     bool          `json:"beyond,omitempty"` // the part of the daily budget that is for everybody
	Known      bool          `json:"known,omitempty"`  // the client has signed in with the address
}

// send sends the mail of a sign-in, unless it has ended. Beyond the budget for everybody, it
// drops the mail unless the client or the account is known and has budget left.
func (s *Service) send(ctx context.Context, j sendJob) (failed error) {
	now := s.Clock.Now()
	var e user.Email
	var seed []byte
	var tag string
	found, err := s.DB.One(ctx, mailStmt, j.ClientHash, now).Find(&e.Address, &e.Key, &seed, &tag)
	if err != nil || !found {
		return err
	}
	if j.Beyond {
		taken, err := s.takeKnown(ctx, e, j.Known)
		if err != nil || taken == nil {
			return err
		}
		defer func() {
			if failed != nil {
				s.Limits.RefundAll(ctx, taken...) // the next attempt takes it again
			}
		}()
	}
	m, err := s.message(e, s.secrets(seed, e.Key), text.BestLanguage(languages, tag), now)
	if err == nil {
		m.ID, err = s.messageID(j.MailID)
	}
	if err == nil {
		err = s.Transport.Send(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("emailsignin.send: %w", err)
	}
	return nil
}

// takeKnown takes a mail from the budget for known clients and accounts. It returns nil if the
// address is unknown, or if this budget is used up, too.
func (s *Service) takeKnown(ctx context.Context, e user.Email, known bool) ([]ratelimit.Count, error) {
	if !known {
		found, err := s.DB.One(ctx, accountStmt, e.Key).Find(new(int))
		if err != nil || !found {
			return nil, err
		}
	}
	count, err := s.Limits.TakeKnown(ctx, StartsPerDay)
	if errors.Is(err, domain.RateLimited) {
		return nil, nil
	}
	return []ratelimit.Count{count}, err
}

// messageID returns a Message-ID in the domain of the sender.
func (s *Service) messageID(id domain.MailID) (string, error) {
	from, err := netmail.ParseAddress(s.From)
	if err != nil {
		return "", err
	}
	return id.String() + from.Address[strings.LastIndexByte(from.Address, '@'):], nil
}

// message returns the mail. The number is not in it: it proves that the reader of the mail
// sees the client that started.
func (s *Service) message(e user.Email, secret secrets, l text.Language, now time.Time) (smtp.Message, error) {
	data := map[string]any{"Code": secret.Code, "Minutes": int(lifetime / time.Minute)}
	text := func(id string) string { return l.Message(id, data) }
	content := mailtemplate.Mail{
		Language: l.String(), Subject: text("mail.subject"), Brand: s.Brand,
		Sections: []mailtemplate.Section{{
			Title: text("mail.title"), Code: secret.Code,
			Button: &mailtemplate.Link{Text: text("mail.button"), URL: s.PageURL + "?c=" + url.QueryEscape(secret.Link)},
			After:  []string{text("mail.expires"), text("mail.warning")},
		}},
	}
	html, err := content.HTML()
	return smtp.Message{From: s.From, To: e.ASCII(), Date: now, Subject: content.Subject, HTML: html, Text: content.Text()}, err
}

// sampleAddress is the recipient of MailSample.
const sampleAddress = "anna@example.org"

// MailSample returns an example of the mail, for the gallery of mails.
func (s *Service) MailSample(tag string) (smtp.Message, error) {
	example := secrets{Code: "123456", Link: "example"}
	return s.message(user.Email{Address: sampleAddress, Key: sampleAddress}, example, text.BestLanguage(languages, tag), s.Clock.Now())
}

var accountStmt = db.SQL("email.account", `SELECT 1 FROM users WHERE email_key = $1`)

var mailStmt = db.SQL("email.mail", `
	SELECT email, email_key, seed, language FROM email_sign_ins
	WHERE client_hash = $1 AND expires_at > $2 AND tries_left > 0 AND confirmed_at IS NULL`)
