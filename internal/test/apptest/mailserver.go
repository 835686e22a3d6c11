package apptest

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// MailServer is an SMTP server on a real socket.
type MailServer struct {
	Address  string
	User     string // required login; empty: none
	Password string

	mu     sync.Mutex
	refuse error // for every recipient
	mails  []ReceivedMail

	missing int           // mails until complete
	held    chan struct{} // closed when complete; nil: no mail is held
}

// ReceivedMail is a mail that a MailServer has accepted.
type ReceivedMail struct{ From, To, Text string }

// NewMailServer starts a server; setup may configure it.
func NewMailServer(t *testing.T, setup func(m *MailServer, s *smtp.Server)) *MailServer {
	t.Helper()
	m := &MailServer{}
	s := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{server: m}, nil }))
	s.Domain, s.EnableSMTPUTF8, s.AllowInsecureAuth = "mail.test", true, true
	s.ErrorLog = discardLogger{}
	if setup != nil {
		setup(m, s)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m.Address = listener.Addr().String()
	ended := make(chan struct{})
	go func() { defer close(ended); _ = s.Serve(listener) }()
	t.Cleanup(func() { _ = s.Close(); <-ended })
	return m
}

type discardLogger struct{}

func (discardLogger) Printf(string, ...any) {}
func (discardLogger) Println(...any)        {}

// Received returns the mails so far.
func (m *MailServer) Received() []ReceivedMail {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mails
}

// Refuse lets the server refuse every recipient, or accept them if err is nil.
func (m *MailServer) Refuse(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuse = err
}

// Hold lets the server answer no mail until it has received n more: so they were sent at the same time.
func (m *MailServer) Hold(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.missing, m.held = n, make(chan struct{})
}

// Release ends Hold.
func (m *MailServer) Release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.missing > 0 {
		m.missing = 0
		close(m.held)
	}
}

// receive stores a mail, and returns a channel that is closed when the mail may be answered; nil: at once.
func (m *MailServer) receive(mail ReceivedMail) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails = append(m.mails, mail)
	if m.missing--; m.missing == 0 {
		close(m.held)
	}
	return m.held
}

type mailSession struct {
	server   *MailServer
	signedIn bool
	mail     ReceivedMail
}

func (s *mailSession) AuthMechanisms() []string {
	if s.server.User == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != s.server.User || password != s.server.Password {
			return errors.New("wrong password")
		}
		s.signedIn = true
		return nil
	}), nil
}

func (s *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	if s.server.User != "" && !s.signedIn {
		return smtp.ErrAuthRequired
	}
	s.mail.From = from
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mail.To = to
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	return s.server.refuse
}

func (s *mailSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err // the client has gone
	}
	s.mail.Text = string(text)
	if held := s.server.receive(s.mail); held != nil {
		<-held
	}
	return nil
}

func (s *mailSession) Reset()        { s.mail = ReceivedMail{} }
func (s *mailSession) Logout() error { return nil }
