package mail

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"moothall/internal/core/address"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/calendar"
	"moothall/internal/platform/mailtemplate"
	"moothall/internal/platform/smtp"
)

// Mailer is the Sender of e-mail.
type Mailer struct {
	Transport smtp.Transport
	From      string // may have a display name
	WebOrigin string // of the web client
	Pages     address.Pages
	Brand     mailtemplate.Brand
	PageURL   string // of the unsubscribe page; a token is appended
	MediaURL  string // prefix of the URLs of uploaded pictures; empty: mails show no pictures
	Tokens    Tokens
	AnswerURL string // of the page of an e-mail invitation; a token is appended
	Bounces   ReturnPaths
	Pace      <-chan time.Time // one value for each mail, except cancellations; nil: no limit
}

const (
	// maxPaceWait limits how long a mail waits for Pace, so that its lease does not end meanwhile.
	maxPaceWait = 5 * time.Second
	// paceRetry is the pause after a mail that Pace did not allow.
	paceRetry = 10 * time.Second
)

var errPace = errors.New("the limit of mails per minute is reached")

// MailConnections is how many mails are sent at the same time.
const MailConnections = 4

// Channel implements Sender.
func (m *Mailer) Channel() Channel { return Email }

// Parallel implements Sender.
func (m *Mailer) Parallel() int { return MailConnections }

// Send implements Sender.
func (m *Mailer) Send(ctx context.Context, message Message) error {
	composed, err := m.compose(message)
	if err != nil {
		return PermanentError{fmt.Errorf("cannot write the mail: %w", err)}
	}
	if m.Pace != nil && !message.cancels() {
		select {
		case <-m.Pace:
		case <-time.After(maxPaceWait):
			return PostponedError{Err: errPace, After: paceRetry, NotTried: true}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err = m.Transport.Send(ctx, composed)
	var refused *smtp.RefusalError
	if errors.As(err, &refused) && refused.Permanent() {
		return PermanentError{err}
	}
	return err
}

func (m *Mailer) compose(message Message) (smtp.Message, error) {
	from, err := netmail.ParseAddress(m.From)
	if err != nil {
		return smtp.Message{}, err
	}
	_, senderDomain, _ := strings.Cut(from.Address, "@")
	content := m.content(message)
	html, err := content.HTML()
	if err != nil {
		return smtp.Message{}, err
	}
	composed := smtp.Message{
		From: m.From, Bounces: m.Bounces.Of(message), To: message.Address, Subject: content.Subject, Date: message.At,
		ID: message.ID + "@" + senderDomain, Text: content.Text(), HTML: html,
		Headers: map[string]string{
			"List-Id":     "<" + strings.ReplaceAll(string(message.Kind), "_", "-") + "." + m.host() + ">",
			"Feedback-ID": string(message.Kind) + ":notification:moothall",
		},
	}
	if _, stop := m.stop(message); stop != "" {
		composed.Headers["List-Unsubscribe"] = "<" + stop + ">"
		composed.Headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
	}
	if a := message.Appointment; a != nil {
		composed.Calendar = &smtp.Calendar{Method: string(a.Method()), Object: a.Message(calendar.Envelope{
			Organizer: from.Address, Name: from.Name, Attendee: message.Address, Sequence: a.Sequence, At: message.At, Pages: m.Pages,
		})}
	}
	if event := message.event(); event != nil {
		composed.Headers["References"] = "<" + event.String() + "@" + senderDomain + ">"
		composed.Headers["In-Reply-To"] = composed.Headers["References"]
	}
	return composed, nil
}

// cancels reports whether a message says that an event is canceled, or that the recipient does not attend.
func (m Message) cancels() bool {
	return m.Kind == notify.EventCanceled || m.Appointment != nil && m.Appointment.Method() == calendar.Cancel
}

// picture returns the picture of a message if it was uploaded. A picture on another host would
// reveal to that host who reads the mail and when.
func (m *Mailer) picture(message Message) *mailtemplate.Cover {
	if m.MediaURL == "" || message.Picture == nil || !strings.HasPrefix(message.Picture.URL, m.MediaURL) {
		return nil
	}
	return message.Picture
}

// event returns the event of a message that is not a digest.
func (m Message) event() *domain.EventID {
	if m.Kind == digestKind {
		return nil
	}
	return m.Items[0].EventID
}

func (m *Mailer) host() string {
	if u, err := url.Parse(m.PageURL); err == nil {
		return u.Hostname()
	}
	return "localhost"
}

func (m *Mailer) unsubscribeURL(s Subject) string { return m.PageURL + m.Tokens.Token(s) }

// stop returns the text id and the URL of the link by which the recipient stops such mails; no URL if nobody can.
func (m *Mailer) stop(message Message) (text, link string) {
	link = m.unsubscribeURL(Subject{User: message.User, Kind: message.Kind})
	switch {
	case message.Answer != "": // all mails of the sender of this e-mail invitation
		return "mail.never", m.AnswerURL + message.Answer + "/never"
	case message.Kind == digestKind:
		return "mail.stop_digest", link
	case policyOf[message.Kind].security:
		return "", ""
	}
	return "mail.stop_kind", link
}

// content returns what a mail shows.
func (m *Mailer) content(message Message) mailtemplate.Mail {
	l, first := notify.LanguageOf(message.Language), message.Items[0]
	content := mailtemplate.Mail{Language: l.String(), Subject: first.Subject, Brand: m.Brand}
	if message.Kind != digestKind {
		content.Cover = m.picture(message)
	}
	for _, item := range message.Items {
		content.Sections = append(content.Sections, m.section(message, item, l))
	}
	if message.Kind == digestKind {
		content.Subject = l.DigestSubject(first.Subject, len(message.Items)-1+message.More)
	}
	if message.More > 0 {
		content.Note = l.Count("mail.more", message.More)
	}
	if text, stop := m.stop(message); stop != "" {
		content.Footer = append(content.Footer, mailtemplate.Link{Text: l.Text(text), URL: stop})
	}
	if event := message.event(); event != nil {
		mute := m.unsubscribeURL(Subject{User: message.User, Event: *event})
		content.Footer = append(content.Footer, mailtemplate.Link{Text: l.Text("mail.mute_event"), URL: mute})
	}
	return content
}

// section returns one notification of a mail.
func (m *Mailer) section(message Message, item notify.Item, l notify.Language) mailtemplate.Section {
	s := mailtemplate.Section{Title: item.Title}
	if d := item.Date; d != nil {
		s.Date = &mailtemplate.Date{Weekday: d.Weekday, Day: d.Day, Month: d.Month}
	}
	if item.Body != nil {
		s.Lines = strings.Split(*item.Body, "\n")
	}
	switch {
	case message.Answer != "":
		s.Button = &mailtemplate.Link{Text: l.Text("mail.answer"), URL: m.AnswerURL + message.Answer}
	case item.Page != "":
		s.Button = &mailtemplate.Link{Text: l.Text("mail.open"), URL: string(m.Pages) + item.Page}
	case item.Href != nil:
		s.Button = &mailtemplate.Link{Text: l.Text("mail.open"), URL: m.WebOrigin + *item.Href}
	}
	if item.Asks && item.EventID != nil {
		leave := m.unsubscribeURL(Subject{User: message.User, Event: *item.EventID, Leave: true})
		s.Actions = []mailtemplate.Link{{Text: l.Text("mail.leave"), URL: leave}}
	}
	return s
}
