package smtp

import (
	"errors"
	netmail "net/mail"
	"net/textproto"
	"regexp"
	"slices"
	"strings"

	"github.com/wneessen/go-mail/smtp"
)

// transmit sends one mail on a connection. After an error the connection must be closed, unless keepsOpen.
func (s *Server) transmit(c *smtp.Client, m Message, source []byte) error {
	if err := s.begin(c, m); err != nil {
		return err
	}
	return s.finish(c, source)
}

// command is a command of SMTP and the code of the response that accepts it. A code of two digits stands for all that begin with it.
type command struct {
	line string
	code int
}

// begin sends the commands before the content of a mail. They go together if the server offers PIPELINING (RFC 2920),
// else each waits for the response to the one before.
func (s *Server) begin(c *smtp.Client, m Message) error {
	sender, err := m.sender()
	if err != nil {
		return err
	}
	if err := c.UpdateDeadline(s.limits().Command); err != nil {
		return errLost
	}
	offers := func(extension string) bool { offered, _ := c.Extension(extension); return offered }
	from := "MAIL FROM:<" + sender + ">"
	if offers("8BITMIME") {
		from += " BODY=8BITMIME"
	}
	if offers("SMTPUTF8") {
		from += " SMTPUTF8"
	}
	all := []command{{from, 250}, {"RCPT TO:<" + m.To + ">", 25}, {"DATA", 354}}
	together := 1
	if offers("PIPELINING") {
		together = len(all)
	}
	for some := range slices.Chunk(all, together) {
		if err := exchange(c.Text, some); err != nil {
			return refusal(err)
		}
	}
	return nil
}

// errLine is the error of an address that would be further commands.
var errLine = errors.New("an address contains the end of a line")

// exchange sends commands together and reads their responses. It returns the first error.
func exchange(c *textproto.Conn, all []command) (first error) {
	for _, one := range all {
		if strings.ContainsAny(one.line, "\r\n") {
			return errLine
		}
	}
	for _, one := range all {
		_, _ = c.W.WriteString(one.line + "\r\n") // Flush returns the error
	}
	if err := c.W.Flush(); err != nil {
		return err
	}
	var err error
	for _, one := range all {
		_, _, err = c.ReadResponse(one.code)
		if first == nil {
			first = err
		}
		if !isResponse(err) {
			return first
		}
	}
	if first != nil && err == nil { // the server awaits the content, although it has refused the sender or the recipient
		_ = exchange(c, []command{{".", 250}})
	}
	return first
}

// isResponse reports whether the server has responded, be it with a refusal.
func isResponse(err error) bool {
	var refused *textproto.Error
	return err == nil || errors.As(err, &refused)
}

// finish sends the content of a mail after begin.
func (s *Server) finish(c *smtp.Client, content []byte) error {
	w := c.Text.DotWriter()
	if _, err := w.Write(content); err != nil {
		return errLost
	}
	if err := w.Close(); err != nil {
		return errLost
	}
	if err := c.UpdateDeadline(s.limits().Accept); err != nil {
		return errLost
	}
	_, _, err := c.Text.ReadResponse(250)
	return refusal(err)
}

// sender returns the address of the envelope.
func (m Message) sender() (string, error) {
	if m.Bounces != "" {
		return m.Bounces, nil
	}
	from, err := netmail.ParseAddress(m.From)
	if err != nil {
		return "", errSender
	}
	return from.Address, nil
}

var errLost = errors.New("the connection to the mail server was lost")

// enhancedStatus is the enhanced status code at the beginning of a response.
var enhancedStatus = regexp.MustCompile(`^[245]\.\d{1,3}\.\d{1,3}\b`)

// refusal removes the text of the server's response.
func refusal(err error) error {
	var response *textproto.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &response):
		return &RefusalError{response.Code, enhancedStatus.FindString(response.Msg)}
	}
	return errLost
}

// keepsOpen reports whether the connection can be used after an attempt to send a mail.
func keepsOpen(err error) bool {
	var refused *RefusalError
	return err == nil || errors.As(err, &refused) && refused.Code != 421
}
