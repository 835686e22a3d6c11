package session

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

// SMTP is a server that takes mail.
type SMTP struct {
	Host           string
	Port           int
	ImplicitTLS    bool // from the first byte, else by STARTTLS
	PlainAllowed   bool // when the server offers no STARTTLS
	User, Password string
	TLS            *tls.Config // nil: the machine's roots
}

// MailOptions are the settings of mail.
type MailOptions struct {
	SMTP *SMTP // nil: no mail is sent
	From string
}

// mailTimeout bounds the delivery of one mail.
const mailTimeout = 5 * time.Second

// mailCode delivers a code. The request waits for it: a code that was not sent
// must not look as if it were, and the table of jobs would have to hold the
// code, which stands nowhere. domain.ServiceUnavailable when the server does not
// take the mail; the error holds no address.
func (s *Service) mailCode(ctx context.Context, e user.Email, code, languages string) error {
	server := s.opts.Mail.SMTP
	if server == nil {
		return nil
	}
	message, err := s.codeMail(e, code, languages)
	if err != nil {
		return fmt.Errorf("session.mail_code: the mail cannot be written: %w", domain.ServiceUnavailable)
	}
	ctx, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- server.deliver(ctx, message) }() // go-mail bounds each step, not all of them
	select {
	case err = <-done:
	case <-ctx.Done():
		err = errors.New("the mail server is slow")
	}
	if err != nil {
		return fmt.Errorf("session.mail_code: %w: %w", err, domain.ServiceUnavailable)
	}
	return nil
}

// deliver hands a mail to the server. Its errors hold no address.
func (s *SMTP) deliver(ctx context.Context, m *mail.Msg) error {
	sender, err := s.client()
	if err != nil {
		return err
	}
	if err := sender.DialWithContext(ctx); err != nil {
		return errors.New("the mail server cannot be reached, or TLS or signing in to it failed")
	}
	defer func() { _ = sender.Close() }() // the mail is with the server
	var failed *mail.SendError
	switch err := sender.Send(m); {
	case errors.As(err, &failed):
		return fmt.Errorf("the mail server did not take the mail: %s, code %d", failed.Reason, failed.ErrorCode())
	case err != nil:
		return errors.New("the mail server did not take the mail")
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

// codeMail writes the mail that brings a code.
func (s *Service) codeMail(e user.Email, code, languages string) (*mail.Msg, error) {
	text := codeTexts[bestLanguage(languages)]
	m := mail.NewMsg()
	if err := errors.Join(m.From(s.opts.Mail.From), m.To(mailbox(e))); err != nil {
		return nil, err
	}
	m.SetDateWithValue(s.clock.Now())
	m.SetMessageID()
	m.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no "I am on holiday" in return
	m.Subject(fmt.Sprintf(text.subject, code))
	m.SetBodyString(mail.TypeTextPlain, fmt.Sprintf(text.body, code, int(codeLifetime/time.Minute)))
	return m, nil
}

// mailbox is the address with its domain as mail servers know it.
func mailbox(e user.Email) string {
	local := e.Address[:strings.LastIndexByte(e.Address, '@')]
	return local + e.Key[strings.LastIndexByte(e.Key, '@'):]
}

var languageMatcher = language.NewMatcher([]language.Tag{language.English, language.Russian})

// bestLanguage gives the place in codeTexts for an Accept-Language.
func bestLanguage(accepted string) int {
	_, best := language.MatchStrings(languageMatcher, accepted)
	return best
}

// codeTexts are in the order of languageMatcher.
var codeTexts = []struct{ subject, body string }{
	{
		"%s is your sign-in code",
		"Your sign-in code: %s\n\nIt is good for %d minutes and once. Tell it to nobody.\n" +
			"If you have not asked for it, ignore this mail: without the code nobody gets in.\n",
	},
	{
		"%s — ваш код для входа",
		"Ваш код для входа: %s\n\nОн действует %d минут и только один раз. Никому его не сообщайте.\n" +
			"Если вы не запрашивали код, ничего не делайте: без него никто не войдёт.\n",
	},
}
