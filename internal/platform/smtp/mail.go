// Package mail sends mails through an SMTP server. In development without a server, an Outbox stores
// them and shows them on web pages.
package smtp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wneessen/go-mail"
)

// Transport delivers mails: a Server, a Pool or an Outbox.
type Transport interface {
	// Send returns an error unless the mail was accepted; a RefusalError if the server has refused
	// it. No error contains an address.
	Send(ctx context.Context, m Message) error
}

// Server is an SMTP server.
type Server struct {
	Host           string
	Port           int
	ImplicitTLS    bool // TLS from the first byte; false: STARTTLS
	PlainAllowed   bool // send without TLS if the server offers no STARTTLS
	User, Password string
	TLS            *tls.Config // nil: the root certificates of the system
	DKIM           *Signer     // nil: mails are not signed
	Timeouts       Timeouts    // zero: 5 s and 40 s
}

// Message is a mail to one recipient.
type Message struct {
	From    string // may have a display name: Moothall <no-reply@example.org>
	Bounces string // return path: the address that gets bounces; empty: From
	To      string // the domain must be ASCII (IDNA)
	Subject string
	Text    string
	HTML    string // alternative to Text; empty: none
	// Calendar is a message for the recipient's calendar program (RFC 6047); nil: none.
	Calendar *Calendar
	Date     time.Time
	ID       string            // Message-ID without brackets; empty: a random one
	Headers  map[string]string // further headers, in ASCII
}

// Calendar is an iCalendar object with a method (RFC 5546).
type Calendar struct {
	Method string // of the object
	Object []byte
}

// RefusalError is the response of a server that has refused a mail.
type RefusalError struct {
	Code   int    // of SMTP
	Status string // enhanced status code (RFC 3463) such as 5.1.1; empty: the server gave none
}

// Error implements error. It leaves out the text of the response, which may contain an
// address.
func (r *RefusalError) Error() string {
	return strings.TrimSpace(fmt.Sprintf("the mail server refused the mail: code %d %s", r.Code, r.Status))
}

// Permanent reports whether the server will never accept the mail.
func (r *RefusalError) Permanent() bool { return r.Code >= 500 }

// Timeouts limit the steps of a delivery.
type Timeouts struct {
	Command time.Duration // a connect with its login, the commands before a mail, and all of Server.Send
	Accept  time.Duration // the response to a mail
}

// usualTimeouts wait long for the response to a mail, because the service sends a mail again if the
// response is late.
var usualTimeouts = Timeouts{Command: 5 * time.Second, Accept: 40 * time.Second}

// MaxSend is the longest time that Pool.Send takes: the reset of an idle connection, which then does not answer,
// a connect, the commands, and the response to the mail.
const MaxSend = 60 * time.Second

func (s *Server) limits() Timeouts {
	if s.Timeouts == (Timeouts{}) {
		return usualTimeouts
	}
	return s.Timeouts
}

// Send implements Transport. It uses a connection for this mail only.
func (s *Server) Send(ctx context.Context, m Message) error {
	source, err := s.source(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits().Command)
	defer cancel()
	return within(ctx, func() error {
		c, err := s.connect(ctx)
		if err != nil {
			return err
		}
		defer s.quit(c)
		return s.transmit(c, m, source)
	})
}

// within returns the result of deliver, or an error when ctx ends. deliver then goes on until the
// timeout of its current step.
func within(ctx context.Context, deliver func() error) error {
	done := make(chan error, 1)
	go func() { done <- deliver() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("timeout")
	}
}

// source returns the encoded mail, signed if there is a key.
func (s *Server) source(m Message) ([]byte, error) {
	source, err := m.encode()
	if err != nil || s.DKIM == nil {
		return source, err
	}
	if source, err = s.DKIM.sign(source, m.Headers); err != nil {
		return nil, fmt.Errorf("cannot sign the mail: %w", err)
	}
	return source, nil
}

// The errors of go-mail would contain the addresses.
var (
	errSender    = errors.New("cannot write the mail: the address of the sender is invalid")
	errRecipient = errors.New("cannot write the mail: the address of the recipient is invalid")
)

func (m Message) encode() ([]byte, error) {
	encoded := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if encoded.From(m.From) != nil {
		return nil, errSender
	}
	if encoded.To(m.To) != nil {
		return nil, errRecipient
	}
	encoded.SetDateWithValue(m.Date)
	id := m.ID
	if id == "" {
		id = rand.Text() + "@" + domainOf(encoded.GetFrom()[0].Address) // go-mail would use the host name
	}
	encoded.SetMessageIDWithValue(id)
	encoded.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: suppresses out-of-office replies
	for name, value := range m.Headers {
		encoded.SetGenHeader(mail.Header(name), value)
	}
	encoded.Subject(headerText(m.Subject))
	encoded.SetBodyString(mail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		encoded.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	}
	if m.Calendar != nil {
		m.Calendar.addTo(encoded)
	}
	var source bytes.Buffer
	if _, err := encoded.WriteTo(&source); err != nil {
		return nil, fmt.Errorf("cannot write the mail: %w", err)
	}
	return source.Bytes(), nil
}

// addTo adds the object twice, because programs differ: as the last alternative, whose method is
// that of the object, and as a file.
func (c *Calendar) addTo(m *mail.Msg) {
	alternative := mail.ContentType("text/calendar; method=" + c.Method)
	m.AddAlternativeString(alternative, string(c.Object), mail.WithPartEncoding(mail.EncodingB64))
	m.AttachReadSeeker("invite.ics", bytes.NewReader(c.Object), mail.WithFileContentType("application/ics"))
}

// headerText returns a text for a header. It replaces control characters. It encodes a text that mail
// programs would take for an encoded word (RFC 2047). go-mail encodes other characters.
func headerText(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if !strings.Contains(text, "=?") {
		return text
	}
	const longest = 45 // bytes of an encoded word
	var words []string
	for text != "" {
		end := min(longest, len(text))
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		words = append(words, "=?UTF-8?B?"+base64.StdEncoding.EncodeToString([]byte(text[:end]))+"?=")
		text = text[end:]
	}
	return strings.Join(words, " ")
}
