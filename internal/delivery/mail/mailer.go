package mail

import (
	"bytes"
	"context"
	_ "embed" // mail.html
	"errors"
	"fmt"
	"html/template"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"moothall/internal/core/address"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/calendar"
	"moothall/internal/platform/smtp"
)

// Mailer is the Sender of e-mail.
type Mailer struct {
	Transport smtp.Transport
	From      string // may have a display name
	WebOrigin string // of the web client
	Pages     address.Pages
	PageURL   string // of the unsubscribe page; a token is appended
	MediaURL  string // prefix of the URLs of uploaded pictures; empty: mails show no pictures
	Tokens    Tokens
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

// mailData contains the values of mail.html.
type mailData struct {
	Language string
	Subject  string
	Picture  *Picture
	Items    []mailItem
	More     string // says how many items are left out; empty: none
	Links    []mailLink
}

type mailItem struct {
	Title string
	Lines []string // of the body
	Link  *mailLink
	Leave *mailLink // to give up the seat
}

type mailLink struct{ Text, URL string }

//go:embed mail.html
var mailHTML string

var mailTemplate = template.Must(template.New("mail").Parse(mailHTML))

func (m *Mailer) compose(message Message) (smtp.Message, error) {
	from, err := netmail.ParseAddress(m.From)
	if err != nil {
		return smtp.Message{}, err
	}
	_, senderDomain, _ := strings.Cut(from.Address, "@")
	data := m.data(message)
	var html bytes.Buffer
	if err := mailTemplate.Execute(&html, data); err != nil {
		return smtp.Message{}, err
	}
	composed := smtp.Message{
		From: m.From, Bounces: m.Bounces.Of(message), To: message.Address, Subject: data.Subject, Date: message.At,
		ID: message.ID + "@" + senderDomain, Text: data.text(), HTML: html.String(),
		Headers: map[string]string{
			"List-Id":     "<" + strings.ReplaceAll(string(message.Kind), "_", "-") + "." + m.host() + ">",
			"Feedback-ID": string(message.Kind) + ":notification:moothall",
		},
	}
	if message.stoppable() {
		composed.Headers["List-Unsubscribe"] = "<" + m.unsubscribeURL(Subject{User: message.User, Kind: message.Kind}) + ">"
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

// stoppable reports whether the recipient can switch off messages of this kind.
func (m Message) stoppable() bool { return !policyOf[m.Kind].security }

// picture returns the picture of a message if it was uploaded. A picture on another host would
// reveal to that host who reads the mail and when.
func (m *Mailer) picture(message Message) *Picture {
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

func (m *Mailer) data(message Message) mailData {
	l := notify.LanguageOf(message.Language)
	data := mailData{Language: l.String(), Subject: message.Items[0].Subject, Picture: m.picture(message)}
	stop := "mail.stop_kind"
	if message.Kind == digestKind {
		data.Picture = nil
		data.Subject, stop = l.Count("mail.digest", len(message.Items)+message.More), "mail.stop_digest"
	}
	for _, item := range message.Items {
		one := mailItem{Title: item.Title}
		if item.Body != nil {
			one.Lines = strings.Split(*item.Body, "\n")
		}
		switch {
		case item.Page != "":
			one.Link = &mailLink{l.Text("mail.open"), string(m.Pages) + item.Page}
		case item.Href != nil:
			one.Link = &mailLink{l.Text("mail.open"), m.WebOrigin + *item.Href}
		}
		if item.Asks && item.EventID != nil {
			one.Leave = &mailLink{l.Text("mail.leave"), m.unsubscribeURL(Subject{User: message.User, Event: *item.EventID, Leave: true})}
		}
		data.Items = append(data.Items, one)
	}
	if message.More > 0 {
		data.More = l.Count("mail.more", message.More)
	}
	if message.stoppable() {
		data.Links = append(data.Links, mailLink{l.Text(stop), m.unsubscribeURL(Subject{User: message.User, Kind: message.Kind})})
	}
	if event := message.event(); event != nil {
		data.Links = append(data.Links, mailLink{l.Text("mail.mute_event"), m.unsubscribeURL(Subject{User: message.User, Event: *event})})
	}
	return data
}

// text returns the mail as plain text.
func (d mailData) text() string {
	var b strings.Builder
	for _, item := range d.Items {
		b.WriteString(item.Title + "\n")
		for _, line := range item.Lines {
			b.WriteString(line + "\n")
		}
		if item.Link != nil {
			b.WriteString(item.Link.URL + "\n")
		}
		if item.Leave != nil {
			b.WriteString(item.Leave.Text + ": " + item.Leave.URL + "\n")
		}
		b.WriteString("\n")
	}
	if d.More != "" {
		b.WriteString(d.More + "\n\n")
	}
	if len(d.Links) > 0 {
		b.WriteString("-- \n")
	}
	for _, link := range d.Links {
		fmt.Fprintf(&b, "%s: %s\n", link.Text, link.URL)
	}
	return b.String()
}
