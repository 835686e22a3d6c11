package signin

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/text/language"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/smtp"
)

// MailOptions are the settings of outgoing mail.
type MailOptions struct {
	Transport smtp.Transport // nil: no mail is sent
	From      string
}

// mailCode sends a code by mail. It returns domain.ServiceUnavailable if the server does
// not accept the mail. No error contains the address.
//
// The request waits for the delivery instead of queueing a job: a response of 200 means
// that the mail was accepted, and the code is never stored.
func (s *Service) mailCode(ctx context.Context, e user.Email, code, languages string) error {
	if s.Mail.Transport == nil {
		return nil
	}
	text := codeTexts[bestLanguage(languages)]
	err := s.Mail.Transport.Send(ctx, smtp.Message{
		From: s.Mail.From, To: e.ASCII(), Date: s.Clock.Now(),
		Subject: fmt.Sprintf(text.subject, code), Text: fmt.Sprintf(text.body, code, int(codeLifetime/time.Minute)),
	})
	if err != nil {
		return fmt.Errorf("signin.mail_code: %w: %w", err, domain.ServiceUnavailable)
	}
	return nil
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
