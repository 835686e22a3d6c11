package signin

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"golang.org/x/text/language"

	"moothall/internal/domain"
	"moothall/internal/user"
)

// SMTP is a mail server.
type SMTP struct {
	Host           string
	Port           int
	ImplicitTLS    bool // TLS from the first byte; false: STARTTLS
	PlainAllowed   bool // send without TLS if the server offers no STARTTLS
	User, Password string
	TLS            *tls.Config // nil: the root certificates of the system
}

// MailOptions are the settings of outgoing mail.
type MailOptions struct {
	SMTP *SMTP // nil: no mail is sent
	From string
}

// mailTimeout limits the delivery of one mail.
const mailTimeout = 5 * time.Second

// mailCode sends a code by mail. It returns domain.ServiceUnavailable if the
// server does not accept the mail. No error contains the address.
//
// The request waits for the delivery instead of queueing a job: a response of
// 200 means that the mail was accepted, and the code is never stored.
func (s *Service) mailCode(ctx context.Context, e user.Email, code, languages string) error {
	server := s.Mail.SMTP
	if server == nil {
		return nil
	}
	message, err := s.codeMail(e, code, languages)
	if err != nil {
		return fmt.Errorf("signin.mail_code: cannot write the mail: %w", domain.ServiceUnavailable)
	}
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- server.deliver(ctx, message) }() // the timeout of go-mail is per step
	select {
	case err = <-done:
	case <-ctx.Done():
		err = errors.New("timeout")
	}
	if err != nil {
		return fmt.Errorf("signin.mail_code: %w: %w", err, domain.ServiceUnavailable)
	}
	return nil
}

// deliver sends a mail. Its errors contain no address.
func (s *SMTP) deliver(ctx context.Context, m *mail.Msg) error {
	sender, err := s.client()
	if err != nil {
		return err
	}
	if err := sender.DialWithContext(ctx); err != nil {
		return errors.New("cannot connect to the mail server: network, TLS or login failed")
	}
	defer func() { _ = sender.Close() }() // the server has accepted the mail
	var failed *mail.SendError
	switch err := sender.Send(m); {
	case errors.As(err, &failed):
		return fmt.Errorf("the mail server refused the mail: %s, code %d", failed.Reason, failed.ErrorCode())
	case err != nil:
		return errors.New("the mail server refused the mail")
	}
	return nil
}

func (s *SMTP) client() (*mail.Client, error) {
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTimeout(mailTimeout), mail.WithTLSPolicy(mail.TLSMandatory)}
	if s.PlainAllowed {
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	}
	if s.ImplicitTLS {
		options = append(options, mail.WithSSL())
	}
	if s.TLS != nil {
		options = append(options, mail.WithTLSConfig(s.TLS))
	}
	if s.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User), mail.WithPassword(s.Password))
	}
	return mail.NewClient(s.Host, options...)
}

// codeMail writes the mail with a code.
func (s *Service) codeMail(e user.Email, code, languages string) (*mail.Msg, error) {
	text := codeTexts[bestLanguage(languages)]
	m := mail.NewMsg()
	if err := errors.Join(m.From(s.Mail.From), m.To(asciiDomain(e))); err != nil {
		return nil, err
	}
	m.SetDateWithValue(s.Clock.Now())
	m.SetMessageID()
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: suppresses out-of-office replies
	m.Subject(fmt.Sprintf(text.subject, code))
	m.SetBodyString(mail.TypeTextPlain, fmt.Sprintf(text.body, code, int(codeLifetime/time.Minute)))
	return m, nil
}

// asciiDomain returns the address with its domain in ASCII (IDNA), as mail
// servers expect it.
func asciiDomain(e user.Email) string {
	local := e.Address[:strings.LastIndexByte(e.Address, '@')]
	return local + e.Key[strings.LastIndexByte(e.Key, '@'):]
}

var languageMatcher = language.NewMatcher([]language.Tag{language.English, language.Russian})

// bestLanguage returns the index in codeTexts for an Accept-Language header.
func bestLanguage(accepted string) int {
	_, best := language.MatchStrings(languageMatcher, accepted)
	return best
}

// codeTexts has the order of languageMatcher.
var codeTexts = []struct{ subject, body string }{
	{
		"%s is your sign-in code",
		"Your sign-in code: %s\n\nIt expires in %d minutes and works once. Do not share it with anyone.\n" +
			"If you did not request it, ignore this e-mail: without the code nobody can sign in.\n",
	},
	{
		"%s — ваш код для входа",
		"Ваш код для входа: %s\n\nОн действует %d минут и только один раз. Никому его не сообщайте.\n" +
			"Если вы не запрашивали код, ничего не делайте: без него никто не войдёт.\n",
	},
}
