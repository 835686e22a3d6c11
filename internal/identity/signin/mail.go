package signin

import (
	"context"
	"embed"
	"fmt"
	"time"

	"golang.org/x/text/language"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/mailtemplate"
	"moothall/internal/platform/smtp"
	"moothall/internal/platform/text"
)

// MailOptions are the settings of outgoing mail.
type MailOptions struct {
	Transport smtp.Transport // nil: no mail is sent
	From      string
	Brand     mailtemplate.Brand
}

// mailCode sends a code by mail. It returns domain.ServiceUnavailable if the server does
// not accept the mail. No error contains the address.
//
// The request waits for the delivery instead of queueing a job: a response of 200 means
// that the mail was accepted, and the code is never stored.
func (s *Service) mailCode(ctx context.Context, e user.Email, code, accepted string) error {
	if s.Mail.Transport == nil {
		return nil
	}
	m, err := s.codeMail(e, code, accepted)
	if err == nil {
		err = s.Mail.Transport.Send(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("signin.mail_code: %w: %w", err, domain.ServiceUnavailable)
	}
	return nil
}

// codeMail returns the mail with a code, in the best language for an Accept-Language header.
func (s *Service) codeMail(e user.Email, code, accepted string) (smtp.Message, error) {
	l := text.BestLanguage(languages, accepted)
	data := map[string]any{"Code": code, "Minutes": int(codeLifetime / time.Minute)}
	content := mailtemplate.Mail{
		Language: l.String(), Subject: l.Message("mail.subject", data), Brand: s.Mail.Brand,
		Sections: []mailtemplate.Section{{Title: l.Message("mail.title", data), Code: code,
			After: []string{l.Message("mail.expires", data), l.Message("mail.warning", data)}}},
	}
	html, err := content.HTML()
	return smtp.Message{
		From: s.Mail.From, To: e.ASCII(), Date: s.Clock.Now(), Subject: content.Subject, Text: content.Text(), HTML: html,
	}, err
}

// sampleAddress is the recipient of MailSample.
const sampleAddress = "anna@example.org"

// MailSample returns an example of the mail, for the gallery of mails.
func (s *Service) MailSample(language string) (smtp.Message, error) {
	return s.codeMail(user.Email{Address: sampleAddress, Key: sampleAddress}, "123456", language)
}

// texts are the texts of the mail, by language.
//
//go:embed texts
var texts embed.FS

var languages = text.LoadLanguages(texts, language.English, language.German, language.Russian)
