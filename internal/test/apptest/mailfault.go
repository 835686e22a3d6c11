package apptest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// MailFault is what a FaultyMailServer does wrong, once in each connection.
type MailFault struct {
	// At is a command (EHLO, which includes HELO, MAIL, RCPT, DATA, QUIT), or "greeting", or "end" after the mail.
	At string
	// Do is a response; or "hang", "drop" (the connection), "drip" (a byte at a time), "endless" (a
	// response without end), or "accept and drop".
	Do string
}

// FaultyMailServer is an SMTP server on a real socket that can be made to fail.
type FaultyMailServer struct {
	Address   string
	Pipelines bool // offers PIPELINING (RFC 2920)

	mu       sync.Mutex
	fault    MailFault
	open     map[net.Conn]struct{}
	accepted []string // mails
	written  int      // bytes of the longest endless response
	opened   int      // connections
}

// NewFaultyMailServer starts a server without a fault.
func NewFaultyMailServer(t *testing.T) *FaultyMailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &FaultyMailServer{Address: listener.Addr().String(), open: map[net.Conn]struct{}{}}
	var all sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); s.Fail(MailFault{}); all.Wait() })
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open[conn] = struct{}{}
			s.opened++
			s.mu.Unlock()
			all.Go(func() { s.serve(conn); s.close(conn) })
		}
	})
	return s
}

func (s *FaultyMailServer) close(conn net.Conn) {
	_ = conn.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, conn)
}

// Fail gives the server a fault, and ends its connections. The zero MailFault ends the fault.
func (s *FaultyMailServer) Fail(f MailFault) {
	s.Change(f)
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		_ = conn.Close()
	}
}

// Change gives the server a fault, also on its open connections.
func (s *FaultyMailServer) Change(f MailFault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// Accepted returns the mails that the server has accepted.
func (s *FaultyMailServer) Accepted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepted
}

// Opened returns how many connections the server has accepted.
func (s *FaultyMailServer) Opened() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opened
}

// Written returns the bytes of the longest endless response.
func (s *FaultyMailServer) Written() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.written
}

// serve reads commands. After a refused MAIL or RCPT it accepts no mail until RSET, but reads the content, as RFC 2920 allows.
func (s *FaultyMailServer) serve(conn net.Conn) {
	lines, refused := bufio.NewReader(conn), false
	if !s.respond(conn, "greeting", "220 mail.test") {
		return
	}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		command := strings.ToUpper(strings.TrimSpace(line))
		if len(command) > 4 {
			command = command[:4]
		}
		response, faulty := "250 ok", s.isFaulty(command)
		switch command {
		case "EHLO":
			if s.Pipelines {
				response = "250-mail.test\r\n250 PIPELINING"
			}
		case "MAIL", "RCPT":
			if refused {
				response = "503 bad sequence of commands"
			}
			refused = refused || faulty
		case "RSET":
			refused = false
		case "DATA":
			response = "354 go on"
		case "QUIT":
			response = "221 bye"
		}
		if !s.respond(conn, command, response) {
			return
		}
		if command == "DATA" && !faulty && !s.receive(conn, lines, refused) {
			return
		}
	}
}

// receive reads a mail and reports whether the connection goes on.
func (s *FaultyMailServer) receive(conn net.Conn, lines *bufio.Reader, refused bool) bool {
	var mail strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return false
		}
		if line == ".\r\n" {
			break
		}
		mail.WriteString(line)
	}
	if refused {
		_, err := io.WriteString(conn, "554 no valid recipients\r\n")
		return err == nil
	}
	s.mu.Lock()
	if s.fault.At != "end" || s.fault.Do == "accept and drop" {
		s.accepted = append(s.accepted, mail.String())
	}
	s.mu.Unlock()
	return s.respond(conn, "end", "250 accepted")
}

func (s *FaultyMailServer) isFaulty(command string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault.At == command
}

// respond writes a response, or what the fault says. It reports whether the connection goes on.
func (s *FaultyMailServer) respond(conn net.Conn, at, response string) bool {
	s.mu.Lock()
	f := s.fault
	s.mu.Unlock()
	if f.At != at && (f.At != "EHLO" || at != "HELO") {
		_, err := fmt.Fprintf(conn, "%s\r\n", response)
		return err == nil
	}
	switch f.Do {
	case "drop":
	case "accept and drop":
		_, _ = fmt.Fprintf(conn, "%s\r\n", response)
	case "hang":
		_, _ = io.Copy(io.Discard, conn) // until the client ends the connection
	case "drip":
		for i := 0; ; i++ {
			if _, err := conn.Write([]byte{(response + strings.Repeat("x", i))[i]}); err != nil {
				return false
			}
			time.Sleep(10 * time.Millisecond)
		}
	case "endless":
		s.writeForever(conn, response[:3])
	default:
		_, err := fmt.Fprintf(conn, "%s\r\n", f.Do)
		return err == nil && !strings.HasPrefix(f.Do, "421")
	}
	return false
}

func (s *FaultyMailServer) writeForever(conn net.Conn, code string) {
	written := 0
	for {
		n, err := io.WriteString(conn, strings.Repeat(code+"-more\r\n", 1000))
		written += n
		if err != nil {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written = max(s.written, written)
}
