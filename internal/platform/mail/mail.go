// Package mail sends mails through an SMTP server. In development without one, an Outbox
// stores them for a page.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"time"

	"github.com/wneessen/go-mail"
)

// Transport delivers mails: a Server or an Outbox.
type Transport interface {
	// Send returns an error unless the mail was accepted. No error contains an address.
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
}

// Message is a mail to one recipient.
type Message struct {
	From    string // may have a display name: Moothall <no-reply@example.org>
	To      string // the domain must be ASCII (IDNA)
	Subject string
	Text    string
	HTML    string // the same as Text; empty: none
	Date    time.Time
}

// timeout limits the delivery of one mail.
const timeout = 5 * time.Second

// Send implements Transport.
func (s *Server) Send(ctx context.Context, m Message) error {
	encoded, err := m.encode()
	if err != nil {
		return errors.New("cannot write the mail")
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.deliver(ctx, encoded) }() // the timeout of go-mail is per step
	select {
	case err = <-done:
		return err
	case <-ctx.Done():
		return errors.New("timeout")
	}
}

func (m Message) encode() (*mail.Msg, error) {
	encoded := mail.NewMsg()
	if err := errors.Join(encoded.From(m.From), encoded.To(m.To)); err != nil {
		return nil, err
	}
	encoded.SetDateWithValue(m.Date)
	encoded.SetMessageID()
	encoded.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: suppresses out-of-office replies
	encoded.Subject(m.Subject)
	encoded.SetBodyString(mail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		encoded.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	}
	return encoded, nil
}

func (s *Server) deliver(ctx context.Context, m *mail.Msg) error {
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
