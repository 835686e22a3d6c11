package delivery_test

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// mailsOf returns the notifications that a server has accepted for a user.
func mailsOf(m *apptest.FaultyMailServer, name string) (n int) {
	for _, mail := range m.Accepted() {
		if strings.Contains(mail, "To: <"+apptest.Email(name)+">") && strings.Contains(mail, "List-Unsubscribe") {
			n++
		}
	}
	return n
}

// TestMailSurvivesServerFaults tries a mail again after each fault of the server, and sends it
// once. LONG_TESTS lets the server hang at every step.
func TestMailSurvivesServerFaults(t *testing.T) {
	const (
		again = iota // after a minute
		once         // at the first attempt
		never
	)
	rows := []struct {
		fault apptest.MailFault
		want  int
	}{
		{apptest.MailFault{At: "greeting", Do: "hang"}, again},
		{apptest.MailFault{At: "greeting", Do: "421 4.3.2 too many connections"}, again},
		{apptest.MailFault{At: "EHLO", Do: "endless"}, again},
		{apptest.MailFault{At: "MAIL", Do: "drop"}, again},
		{apptest.MailFault{At: "RCPT", Do: "451 4.3.0 later"}, again},
		{apptest.MailFault{At: "RCPT", Do: "550 5.7.1 no"}, never},
		{apptest.MailFault{At: "end", Do: "drop"}, again},
		{apptest.MailFault{At: "end", Do: "421 4.3.2 closing"}, again},
		{apptest.MailFault{At: "end", Do: "451 4.3.0 later"}, again},
		{apptest.MailFault{At: "end", Do: "554 5.6.0 no"}, never},
		{apptest.MailFault{At: "end", Do: "accept and drop"}, once},
		{apptest.MailFault{At: "QUIT", Do: "hang"}, once},
	}
	if testutil.Long() {
		for _, at := range []string{"EHLO", "MAIL", "RCPT", "DATA", "end"} {
			rows = append(rows, struct {
				fault apptest.MailFault
				want  int
			}{apptest.MailFault{At: at, Do: "hang"}, again})
		}
	}
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m := apptest.NewFaultyMailServer(t)
			a := apptest.New(t, engine, withServer(&apptest.MailServer{Address: m.Address})...)
			for i, row := range rows {
				name := "user" + string(rune('a'+i))
				canceledFor(a, name)
				m.Fail(row.fault)
				a.Clock.Advance(2 * time.Minute)
				a.RunJobs()
				if got := mailsOf(m, name); (got == 1) != (row.want == once) {
					t.Errorf("%+v: %d mails at the first attempt", row.fault, got)
				}
				m.Fail(apptest.MailFault{})
				a.Clock.Advance(time.Minute)
				a.RunJobs()
				a.Clock.Advance(10 * time.Minute)
				a.RunJobs()
				if got := mailsOf(m, name); (got == 1) != (row.want != never) {
					t.Errorf("%+v: %d mails", row.fault, got)
				}
			}
			testutil.Fault(t, "a mail server that fails or hangs", "%d faults, each mail was sent once or given up after a 5xx", len(rows))
		})
	}
}
