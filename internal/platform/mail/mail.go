// Package mail sends mails through an SMTP server. In development without one, an Outbox
// stores them for a page.
package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// Transport delivers mails: a Server, a Pool or an Outbox.
type Transport interface {
	// Send returns an error unless the mail was accepted; a Refusal if the server has refused
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
}

// Message is a mail to one recipient.
type Message struct {
	From    string // may have a display name: Moothall <no-reply@example.org>
	To      string // the domain must be ASCII (IDNA)
	Subject string
	Text    string
	HTML    string // the same as Text; empty: none
	Date    time.Time
	ID      string            // Message-ID without brackets; empty: a random one
	Headers map[string]string // further headers, in ASCII
}

// Refusal is the response of a server that has refused a mail.
type Refusal struct{ Code int }

// Error implements error. It leaves out the text of the response, which may contain an
// address.
func (r *Refusal) Error() string {
	return fmt.Sprintf("the mail server refused the mail: code %d", r.Code)
}

// Permanent reports whether the server will never accept the mail.
func (r *Refusal) Permanent() bool { return r.Code >= 500 }

const (
	// timeout limits a connect, the commands before a mail, and all of Server.Send.
	timeout = 5 * time.Second
	// acceptTimeout limits the wait for the response to a mail. It is long, because a mail
	// whose response comes too late is sent twice.
	acceptTimeout = 45 * time.Second
)

// Send implements Transport. It uses a connection for this mail only.
func (s *Server) Send(ctx context.Context, m Message) error {
	source, err := s.source(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return within(ctx, func() error {
		c, err := s.connect(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Quit() }() // the server has accepted the mail
		return transmit(c, m, source)
	})
}

// within runs a delivery, whose steps each have a timeout of their own, until ctx ends.
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

// source returns the mail as a server gets it, signed if there is a key.
func (s *Server) source(m Message) ([]byte, error) {
	source, err := m.encode()
	if err == nil && s.DKIM != nil {
		source, err = s.DKIM.sign(source, m.Headers)
	}
	if err != nil {
		return nil, errors.New("cannot write the mail")
	}
	return source, nil
}

func (m Message) encode() ([]byte, error) {
	encoded := mail.NewMsg()
	if err := errors.Join(encoded.From(m.From), encoded.To(m.To)); err != nil {
		return nil, err
	}
	encoded.SetDateWithValue(m.Date)
	if m.ID == "" {
		encoded.SetMessageID()
	} else {
		encoded.SetMessageIDWithValue(m.ID)
	}
	encoded.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: suppresses out-of-office replies
	for name, value := range m.Headers {
		encoded.SetGenHeader(mail.Header(name), value)
	}
	encoded.Subject(headerText(m.Subject))
	encoded.SetBodyString(mail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		encoded.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	}
	var source bytes.Buffer
	_, err := encoded.WriteTo(&source)
	return source.Bytes(), err
}

// headerText returns a text for a header. It replaces control characters, and encodes what
// readers would take for an encoded word (RFC 2047). go-mail encodes other characters.
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
	for len(text) > 0 {
		end := min(longest, len(text))
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end--
		}
		words = append(words, "=?UTF-8?B?"+base64.StdEncoding.EncodeToString([]byte(text[:end]))+"?=")
		text = text[end:]
	}
	return strings.Join(words, " ")
}

// connect opens a connection and signs in.
func (s *Server) connect(ctx context.Context) (*smtp.Client, error) {
	client, err := s.client()
	if err != nil {
		return nil, err
	}
	c, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return nil, errors.New("cannot connect to the mail server: network, TLS or login failed")
	}
	return c, nil
}

// transmit sends one mail on a connection. After an error the connection must be closed,
// unless it is a Refusal.
func transmit(c *smtp.Client, m Message, source []byte) error {
	from, err := netmail.ParseAddress(m.From)
	if err != nil {
		return errors.New("cannot write the mail")
	}
	if err := c.UpdateDeadline(timeout); err != nil {
		return errLost
	}
	if err := c.Mail("<" + from.Address + ">"); err != nil {
		return refusal(err)
	}
	if err := c.Rcpt("<" + m.To + ">"); err != nil {
		return refusal(err)
	}
	w, err := c.Data()
	if err != nil {
		return refusal(err)
	}
	if _, err := w.Write(source); err != nil {
		return errLost
	}
	if err := c.UpdateDeadline(acceptTimeout); err != nil {
		return errLost
	}
	return refusal(w.Close())
}

var errLost = errors.New("the connection to the mail server was lost")

// refusal removes the text of the server's response.
func refusal(err error) error {
	var response *textproto.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &response):
		return &Refusal{response.Code}
	}
	return errLost
}

func (s *Server) client() (*mail.Client, error) {
	options := []mail.Option{mail.WithPort(s.Port), mail.WithTimeout(timeout), mail.WithTLSPolicy(mail.TLSMandatory)}
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
