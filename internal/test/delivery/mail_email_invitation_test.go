package delivery_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

var answerURL = regexp.MustCompile(`https://moothall\.test(/i/mail/[\w-]+)\b`)

// answerPath returns the path of the link in the last mail to an address.
func answerPath(t *testing.T, m *apptest.MailServer, to string) string {
	t.Helper()
	for _, mail := range slices.Backward(m.Received()) {
		if mail.To == to {
			text := strings.ReplaceAll(mail.Text, "=\r\n", "")
			if found := answerURL.FindStringSubmatch(text); found != nil {
				return found[1]
			}
		}
	}
	t.Fatalf("no invitation to %s", to)
	return ""
}

// invited invites addresses to an event, and returns the paths of the links in their mails.
func invited(t *testing.T, a *apptest.App, m *apptest.MailServer, org *apptest.Client, event string, emails ...string) (paths []string) {
	t.Helper()
	org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": emails}).Want(201)
	a.Clock.Advance(2 * time.Minute)
	a.RunJobs()
	for _, email := range emails {
		paths = append(paths, answerPath(t, m, email))
	}
	return paths
}

// published publishes an event that begins in three months.
func published(a *apptest.App, org *apptest.Client, fields apptest.Fields) string {
	fields["starts_at"] = a.Clock.Now().Add(90 * 24 * time.Hour).Format(time.RFC3339)
	event := org.Draft(fields)
	org.Post("/events/"+event+"/publish", nil).Want(200)
	return event
}

// statuses returns the statuses of the e-mail invitations to an event by address; a deleted address is empty.
func statuses(org *apptest.Client, event string) map[string]string {
	reply, all := org.Get("/events/"+event+"/email-invitations?limit=100").Want(200), map[string]string{}
	for i := range reply.Len("items") {
		email, _ := reply.Get(fmt.Sprintf("items.%d.email", i)).(string) // empty: deleted
		all[email] = reply.Text(fmt.Sprintf("items.%d.status", i))
	}
	return all
}

// TestEmailInvitationsSayNothing compares the results for addresses with and without an account.
func TestEmailInvitationsSayNothing(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		a.As("ann")
		event := published(a, org, apptest.Fields{"title": "Tea", "visibility": "private"})
		path := "/events/" + event + "/email-invitations"
		emails := []string{apptest.Email("ann"), "new@example.org", "no address", "NEW+tag@example.org", "a@b"}
		for _, want := range []string{"accepted accepted invalid already invalid", "already already invalid already invalid"} {
			reply := org.Post(path, apptest.Fields{"emails": emails}).Want(201)
			var got []string
			for i, email := range emails {
				got = append(got, reply.Text(fmt.Sprintf("results.%d.status", i)))
				if reply.Text(fmt.Sprintf("results.%d.email", i)) != email {
					t.Errorf("the order: %s", reply.Body)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		anonymous := a.Anonymous()
		first := anonymous.Get(answerPath(t, m, apptest.Email("ann"))).Want(200)
		second := anonymous.Get(answerPath(t, m, "new@example.org")).Want(200)
		same := strings.ReplaceAll(string(second.Body), "n…@example.org", "a…@example.org")
		if same != string(first.Body) || first.Header.Get("Set-Cookie") != "" {
			t.Errorf("the pages differ:\n%s\n%s", first.Body, second.Body)
		}
		if n := org.Get("/events/" + event + "/invitations").Want(200).Len("items"); n != 0 {
			t.Errorf("%d invitations of accounts", n)
		}
		list := org.Get(path).Want(200)
		if list.Len("items") != 2 || !strings.Contains(string(list.Body), `"messages":{"sent":2,"later":0}`) {
			t.Errorf("%s", list.Body)
		}
	})
}

// TestEmailInvitationsAreRefused lists what a host may not do.
func TestEmailInvitationsAreRefused(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event, draft := published(a, org, apptest.Fields{"title": "Tea"}), org.Draft(apptest.Fields{"title": "Tea"})
		some := []string{"new@example.org"}
		for what, row := range map[string]struct {
			as     *apptest.Client
			event  string
			fields apptest.Fields
			status int
		}{
			"no address":        {org, event, apptest.Fields{"emails": []string{}}, 400},
			"101 addresses":     {org, event, apptest.Fields{"emails": strings.Split(strings.Repeat("x ", 100)+"x", " ")}, 400},
			"a link":            {org, event, apptest.Fields{"emails": some, "message": "Look at evil.example/x"}, 400},
			"an address":        {org, event, apptest.Fields{"emails": some, "message": "Write to eve@evil.example"}, 400},
			"a number":          {org, event, apptest.Fields{"emails": some, "message": "Call +49 170 1234567"}, 400},
			"a long message":    {org, event, apptest.Fields{"emails": some, "message": strings.Repeat("x", 301)}, 400},
			"a first message":   {org, event, apptest.Fields{"emails": some, "message": "Do come!"}, 403},
			"a draft":           {org, draft, apptest.Fields{"emails": some}, 403},
			"another organizer": {ann, event, apptest.Fields{"emails": some}, 403},
			"a hidden event":    {ann, draft, apptest.Fields{"emails": some}, 404},
		} {
			if got := row.as.Post("/events/"+row.event+"/email-invitations", row.fields); got.Status != row.status {
				t.Errorf("%s: %d %s", what, got.Status, got.Body)
			}
		}
		a.Clock.Advance(25 * time.Hour)
		org = a.SignIn(apptest.Email("org"))
		org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": some, "message": "Do come!"}).Want(201)
		for n := 1; n < 500; n += 100 {
			var emails []string
			for i := range min(100, 500-n) {
				emails = append(emails, fmt.Sprintf("new%d@example.org", n+i))
			}
			org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": emails}).Want(201)
		}
		last := org.With("Accept", "application/problem+json").Post("/events/"+event+"/email-invitations",
			apptest.Fields{"emails": []string{"last@example.org"}}).Want(403)
		if last.Text("reason") != "invitation_limit" {
			t.Errorf("%s", last.Body)
		}
		list := org.Get("/events/" + event + "/email-invitations").Want(200)
		id := list.Text("items.0.id")
		org.Delete("/events/" + event + "/email-invitations/" + id).Want(204)
		org.Delete("/events/" + event + "/email-invitations/" + id).Want(404)
		next := org.Get("/events/" + event + "/email-invitations?cursor=" + list.Text("next_cursor")).Want(200)
		if next.Text("items.0.id") == id {
			t.Errorf("%s", next.Body)
		}
	})
}

var guestsStmt = db.SQL("deliver_test.guests", `SELECT COUNT(*) FROM mail_guests`)
var usersStmt = db.SQL("deliver_test.users", `SELECT COUNT(*) FROM users`)

// TestEmailInvitationsAreAnswered answers without a session: with and without an account, to a public and a private event.
func TestEmailInvitationsAreAnswered(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		a.As("ann")
		anonymous := a.Anonymous()
		for i, visibility := range []string{"public", "private"} {
			event := published(a, org, apptest.Fields{"title": "Tea", "visibility": visibility})
			fresh := []string{fmt.Sprintf("going%d@example.org", i), fmt.Sprintf("maybe%d@example.org", i), fmt.Sprintf("no%d@example.org", i)}
			users := a.Count(usersStmt)
			paths := invited(t, a, m, org, event, append(fresh, apptest.Email("ann"))...)
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				anonymous.Do(method, paths[0], "").Want(200)
			}
			if got := statuses(org, event); got[fresh[0]] != "pending" || got[apptest.Email("ann")] != "pending" {
				t.Errorf("after a scanner: %v", got)
			}
			for n, answer := range []string{"accepted", "tentative", "declined", "accepted"} {
				reply := anonymous.Form(paths[n], url.Values{"answer": {answer}, "name": {"Guest of mine"}}).Want(200)
				if reply.Header.Get("Set-Cookie") != "" {
					t.Error("an answer starts a session")
				}
			}
			got := statuses(org, event)
			if got[fresh[0]] != "accepted" || got[fresh[1]] != "tentative" || got[""] != "declined" || got[apptest.Email("ann")] != "accepted" {
				t.Errorf("%v", got)
			}
			if n := org.Get("/events/" + event + "/participants").Want(200).Len("items"); n != 2 {
				t.Errorf("%d participants", n)
			}
			if n := a.Count(usersStmt); n != users+1 || a.Count(guestsStmt) != i+1 {
				t.Errorf("%d new accounts, %d guests", n-users, a.Count(guestsStmt))
			}
			if n := org.Get("/users/profiles?q=guest").Want(200).Len("items"); n != 0 {
				t.Errorf("%d guests are found", n)
			}
			anonymous.Get(paths[2]).Want(404)
			anonymous.Form(paths[0], url.Values{"answer": {"tentative"}}).Want(200)
			if n := org.Get("/events/" + event + "/participants").Want(200).Len("items"); n != 1 {
				t.Errorf("%d participants after a change", n)
			}
		}
		a.SignIn("going0@example.org") // takes the account over
		if a.Count(guestsStmt) != 1 {
			t.Error("the account of a user is that of a guest")
		}
		a.Clock.Advance(365 * 24 * time.Hour)
		users := a.Count(usersStmt)
		a.RunJobs()
		going := a.SignIn("going0@example.org")
		if a.Count(guestsStmt) != 0 || a.Count(usersStmt) > users {
			t.Errorf("%d guests remain", a.Count(guestsStmt))
		}
		_ = going
	})
}

// TestLinksOfEmailInvitationsEnd lists what ends a link, and forged tokens.
func TestLinksOfEmailInvitationsEnd(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		anonymous := a.Anonymous()
		for what, end := range map[string]func(org, ann *apptest.Client, event string){
			"withdrawal": func(org, _ *apptest.Client, event string) {
				id := org.Get("/events/" + event + "/email-invitations").Want(200).Text("items.0.id")
				org.Delete("/events/" + event + "/email-invitations/" + id).Want(204)
			},
			"cancellation":            func(org, _ *apptest.Client, event string) { org.Post("/events/"+event+"/cancel", nil).Want(200) },
			"block":                   func(org, ann *apptest.Client, _ string) { ann.Block(org) },
			"block of a host":         func(org, ann *apptest.Client, _ string) { org.Block(ann) },
			"deletion":                func(org, _ *apptest.Client, _ string) { org.Delete("/me").Want(204) },
			"deletion of the invitee": func(_, ann *apptest.Client, _ string) { ann.Delete("/me").Want(204) },
		} {
			name := strings.ReplaceAll(what, " ", "")
			org, ann := a.As("org"+name), a.As("ann"+name)
			event := published(a, org, apptest.Fields{"title": "Tea"})
			path := invited(t, a, m, org, event, apptest.Email("ann"+name))[0]
			anonymous.Get(path).Want(200)
			end(org, ann, event)
			want := 404
			if what == "deletion of the invitee" {
				want = 200 // the address is now one without an account
			}
			anonymous.Get(path).Want(want)
			if got := anonymous.Form(path, url.Values{"answer": {"accepted"}}); got.Status != want {
				t.Errorf("%s: %d", what, got.Status)
			}
		}
		org := a.As("org")
		event := published(a, org, apptest.Fields{"title": "Tea"})
		path := invited(t, a, m, org, event, "new@example.org")[0]
		forged := path[:len(path)-1] + map[bool]string{true: "A", false: "Q"}[path[len(path)-1] != 'A']
		for _, bad := range []string{forged, "/i/mail/x", path[:len(path)-4]} {
			anonymous.Get(bad).Want(404)
			anonymous.Form(bad, url.Values{"answer": {"accepted"}}).Want(404)
			anonymous.Form(bad+"/never", url.Values{}).Want(404)
		}
		anonymous.Form(path, url.Values{"answer": {"perhaps"}}).Want(400)
		anonymous.Form(path, url.Values{"answer": {"accepted"}, "name": {strings.Repeat("x", 51)}}).Want(400)
		a.Clock.Advance(365 * 24 * time.Hour)
		anonymous.Get(path).Want(404)
	})
}

// TestRefusedHostsSendNoEmailInvitations refuses one host by one click, and everybody.
func TestRefusedHostsSendNoEmailInvitations(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, other := a.As("org"), a.As("other")
		anonymous := a.Anonymous()
		count := func() (n int) {
			for _, mail := range m.Received() {
				if mail.To == "new@example.org" {
					n++
				}
			}
			return n
		}
		invite := func(org *apptest.Client) {
			org.Post("/events/"+published(a, org, apptest.Fields{"title": "Tea"})+"/email-invitations",
				apptest.Fields{"emails": []string{"new@example.org"}}).Want(201)
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
		}
		invite(org)
		path := answerPath(t, m, "new@example.org")
		mail := strings.ReplaceAll(m.Received()[len(m.Received())-1].Text, "\r\n ", " ")
		if !strings.Contains(mail, "List-Unsubscribe: <https://moothall.test"+path+"/never>") {
			t.Errorf("%s", mail)
		}
		anonymous.Get(path + "/never").Want(200)
		anonymous.With("Content-Type", "application/x-www-form-urlencoded").Post(path+"/never", "List-Unsubscribe=One-Click").Want(200)
		invite(org)
		if count() != 1 {
			t.Errorf("%d mails after a refusal", count())
		}
		invite(other)
		if count() != 2 {
			t.Errorf("%d mails of another host", count())
		}
		anonymous.Form(path, url.Values{"do": {"nobody"}}).Want(200)
		invite(a.As("third"))
		if count() != 2 {
			t.Errorf("%d mails to somebody who wants none", count())
		}
	})
}
