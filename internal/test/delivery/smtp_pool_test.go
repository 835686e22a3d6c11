package delivery_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// faultyServer is an SMTP server whose response to each mail is given.
type faultyServer struct {
	*smtp.Server
	mu          sync.Mutex
	responses   []string // to the next mails; "drop" closes the connection; empty: accept
	accepted    int
	connections int
}

func newFaultyServer(t *testing.T) *faultyServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &faultyServer{Server: &smtp.Server{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port, PlainAllowed: true}}
	var all sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); all.Wait() })
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(t.Context(), func() { _ = conn.Close() })
			all.Go(func() { s.serve(conn) })
		}
	})
	return s
}

// respond sets the responses to the next mails.
func (s *faultyServer) respond(responses ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.responses = responses
}

func (s *faultyServer) next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.responses) == 0 {
		s.accepted++
		return "250 accepted"
	}
	first := s.responses[0]
	s.responses = s.responses[1:]
	return first
}

func (s *faultyServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	s.mu.Lock()
	s.connections++
	s.mu.Unlock()
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 test")
	lines := bufio.NewScanner(conn)
	inData := false
	for lines.Scan() {
		switch line := lines.Text(); {
		case inData && line == ".":
			inData = false
			response := s.next()
			if response == "drop" {
				return
			}
			say(response)
			if strings.HasPrefix(response, "421") {
				return
			}
		case inData:
		case strings.HasPrefix(line, "DATA"):
			inData = true
			say("354 go on")
		case strings.HasPrefix(line, "QUIT"):
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func message() smtp.Message {
	return smtp.Message{From: "Moothall <no-reply@example.org>", To: "ann@example.org", Subject: "Hello", Text: "Hello", Date: time.Unix(0, 0),
		ID: "1@example.org"}
}

// TestMailsDoNotNameLibrary reads the headers of a mail.
func TestMailsDoNotNameLibrary(t *testing.T) {
	server := apptest.NewMailServer(t, nil)
	if err := smtp.NewPool(serverOf(t, server), 1).Send(t.Context(), message()); err != nil {
		t.Fatal(err)
	}
	source := strings.ToLower(server.Received()[0].Text)
	for _, header := range []string{"user-agent:", "x-mailer:", "go-mail"} {
		if strings.Contains(source, header) {
			t.Errorf("the mail has %s\n%s", header, source)
		}
	}
}

// TestPoolReusesConnections sends 20 mails on one connection.
func TestPoolReusesConnections(t *testing.T) {
	s := newFaultyServer(t)
	pool := smtp.NewPool(s.Server, 1)
	for range 41 {
		if err := pool.Send(t.Context(), message()); err != nil {
			t.Fatal(err)
		}
	}
	if s.accepted != 41 || s.connections != 3 {
		t.Errorf("%d mails on %d connections", s.accepted, s.connections)
	}
}

// TestPoolSurvivesFaults sends a mail after each fault.
func TestPoolSurvivesFaults(t *testing.T) {
	s := newFaultyServer(t)
	pool := smtp.NewPool(s.Server, 1)
	for _, row := range []struct {
		response  string
		permanent bool
		code      int // 0: no RefusalError
	}{
		{"421 4.3.2 closing", false, 421},
		{"451 4.3.0 try later ann@example.org", false, 451},
		{"552 5.2.2 mailbox of ann@example.org is full", true, 552},
		{"drop", false, 0},
		{"nonsense", false, 0},
	} {
		s.respond(row.response)
		err := pool.Send(t.Context(), message())
		var refused *smtp.RefusalError
		if errors.As(err, &refused) != (row.code != 0) || refused != nil && (refused.Code != row.code || refused.Permanent() != row.permanent) {
			t.Errorf("%s: %v", row.response, err)
		}
		if err == nil || strings.Contains(err.Error(), "ann@") {
			t.Errorf("%s: the error is %v", row.response, err)
		}
		if err := pool.Send(t.Context(), message()); err != nil {
			t.Errorf("after %s: %v", row.response, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accepted != 5 {
		t.Errorf("%d mails were accepted", s.accepted)
	}
}

// TestMessageIDHasTheDomainOfTheSender checks that a Message-ID does not reveal the name of the machine.
func TestMessageIDHasTheDomainOfTheSender(t *testing.T) {
	m := apptest.NewFaultyMailServer(t)
	one := message()
	one.ID = ""
	if err := faultyServerOf(t, m).Send(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if got := m.Accepted()[0]; !regexp.MustCompile(`(?m)^Message-ID: <[A-Z0-9]{20,}@example\.org>\r$`).MatchString(got) {
		t.Error(got)
	}
}

func serverOf(t *testing.T, s *apptest.MailServer) *smtp.Server {
	t.Helper()
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return &smtp.Server{Host: host, Port: number, PlainAllowed: true}
}

// TestInvalidAddressIsNamedByRole sends mails with invalid addresses. The errors say which one, but do not contain it.
func TestInvalidAddressIsNamedByRole(t *testing.T) {
	for want, change := range map[string]func(m *smtp.Message){
		"cannot write the mail: the address of the sender is invalid":    func(m *smtp.Message) { m.From = "ann.example.org" },
		"cannot write the mail: the address of the recipient is invalid": func(m *smtp.Message) { m.To = "ann.example.org" },
	} {
		m := message()
		change(&m)
		if err := newFaultyServer(t).Send(t.Context(), m); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
