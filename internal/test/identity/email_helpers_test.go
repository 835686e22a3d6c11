package identity_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// pagePath is the path of the page that links open.
const pagePath = "/login/confirm"

// emailStart starts a sign-in for an address.
func emailStart(c *apptest.Client, email string) *apptest.Reply {
	return c.Post("/auth/email/start", apptest.Fields{"email": email})
}

func emailVerify(c *apptest.Client, email, code, challenge string) *apptest.Reply {
	return c.Post("/auth/email/verify", apptest.Fields{"email": email, "code": code, "challenge": challenge})
}

func emailStatus(c *apptest.Client, challenge string) *apptest.Reply {
	return c.Post("/auth/email/status", apptest.Fields{"challenge": challenge})
}

// attempt is a sign-in that has started, and what the user finds in the mail.
type attempt struct {
	email             string
	challenge, number string
	code, link        string // of the mail
}

var (
	codeInMail = regexp.MustCompile(`\b\d{6}\b`)
	linkInMail = regexp.MustCompile(regexp.QuoteMeta(apptest.WebOrigin+pagePath+"?c=") + `(el_[A-Za-z0-9_-]{43})`)
)

// begun starts a sign-in and reads its mail.
func begun(t *testing.T, a *apptest.App, email string) attempt {
	t.Helper()
	return read(t, a, email, emailStart(a.Anonymous(), email).Want(http.StatusOK))
}

// read returns the sign-in of a response and its mail.
func read(t *testing.T, a *apptest.App, email string, started *apptest.Reply) attempt {
	t.Helper()
	m := a.Mail(email)
	link := linkInMail.FindStringSubmatch(m.Text)
	if link == nil {
		t.Fatalf("no link in %s", m.Text)
	}
	return attempt{email: email, challenge: started.Text("challenge"), number: started.Text("number"), code: codeInMail.FindString(m.Text),
		link: link[1]}
}

// emailVerify exchanges the code.
func (s attempt) verify(c *apptest.Client) *apptest.Reply {
	return emailVerify(c, s.email, s.code, s.challenge)
}

// browser returns a browser with the cookie of a challenge.
func browser(a *apptest.App, challenge string) *apptest.Client {
	return a.Anonymous().With("Cookie", "__Host-email_sign_in="+challenge)
}

// confirm presses the button of the page of the link.
func (s attempt) confirm(c *apptest.Client, number string) *apptest.Reply {
	return c.Form(pagePath, url.Values{"c": {s.link}, "number": {number}})
}

// open opens the link.
func (s attempt) open(c *apptest.Client) *apptest.Reply { return c.Get(pagePath + "?c=" + s.link) }

// other returns another text of the same number of digits, a different one for each n.
func other(digits string, n int) string {
	var value, all int
	_, _ = fmt.Sscanf(digits, "%d", &value)
	for all = 1; len(fmt.Sprint(all)) <= len(digits); all *= 10 {
	}
	return fmt.Sprintf("%0*d", len(digits), (value+1+n)%all)
}

var (
	emailSuspendStmt  = db.SQL("emailsignin_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	emailSessionsStmt = db.SQL("emailsignin_test.sessions", `SELECT COUNT(*) FROM sessions`)
	mailsStmt         = db.SQL("emailsignin_test.mails", `SELECT COUNT(*) FROM dev_mails WHERE body_text LIKE '%c=el_%'`)
	openStmt          = db.SQL("emailsignin_test.open", `SELECT COUNT(*) FROM email_sign_ins`)
	payloadStmt       = db.SQL("emailsignin_test.payload", `SELECT payload FROM jobs WHERE kind = 'emailsignin.send'`)
	unsentStmt        = db.SQL("emailsignin_test.unsent", `SELECT COUNT(*) FROM jobs WHERE kind = 'emailsignin.send'`)
)
