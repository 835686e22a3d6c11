package delivery_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/smtp"
	"moothall/internal/test/apptest"
)

// TestServerFaults sends a mail to a server with each fault at each step, then to the server
// without it. Every attempt ends, and the mail is sent once.
func TestServerFaults(t *testing.T) {
	steps := []string{"greeting", "EHLO", "MAIL", "RCPT", "DATA", "end"}
	faults := map[string]int{ // the code of the RefusalError; 0: none
		"drop": 0, "hang": 0, "drip": 0, "endless": 0, "nonsense": 0,
		"421 4.3.2 closing": 421, "451 4.3.0 later, ann@example.org": 451, "550 5.1.1 no ann@example.org": 550,
	}
	for _, at := range steps {
		for do, code := range faults {
			if at == "end" && do == "drip" {
				continue // a line that begins with 250 accepts the mail, whether it ends or not
			}
			test := func(t *testing.T, pipelines bool) {
				t.Parallel()
				m := apptest.NewFaultyMailServer(t)
				m.Pipelines = pipelines
				s := faultyServerOf(t, m)
				if do == "hang" || do == "drip" {
					s.Timeouts = smtp.Timeouts{Command: 300 * time.Millisecond, Accept: 300 * time.Millisecond}
				}
				pool := smtp.NewPool(s, 1)
				m.Fail(apptest.MailFault{At: at, Do: do})
				for _, to := range []smtp.Transport{s, pool} {
					err := to.Send(t.Context(), message())
					var refused *smtp.RefusalError
					if err == nil || strings.Contains(err.Error(), "ann@") {
						t.Fatalf("the error is %v", err)
					}
					if connected := at != "greeting" && at != "EHLO"; connected && errors.As(err, &refused) != (code != 0) || refused != nil &&
						refused.Code != code {
						t.Errorf("%v", err)
					}
				}
				if n := len(m.Accepted()); n != 0 {
					t.Errorf("%d mails were accepted", n)
				}
				if n := m.Written(); n > 64<<20 {
					t.Errorf("the client read %d bytes", n)
				}
				m.Fail(apptest.MailFault{})
				for tries := 1; pool.Send(t.Context(), message()) != nil; tries++ { // a busy machine may need more than one
					if tries == 20 {
						t.Fatal("the server works again, but no mail is sent")
					}
				}
				if n := len(m.Accepted()); n == 0 {
					t.Error("no mail was accepted")
				}
			}
			t.Run(at+" "+do, func(t *testing.T) { test(t, false) })
			t.Run("pipelined "+at+" "+do, func(t *testing.T) { test(t, true) })
		}
	}
}

// TestPoolReplacesEndedConnection sends a mail after the server has ended the idle connection.
func TestPoolReplacesEndedConnection(t *testing.T) {
	for _, pipelines := range []bool{false, true} {
		m := apptest.NewFaultyMailServer(t)
		m.Pipelines = pipelines
		pool := smtp.NewPool(faultyServerOf(t, m), 1)
		for n := range 3 {
			if err := pool.Send(t.Context(), message()); err != nil {
				t.Error(err)
			}
			if got := len(m.Accepted()); got != n+1 {
				t.Errorf("%d mails, want %d", got, n+1)
			}
			m.Fail(apptest.MailFault{})
		}
	}
}

// TestPoolKeepsConnectionAfterRefusal sends a mail on the connection on which the server has refused a sender or a recipient.
func TestPoolKeepsConnectionAfterRefusal(t *testing.T) {
	for _, pipelines := range []bool{false, true} {
		m := apptest.NewFaultyMailServer(t)
		m.Pipelines = pipelines
		pool := smtp.NewPool(faultyServerOf(t, m), 1)
		for n, at := range []string{"MAIL", "RCPT", "DATA"} {
			m.Change(apptest.MailFault{At: at, Do: "550 5.1.1 no"})
			var refused *smtp.RefusalError
			if err := pool.Send(t.Context(), message()); !errors.As(err, &refused) || refused.Code != 550 {
				t.Errorf("%s: %v", at, err)
			}
			m.Change(apptest.MailFault{})
			if err := pool.Send(t.Context(), message()); err != nil {
				t.Errorf("after %s: %v", at, err)
			}
			if got := len(m.Accepted()); got != n+1 {
				t.Errorf("after %s: %d mails, want %d", at, got, n+1)
			}
		}
		if n := m.Opened(); n != 1 {
			t.Errorf("%d connections", n)
		}
	}
}

// TestDotsArrive sends lines that begin with dots, which would end the mail.
func TestDotsArrive(t *testing.T) {
	m := apptest.NewFaultyMailServer(t)
	one := message()
	one.Text = "first\n.\n..second\n.third"
	if err := faultyServerOf(t, m).Send(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if got := m.Accepted(); len(got) != 1 || !strings.HasSuffix(strings.TrimSpace(got[0]), "first\r\n..\r\n...second\r\n..third") {
		t.Errorf("%q", got)
	}
}

// TestAcceptedMailIsNotSentAgain accepts a mail, then ends the connection or does not answer.
func TestAcceptedMailIsNotSentAgain(t *testing.T) {
	for _, fault := range []apptest.MailFault{{At: "end", Do: "accept and drop"}, {At: "QUIT", Do: "hang"}, {At: "QUIT", Do: "drop"},
		{At: "QUIT", Do: "endless"}} {
		m := apptest.NewFaultyMailServer(t)
		s := faultyServerOf(t, m)
		m.Fail(fault)
		for _, to := range []smtp.Transport{s, smtp.NewPool(s, 0), smtp.NewPool(s, 1)} {
			if err := to.Send(t.Context(), message()); err != nil {
				t.Errorf("%+v: %v", fault, err)
			}
		}
		if n := len(m.Accepted()); n != 3 {
			t.Errorf("%+v: %d mails", fault, n)
		}
	}
}

func faultyServerOf(t *testing.T, m *apptest.FaultyMailServer) *smtp.Server {
	t.Helper()
	address, err := netip.ParseAddrPort(m.Address)
	if err != nil {
		t.Fatal(err)
	}
	return &smtp.Server{Host: address.Addr().String(), Port: int(address.Port()), PlainAllowed: true}
}
