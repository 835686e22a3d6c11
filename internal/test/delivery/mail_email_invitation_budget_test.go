package delivery_test

import (
	"fmt"
	"mime"
	"net/mail"
	"net/url"
	"os/exec"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestTenHostsCannotMailStrangers lets ten hosts invite as many addresses as they can at once, and all of them one address. Nobody is
// refused, and each hour brings what the budgets allow.
func TestTenHostsCannotMailStrangers(t *testing.T) {
	const hosts = 10
	for _, engine := range dbtest.RuleEngines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m := apptest.NewMailServer(t, nil)
			a := apptest.New(t, engine, append(withServer(m), apptest.Instances(2))...)
			clients := make([]*apptest.Client, hosts)
			for i := range clients {
				a.As(fmt.Sprint("host", i))
			}
			a.Clock.Advance(25 * time.Hour)
			events := make([]string, hosts)
			for i := range clients {
				clients[i] = a.SignIn(apptest.Email(fmt.Sprint("host", i))).On(i)
				events[i] = published(a, clients[i], apptest.Fields{"title": "Win"})
			}
			invite := func(i int, emails ...string) {
				clients[i].Post("/events/"+events[i]+"/email-invitations", apptest.Fields{"emails": emails}).Want(201)
			}
			deliver := func(after time.Duration) {
				a.Clock.Advance(after)
				apptest.Concurrently(2, func(i int) { a.RunJobsOf(i) })
			}
			apptest.Concurrently(hosts, func(i int) { invite(i, "fan@example.org") })
			deliver(2 * time.Minute) // the mails beyond a budget have no order: this one goes before the others
			apptest.Concurrently(hosts, func(i int) {
				var emails []string
				for n := range 79 {
					emails = append(emails, fmt.Sprintf("fan%d-%d@example.org", i, n))
				}
				invite(i, emails...)
			})
			for range 3 {
				deliver(19 * time.Minute)
			}
			all, _ := toFans(m)
			toOne := 0
			for _, mail := range m.Received() {
				if mail.To == "fan@example.org" {
					toOne++
				}
			}
			if all > hosts*60 || all < hosts*59 || toOne != 3 {
				t.Errorf("%d mails in the first hour, %d to one address", all, toOne)
			}
			sent := clients[0].Get("/events/" + events[0] + "/email-invitations").Want(200)
			if sent.Number("messages.sent")+sent.Number("messages.later") != 80 || sent.Number("messages.sent") > 60 {
				t.Errorf("the host reads %s", sent.Get("messages"))
			}
		})
	}
}

// readWithPython prints what Python's parser reads of a mail on the standard input, one value a line, and its complaints.
const readWithPython = `
import email, email.policy, sys
m = email.message_from_bytes(sys.stdin.buffer.read(), policy=email.policy.default)
for name in ("To", "From"):
    print(*(a.addr_spec for a in m[name].addresses))
for name in ("Subject", "List-Unsubscribe"):
    print(m[name].strip())
print([*m.defects, *(d for part in m.walk() for d in part.defects)], m["Bcc"], m["Cc"], m["Reply-To"])
`

// TestParsersReadInvitation reads an e-mail invitation with hostile texts: one recipient, nobody's name in From, and one subject on one
// line that begins with fixed words. In the long form, Python reads the same as Go.
func TestParsersReadInvitation(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		org.Patch("/me/profile", apptest.Fields{"display_name": "Eve <eve@evil.example>, win@evil.example"}).Want(200)
		event := published(a, org, apptest.Fields{"title": "Tea =?utf-8?q?Bcc:?= \"x\" https://evil.example/ +49 170 1234567 " +
			strings.Repeat("long ", 6), "city": "Berlin, Bcc: eve@evil.example"})
		path := invited(t, a, m, org, event, "new@example.org")[0]
		raw := m.Received()[len(m.Received())-1].Text
		read, err := mail.ReadMessage(strings.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
		if err != nil || !strings.HasPrefix(subject, "Somebody invites you to “Tea ") || strings.ContainsAny(subject, "\r\n") ||
			strings.Contains(subject, "evil") || strings.Contains(subject, "1234567") {
			t.Errorf("subject %q", subject)
		}
		to, errTo := read.Header.AddressList("To")
		from, errFrom := read.Header.AddressList("From")
		if errTo != nil || errFrom != nil || len(to) != 1 || to[0].Address != "new@example.org" || len(from) != 1 ||
			from[0].String() != `"Moothall" <no-reply@example.org>` {
			t.Fatalf("to %v, from %v", to, from)
		}
		for _, header := range []string{"Bcc", "Cc", "Reply-To"} {
			if read.Header.Get(header) != "" {
				t.Errorf("%s: %s", header, read.Header.Get(header))
			}
		}
		never := "<https://moothall.test" + path + "/never>"
		if got := read.Header.Get("List-Unsubscribe"); got != never {
			t.Errorf("List-Unsubscribe: %s", got)
		}
		if !testutil.Long() {
			return
		}
		python := exec.CommandContext(t.Context(), "python3", "-c", readWithPython)
		python.Stdin = strings.NewReader(raw)
		got, err := python.Output()
		want := strings.Join([]string{to[0].Address, from[0].Address, subject, never, "[] None None None", ""}, "\n")
		if err != nil || string(got) != want {
			t.Errorf("Python reads %v\n%s, Go\n%s", err, got, want)
		}
	})
}

// TestReportsStopHost lets three recipients report the mails of a host, who then sends no more until a moderator has looked.
func TestReportsStopHost(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := published(a, org, apptest.Fields{"title": "Tea"})
		emails := []string{"fan1@example.org", "fan2@example.org", "fan3@example.org"}
		for i, path := range invited(t, a, m, org, event, emails...) {
			reply := a.Anonymous().Form(path, url.Values{"do": {"report"}}).Want(200)
			if i == 0 && !strings.Contains(string(reply.Body), "moderators look at complaints") {
				t.Errorf("%s", reply.Body)
			}
		}
		org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": []string{"fan4@example.org"}}).Want(201)
		a.Clock.Advance(2 * time.Hour)
		a.RunJobs()
		if all, _ := toFans(m); all != 3 {
			t.Errorf("%d mails after three reports", all)
		}
	})
}

var (
	emailsStmt   = db.SQL("deliver_test.email_invitations", `SELECT COUNT(*) FROM email_invitations`)
	linksStmt    = db.SQL("deliver_test.invite_links", `SELECT COUNT(*) FROM invite_links`)
	sealedStmt   = db.SQL("deliver_test.addresses", `SELECT COUNT(*) FROM email_invitations WHERE address IS NOT NULL`)
	sessionsStmt = db.SQL("deliver_test.sessions", `SELECT COUNT(*) FROM sessions`)
)

// TestInvitationsArePurged deletes e-mail invitations and links 7 days after the event, and an address at a "no" at once.
func TestInvitationsArePurged(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := published(a, org, apptest.Fields{"title": "Tea", "visibility": "private"}) // in 90 days
		paths := invited(t, a, m, org, event, "new@example.org", "no@example.org")
		org.Post("/events/"+event+"/invite-links", nil).Want(201)
		a.Anonymous().Form(paths[1], url.Values{"answer": {"declined"}}).Want(200)
		if n := a.Count(sealedStmt); n != 1 {
			t.Errorf("%d addresses after a refusal", n)
		}
		for _, row := range []struct {
			days          int
			emails, links int
		}{{96, 2, 1}, {2, 0, 0}} {
			a.Clock.Advance(time.Duration(row.days) * 24 * time.Hour)
			a.RunJobs()
			if emails, links := a.Count(emailsStmt), a.Count(linksStmt); emails != row.emails || links != row.links {
				t.Errorf("after %d more days: %d e-mail invitations, %d links", row.days, emails, links)
			}
		}
	})
}

// TestInvitationsAreNotLogged invites by mail and by link, and looks for addresses and tokens in the log.
func TestInvitationsAreNotLogged(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		event := published(a, org, apptest.Fields{"title": "Tea", "visibility": "private"})
		path := invited(t, a, m, org, event, "secretive@example.net")[0]
		_, link, _ := strings.Cut(org.Post("/events/"+event+"/invite-links", nil).Want(201).Text("url"), "/i/")
		anonymous := a.Anonymous()
		anonymous.Get("/i/" + link).Want(200)
		anonymous.Get("/i/" + link + "x").Want(404)
		anonymous.Get("/invite-links/" + link).Want(200)
		a.As("ann").Post("/invite-links/"+link+"/accept", nil).Want(200)
		anonymous.Form(path, url.Values{"answer": {"accepted"}, "name": {"Secret Guest"}}).Want(200)
		anonymous.Form(path+"x", url.Values{"answer": {"accepted"}}).Want(404)
		anonymous.Form(path, url.Values{"do": {"report"}}).Want(200)
		for _, secret := range []string{"secretive", "Secret Guest", link, strings.TrimPrefix(path, "/i/mail/")} {
			if strings.Contains(a.Log(), secret) {
				t.Errorf("the log has %s", secret)
			}
		}
	})
}

// TestForwardedInvitationAnswersForAddress opens the mail of one address in the browser of somebody else, who is signed in. The page says
// for whom the answer is, and the answer is that of the address.
func TestForwardedInvitationAnswersForAddress(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, other := a.As("org"), a.SignIn("other@example.org")
		event := published(a, org, apptest.Fields{"title": "Tea", "visibility": "private"})
		path := invited(t, a, m, org, event, "new@example.org")[0]
		before := a.Count(sessionsStmt)
		browser := a.Anonymous().Header("Cookie", apptest.RefreshCookie+"="+other.RefreshToken)
		if page := browser.Get(path).Want(200); !strings.Contains(string(page.Body), "For n…@example.org") ||
			!strings.Contains(string(page.Body), "also if the mail was forwarded to you") {
			t.Errorf("%s", page.Body)
		}
		for _, header := range []string{"Purpose", "Sec-Purpose"} { // programs that look ahead
			browser.Header(header, "prefetch").Get(path).Want(200)
			browser.Header(header, "prefetch").Get(path + "/never").Want(200)
		}
		if got := statuses(org, event)["new@example.org"]; got != "pending" {
			t.Errorf("looking at it has answered: %s", got)
		}
		reply := browser.Form(path, url.Values{"answer": {"accepted"}, "name": {"Nora"}}).Want(200)
		if reply.Header.Get("Set-Cookie") != "" || a.Count(sessionsStmt) != before {
			t.Errorf("%d new sessions", a.Count(sessionsStmt)-before)
		}
		other.Get("/events/"+event).WantError(404, "not_found")
		if got := statuses(org, event)["new@example.org"]; got != "accepted" {
			t.Errorf("the answer is %s", got)
		}
	})
}

// TestEmailAnswersNeverOversell answers more invitations at once than there are seats.
func TestEmailAnswersNeverOversell(t *testing.T) {
	for engine, instances := range map[db.Engine]int{db.SQLite: 1, db.PostgreSQL: 3} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m := apptest.NewMailServer(t, nil)
			a := apptest.New(t, engine, append(withServer(m), apptest.Instances(instances))...)
			org := a.As("org")
			for i, visibility := range []string{"public", "private"} {
				const seats = 7
				event := published(a, org, apptest.Fields{"title": "Tea", "visibility": visibility, "capacity": seats})
				var emails []string
				for n := range 14 {
					emails = append(emails, fmt.Sprintf("guest%d-%d@example.net", i, n))
				}
				paths := invited(t, a, m, org, event, emails...)
				got := make([]int, len(paths))
				apptest.Concurrently(len(paths), func(n int) {
					got[n] = a.Anonymous().On(n).Form(paths[n], url.Values{"answer": {"accepted"}, "name": {"Guest"}}).Status
				})
				in := 0
				for _, status := range got {
					if status == 200 {
						in++
					} else if status != 403 {
						t.Errorf("%s: %d", visibility, status)
					}
				}
				if n := org.Get("/events/" + event).Want(200).Number("participant_count"); in != seats || n != seats {
					t.Errorf("%s: %d answers are accepted, %v go to %d seats", visibility, in, n, seats)
				}
			}
		})
	}
}
