package delivery_test

import (
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"moothall/internal/delivery/mail"
	"moothall/internal/platform/db"
	"moothall/internal/platform/seal"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// bouncing is a service whose mails come back to addresses of its own.
type bouncing struct {
	*apptest.App
	t       *testing.T
	server  *apptest.MailServer
	bounces *mail.Bounces
}

func eachBouncing(t *testing.T, engines []db.Engine, test func(t *testing.T, a *bouncing)) {
	t.Helper()
	eachWithServer(t, engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		paths := mail.ReturnPaths{Address: "bounces@example.org", Keys: seal.Keys{Current: []byte(apptest.SecretKey)}}
		test(t, &bouncing{a, t, m, &mail.Bounces{DB: a.DB, Clock: a.Clock.Now, Paths: paths}})
	}, apptest.Setting("MAIL_BOUNCES", "bounces@example.org"))
}

// mailTo sends a notification to a user and returns its return path; empty if it was not sent.
func (a *bouncing) mailTo(name string) string {
	a.t.Helper()
	before := len(a.server.Received())
	canceledFor(a.App, name)
	a.Clock.Advance(2 * time.Minute)
	a.RunJobs()
	for _, m := range a.server.Received()[before:] {
		if m.To == apptest.Email(name) && strings.Contains(m.Text, "List-Unsubscribe") {
			return m.From
		}
	}
	return ""
}

// receive passes a mail to the service.
func (a *bouncing) receive(to, source, want string) {
	a.t.Helper()
	got, err := a.bounces.Receive(a.t.Context(), to, strings.NewReader(source))
	if err != nil || got != want {
		a.t.Errorf("%s: %q, %v; want %q", to, got, err, want)
	}
}

// suppressed reports whether the preferences of a user say that e-mails are not sent.
func (a *bouncing) suppressed(name string) bool {
	a.t.Helper()
	return a.As(name).Get(preferencesPath).Want(200).Get("email.suppressed_at") != nil
}

func bounce(status string) string {
	return "From: MAILER-DAEMON@mx.example.net\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n" +
		"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n" +
		"Final-Recipient: rfc822; ben@example.org\nAction: failed\nStatus: " + status + "\n\n--b--\n"
}

var bouncedStmt = db.SQL("deliver_test.bounced", `SELECT COUNT(*) FROM deliveries WHERE state = 'failed' AND reason = $1`)

// TestHardBounceEndsMails stops e-mails to an address that does not exist, until its user signs
// in by e-mail.
func TestHardBounceEndsMails(t *testing.T) {
	eachBouncing(t, dbtest.RuleEngines, func(t *testing.T, a *bouncing) {
		path := a.mailTo("ann")
		if len(path) > 64+len("@example.org") || !strings.HasPrefix(path, "bounces+") || !strings.HasSuffix(path, "@example.org") {
			t.Fatalf("return path %q", path)
		}
		if a.suppressed("ann") {
			t.Error("suppressed before the bounce")
		}
		a.receive(strings.ToUpper(path), bounce("5.1.1"), "not delivered: bounce 5.1.1")
		if at := a.As("ann").Get(preferencesPath).Want(200).Get("email.suppressed_at"); at != a.Clock.Now().Format(time.RFC3339) ||
			a.suppressed("ben") {
			t.Errorf("suppressed at %v, or ben is", at)
		}
		if got := a.As("ann").Get("/notifications").Want(200).Text("items.0.kind"); got != "email_suppressed" {
			t.Errorf("the latest notification is %s", got)
		}
		if n := a.Count(bouncedStmt, "bounce 5.1.1"); n != 1 {
			t.Errorf("%d deliveries came back", n)
		}
		if metrics := a.Metrics(); !strings.Contains(metrics, `moothall_email_suppressed_last_day 1`) {
			t.Error("the metrics do not count the user")
		}
		if a.mailTo("ann") != "" {
			t.Error("a mail was sent to a suppressed address")
		}
		if !strings.Contains(string(a.As("ann").Get("/me/export").Want(200).Body), `"suppressed_at":"20`) {
			t.Error("the export has no bounce")
		}
		a.SignIn(apptest.Email("ann"))
		if a.suppressed("ann") || a.mailTo("ann") == "" {
			t.Error("suppressed after a sign-in")
		}
		for _, m := range a.server.Received() {
			if strings.Contains(m.Text, "sign-in code") && m.From != "no-reply@example.org" {
				t.Errorf("a sign-in mail comes back to %s", m.From)
			}
		}
	})
}

// dayPassesStmt moves what came back into the past.
var dayPassesStmt = db.SQL("deliver_test.day_passes", `UPDATE email_bounces SET first_at = first_at - 86400000000,
	last_at = last_at - 86400000000`)

// TestBouncesOfSeveralDays suppresses by what came back, and how often.
func TestBouncesOfSeveralDays(t *testing.T) {
	eachBouncing(t, dbtest.RuleEngines, func(t *testing.T, a *bouncing) {
		for i, row := range []struct {
			name     string
			statuses []string // one for each day
			want     bool
		}{
			{"no such domain", []string{"5.1.2"}, true},
			{"disabled mailbox", []string{"5.2.1"}, true},
			{"wrong sender", []string{"5.1.8"}, false},
			{"full on two days", []string{"5.2.2", "5.2.2"}, false},
			{"full or unreachable on three days", []string{"5.2.2", "4.2.2", "4.4.1"}, true},
			{"refused as spam on three days", []string{"5.7.1", "5.7.26", "4.7.0"}, false},
			{"no status on three days", []string{"5.0.0", "", "x"}, false},
		} {
			name := "user" + string(rune('a'+i))
			for _, status := range row.statuses {
				path := a.mailTo(name)
				a.receive(path, bounce(status), strings.TrimSpace("not delivered: bounce "+strings.Trim(status, "x")))
				a.receive(path, bounce(status), "ignored: reported before, or too old")
				a.Exec(dayPassesStmt)
			}
			if a.suppressed(name) != row.want {
				t.Errorf("%s: suppressed is %t", row.name, !row.want)
			}
		}
	})
}

// TestForgedBounces changes nothing of a user whose return paths the sender does not know.
func TestForgedBounces(t *testing.T) {
	eachBouncing(t, dbtest.RuleEngines, func(t *testing.T, a *bouncing) {
		anns, bens := a.mailTo("ann"), a.mailTo("ben")
		name, token, _ := strings.Cut(strings.TrimSuffix(anns, "@example.org"), "+")
		_, other, _ := strings.Cut(strings.TrimSuffix(bens, "@example.org"), "+")
		const ignored = "ignored: not a return path of this service"
		for _, forged := range []string{
			"", "@", "bounces@example.org", "bounces+@example.org", "ann@example.org", "+" + strings.Repeat("a", 52) + "@",
			name + "+" + token[:51] + "@example.org", name + "+" + token + "a@example.org",
			name + "+" + token[:26] + other[26:] + "@example.org", // the user of one, the proof of the other
			name + "+" + strings.Repeat("a", 36) + token[36:] + "@example.org",
		} {
			a.receive(forged, bounce("5.1.1"), ignored)
		}
		a.receive("abuse@example.org", complaintAbout("bounces+"+strings.Repeat("a", 52)+"@example.org"), ignored)
		a.receive(bens, strings.Split(bounce("5.1.1"), "--b")[0], "ignored: reports no failure")
		a.receive(bens, "\x00", "ignored: not a mail")
		a.receive(bens, "From: ann@example.org\nAuto-Submitted: auto-replied\n\nOn holiday", "ignored: reports no failure")
		if a.suppressed("ann") || a.suppressed("ben") {
			t.Error("a forged bounce ends e-mails")
		}
		a.As("ann").Delete("/me").Want(204)
		a.receive(anns, bounce("5.1.1"), "ignored: reported before, or too old")
	})
}

func complaintAbout(path string) string {
	return "From: feedback@example.net\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\n\n" +
		"--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\nOriginal-Mail-From: <" + path + ">\n\n--b--\n"
}

// TestComplaintEndsOptionalMails switches off the kinds that are not about changes of the user's
// own events. The user can switch them on again.
func TestComplaintEndsOptionalMails(t *testing.T) {
	eachBouncing(t, dbtest.RuleEngines, func(t *testing.T, a *bouncing) {
		path := a.mailTo("ann")
		a.receive("abuse@example.org", complaintAbout(path), "complaint")
		a.receive(path, complaintAbout("x@example.org"), "complaint")
		now := a.As("ann").Get(preferencesPath).Want(200)
		for kind, want := range map[string]string{
			"event_announcement email": "off instant", "event_joined email": "off digest", "event_joined push": "instant instant",
			"event_canceled email": "instant instant", "event_reminder email": "instant instant",
		} {
			kind, channel, _ := strings.Cut(kind, " ")
			if got := modeOf(now, kind, channel); got != want {
				t.Errorf("%s %s: %s", kind, channel, got)
			}
		}
		if a.suppressed("ann") || a.mailTo("ann") == "" {
			t.Error("a canceled event is not mailed after a complaint")
		}
	})
}

// TestRefusedAddressEndsMails suppresses an address that the mail server itself refuses.
func TestRefusedAddressEndsMails(t *testing.T) {
	eachBouncing(t, dbtest.RuleEngines, func(t *testing.T, a *bouncing) {
		for name, row := range map[string]struct {
			err  *smtp.SMTPError
			want bool
		}{
			"ann":  {&smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user ann@example.org"}, true},
			"ben":  {&smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "relay access denied"}, false},
			"cora": {&smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 1, 1}, Message: "greylisted"}, false},
		} {
			canceledFor(a.App, name)
			a.server.Refuse(row.err)
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
			a.server.Refuse(nil)
			if a.suppressed(name) != row.want {
				t.Errorf("%s: suppressed is %t", name, !row.want)
			}
		}
	})
}
