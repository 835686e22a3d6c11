package delivery_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

var (
	profilesStmt = db.SQL("deliver_test.profiles", `
		INSERT INTO profiles (user_id, display_name, username, interests, words, name_chosen, created_at, updated_at)
		SELECT u.id, 'Fan', REPLACE(u.email, '@example.org', ''), '[]', '', TRUE, u.created_at, u.created_at FROM users u WHERE u.email LIKE 'fan%'`)
	unfollowStmt = db.SQL("deliver_test.unfollow", `DELETE FROM follows`)
	outreachStmt = db.SQL("deliver_test.outreach", `SELECT COUNT(*) FROM outreach WHERE released_at IS NULL`)
)

// addStrangers adds users with a verified address who know nobody.
func addStrangers(t *testing.T, a *apptest.App, n int) (ids []string) {
	t.Helper()
	for _, id := range addFollowers(t, a, a.As("nobody").ID(), n) {
		ids = append(ids, id.String())
	}
	a.Exec(unfollowStmt)
	a.Exec(profilesStmt)
	return ids
}

// inviteToEntry invites users to a new calendar entry.
func inviteToEntry(c *apptest.Client, title string, users ...string) {
	for ; len(users) > 0; users = users[min(50, len(users)):] {
		c.Post("/calendar/entries", apptest.Fields{"title": title, "starts_at": "2026-09-09T18:00:00Z",
			"invitee_user_ids": users[:min(50, len(users))]}).Want(201)
	}
}

// toFans counts mails to strangers, and those to the most frequent one.
func toFans(m *apptest.MailServer) (all, most int) {
	each := map[string]int{}
	for _, mail := range m.Received() {
		if strings.HasPrefix(mail.To, "fan") {
			all++
			each[mail.To]++
			most = max(most, each[mail.To])
		}
	}
	return all, most
}

// TestTenSendersCannotMailCrowd lets ten users invite as many strangers as they can at once, and watches two days. The short
// form watches four of them for an hour, in which each has the same budget.
func TestTenSendersCannotMailCrowd(t *testing.T) {
	senders, each, hours := 4, 65, 1
	if testutil.Long() {
		senders, each, hours = 10, 500, 48
	}
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			m := apptest.NewMailServer(t, nil)
			a := apptest.New(t, engine, append(withServer(m), apptest.Instances(2))...)
			clients := make([]*apptest.Client, senders)
			for i := range clients {
				clients[i] = a.As(fmt.Sprint("sender", i)).On(i)
			}
			a.Clock.Advance(25 * time.Hour)
			for i := range clients {
				clients[i] = a.SignIn(apptest.Email(fmt.Sprint("sender", i))).On(i)
			}
			fans := addStrangers(t, a, senders*each)
			apptest.Concurrently(senders, func(i int) {
				inviteToEntry(clients[i], "Win https://evil.example now", fans[i*each:(i+1)*each]...)
				a.RunJobsOf(i % 2)
			})
			before := 0
			for hour := range hours {
				for range 3 {
					a.Clock.Advance(20*time.Minute - time.Second)
					apptest.Concurrently(2, func(i int) { a.RunJobsOf(i) })
				}
				all, _ := toFans(m)
				if n := all - before; n >= 1000 || hour == 0 && n != senders*60 {
					t.Errorf("%d mails in hour %d", n, hour)
				}
				before = all
			}
			if want := min(senders*each, senders*400); hours > 1 && before > want {
				t.Errorf("%d mails in two days", before)
			}
			t.Logf("%d mails in %d hours", before, hours)
		})
	}
}

// TestFirstDayOfSender sends 30 invitations on the first day of an account, more on the next, and none once
// the event has begun.
func TestFirstDayOfSender(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		fans := addStrangers(t, a, 50)
		inviteToEntry(org, "Dinner", fans...)
		for _, want := range []int{30, 30, 50} {
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
			if all, most := toFans(m); all != want || most > 1 {
				t.Errorf("%d mails, %d to one; want %d", all, most, want)
			}
			a.Clock.Advance(12 * time.Hour)
		}
	})
}

// TestStrangersAndFriends sends four invitations to each of two users: one knows the senders.
func TestStrangersAndFriends(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		ann, ben := a.As("ann"), a.As("ben")
		for i := range 5 {
			org := a.As(fmt.Sprint("org", i))
			ben.Follow(org)
			inviteToEntry(org, fmt.Sprint("Dinner ", i), ann.UserID, ben.UserID)
		}
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if toAnn, toBen := len(notified(m, "ann")), len(notified(m, "ben")); toAnn != 3 || toBen != 5 {
			t.Errorf("%d mails to a stranger, %d to a friend", toAnn, toBen)
		}
		if got := ann.Get("/notifications").Want(200).Len("items"); got != 5 {
			t.Errorf("%d notifications in the app", got)
		}
		a.Clock.Advance(24 * time.Hour)
		a.RunJobs()
		all := notified(m, "ann")
		if last := all[len(all)-1]; len(all) != 4 || !strings.Contains(last, "List-Id: <digest.") {
			t.Errorf("%d mails, the last: %s", len(all), last)
		}
	})
}

// knowing are the ways to know a sender.
var knowing = []struct {
	what string
	act  func(a *apptest.App, ann, org *apptest.Client)
	want bool
}{
	{"nothing", func(*apptest.App, *apptest.Client, *apptest.Client) {}, false},
	{"a follow of the recipient", func(_ *apptest.App, ann, org *apptest.Client) { ann.Follow(org) }, true},
	{"a follow of the sender", func(_ *apptest.App, ann, org *apptest.Client) { org.Follow(ann) }, false},
	{"an event of the sender", func(_ *apptest.App, ann, org *apptest.Client) { ann.Join(org.Publish(nil)) }, true},
	{"an event of the recipient", func(_ *apptest.App, ann, org *apptest.Client) { org.Join(ann.Publish(nil)) }, false},
	{"the same event", func(a *apptest.App, ann, org *apptest.Client) {
		event := a.As("host").Publish(nil)
		ann.Join(event)
		org.Join(event)
	}, false},
	{"an accepted invitation", func(a *apptest.App, ann, org *apptest.Client) { answered(a, ann, org, "accepted") }, true},
	{"an invitation accepted as tentative", func(a *apptest.App, ann, org *apptest.Client) { answered(a, ann, org, "tentative") }, true},
	{"a declined invitation", func(a *apptest.App, ann, org *apptest.Client) { answered(a, ann, org, "declined") }, false},
}

// answered lets a user answer an invite to a calendar entry.
func answered(a *apptest.App, to, org *apptest.Client, answer string) {
	inviteToEntry(org, "Tea", to.UserID)
	id := to.Get("/calendar/invites").Want(200).Text("items.0.invite.id")
	to.Patch("/calendar/invites/"+id, apptest.Fields{"status": answer}).Want(200)
	a.RunJobs()
}

var dinnerStmt = db.SQL("deliver_test.dinner", `SELECT COUNT(*) FROM outreach WHERE sender_id = $1 AND about_at >= $2`)

// TestWhoKnowsSender invites a user to a calendar entry, after each act of one of the two.
func TestWhoKnowsSender(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, _ *apptest.MailServer) {
		for i, row := range knowing {
			ann, org := a.As(fmt.Sprint("ann", i)), a.As(fmt.Sprint("org", i))
			row.act(a, ann, org)
			a.Clock.Advance(time.Second)
			now := a.Clock.Now()
			inviteToEntry(org, "Dinner", ann.UserID)
			a.RunJobs()
			if known := a.Count(dinnerStmt, org.ID(), now) == 0; known != row.want {
				t.Errorf("%s: known %v", row.what, known)
			}
		}
	})
}

// TestWaitingInvitationsEndWithEvent drops the mails of an event that begins before the sender has a budget.
func TestWaitingInvitationsEndWithEvent(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		a.As("ann")
		fans := addStrangers(t, a, 30)
		inviteToEntry(org, "Dinner", fans...)
		a.Clock.Advance(time.Second)
		event := org.Draft(apptest.Fields{"title": "Tea", "visibility": "private",
			"starts_at": a.Clock.Now().Add(3 * time.Hour).Format(time.RFC3339)})
		org.Post("/events/"+event+"/publish", nil).Want(200)
		org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(201)
		a.RunJobs()
		if n := a.Count(outreachStmt); n != 1 {
			t.Errorf("%d messages wait", n)
		}
		for range 5 {
			a.Clock.Advance(10 * time.Hour)
			a.RunJobs()
		}
		if all, _ := toFans(m); all != 30 || len(notified(m, "ann")) != 0 || a.Count(outreachStmt) != 0 {
			t.Errorf("%d mails to fans, %d to ann, %d wait", all, len(notified(m, "ann")), a.Count(outreachStmt))
		}
	})
}

var reportsStmt = db.SQL("deliver_test.reports", `SELECT COUNT(*) FROM reports WHERE target_id = $1 AND reporter_id IS NULL AND status = 0`)

// TestComplaintsStopSender lets three recipients complain. A moderator sees it, and lets the sender go on.
func TestComplaintsStopSender(t *testing.T) {
	for what, row := range map[string]struct {
		event, result string
		n             int
	}{
		"complaints": {mailgunComplained, "resolved", 3}, "bounces": {mailgunFailed, "dismissed", 5},
	} {
		t.Run(what, func(t *testing.T) {
			eachProvided(t, dbtest.RuleEngines, func(t *testing.T, a *provided) {
				org, mod := a.As("org"), a.As("mod")
				names := []string{"ann", "ben", "cay", "dan", "eve"}[:row.n]
				for _, name := range names {
					inviteToEntry(org, "Dinner", a.As(name).UserID)
				}
				a.Clock.Advance(2 * time.Minute)
				a.RunJobs()
				for i, name := range names {
					if n := a.Count(reportsStmt, org.ID()); n != 0 {
						t.Errorf("reported after %d", i)
					}
					for range 2 { // the second has no effect
						a.report(mailgunPath, row.event, apptest.Email(name), messageID(t, notified(a.server, name)[0])).Want(200)
					}
				}
				inviteToEntry(org, "Dinner", a.As("fay").UserID)
				a.Clock.Advance(2 * time.Hour)
				a.RunJobs()
				queue := mod.Get("/admin/reports?status=open").Want(200)
				if len(notified(a.server, "fay")) != 0 || queue.Len("items") != 1 || queue.Text("items.0.target_id") != org.UserID ||
					queue.Text("items.0.reason") != "spam" {
					t.Fatalf("%d mails of a stopped sender; %s", len(notified(a.server, "fay")), queue.Body)
				}
				mod.Patch("/admin/reports/"+queue.Text("items.0.id"), apptest.Fields{"status": row.result}).Want(200)
				a.RunJobs()
				if n := len(notified(a.server, "fay")); n != 1 {
					t.Errorf("%d mails after a moderator has looked", n)
				}
			})
		})
	}
}

var suppressFanStmt = db.SQL("deliver_test.suppress_fan", `
	INSERT INTO email_bounces (user_id, soft_bounces, first_at, last_at, suppressed_at) VALUES ($1, 0, $2, $2, $2)`)

// TestSuppressedAddressesCountTwice invites 20 users whose mails came back, and 20 others.
func TestSuppressedAddressesCountTwice(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org := a.As("org")
		fans := addStrangers(t, a, 30)
		for _, fan := range fans[:10] {
			id, err := domain.ParseID[domain.UserKind](fan)
			if err != nil {
				t.Fatal(err)
			}
			a.Exec(suppressFanStmt, id, a.Clock.Now())
		}
		inviteToEntry(org, "Dinner", fans[:10]...)
		a.Clock.Advance(time.Second)
		inviteToEntry(org, "Dinner", fans[10:]...)
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if all, _ := toFans(m); all != 10 {
			t.Errorf("%d mails", all)
		}
	})
}

// TestInvitationsSayWhatWaits reads how many invitations were sent. The numbers are the same for
// recipients without an address.
func TestInvitationsSayWhatWaits(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, _ *apptest.MailServer) {
		org := a.As("org")
		fans := addStrangers(t, a, 40)
		event := org.Draft(apptest.Fields{"title": "Tea", "visibility": "private"})
		org.Post("/events/"+event+"/publish", nil).Want(200)
		for i := range 35 {
			org.Post("/events/"+event+"/invitations", apptest.Fields{"email": fmt.Sprintf("fan%d@example.org", i)}).Want(201)
		}
		a.Exec(noAddressStmt)
		a.Clock.Advance(time.Second)
		inviteToEntry(org, "Dinner", fans...)
		a.RunJobs()
		for path, want := range map[string]string{
			"/events/" + event + "/invitations": "map[later:5 sent:30]", "/calendar/invites?role=outgoing": "map[later:40 sent:0]",
			"/calendar/invites": "<nil>",
		} {
			if got := fmt.Sprint(org.Get(path).Want(200).Get("messages")); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		}
		a.Clock.Advance(25 * time.Hour)
		a.RunJobs()
		org = a.SignIn(apptest.Email("org"))
		if got := fmt.Sprint(org.Get("/events/" + event + "/invitations").Want(200).Get("messages")); got != "map[later:0 sent:35]" {
			t.Errorf("a day later: %s", got)
		}
	})
}

var noAddressStmt = db.SQL("deliver_test.no_address", `UPDATE users SET email_verified = FALSE WHERE email LIKE 'fan%' AND email < 'fan2'`)

// TestSubjectsHaveNoContacts invites a stranger and a friend, with addresses in the title and in the name of the
// organizer.
func TestSubjectsHaveNoContacts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for i, row := range []struct{ name, title, toStranger, toFriend string }{
			{"Olga", "Tea", "Somebody invites you to “Tea”", "Olga invites you to “Tea”"},
			{"https://evil.example", "Win at www.evil.example", "Somebody invites you to “Win at”", "Somebody invites you to “Win at”"},
			{"Olga +49 170 1234567", "bob@evil.example", "Somebody invites you to “…”", "Olga invites you to “…”"},
			{"Olga", strings.Repeat("Tea ", 25), "Somebody invites you to “" + strings.TrimSpace(strings.Repeat("Tea ", 15)) + "…”", "Olga invites you to “" + strings.TrimSpace(strings.Repeat("Tea ", 15)) + "…”"},
		} {
			ann, ben := fmt.Sprint("ann", i), fmt.Sprint("ben", i)
			org := a.As(fmt.Sprint("org", i))
			org.Patch("/me/profile", apptest.Fields{"display_name": row.name}).Want(200)
			a.As(ben).Follow(org)
			event := org.Draft(apptest.Fields{"title": row.title, "visibility": "private"})
			org.Post("/events/"+event+"/publish", nil).Want(200)
			for name, want := range map[string]string{ann: row.toStranger, ben: row.toFriend} {
				a.As(name)
				org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(name)}).Want(201)
				a.RunJobs()
				a.Clock.Advance(2 * time.Minute)
				if got := subjects(mailsTo(t, a, name)); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		}
	}, delivers...)
}
