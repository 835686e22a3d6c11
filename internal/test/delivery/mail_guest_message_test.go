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
)

var inviteStmt = db.SQL("deliver_test.invite", `
	INSERT INTO invitations (event_id, user_id, id, invited_by, status, created_at, updated_at)
	SELECT CAST($1 AS UUID), u.id, u.id, CAST($2 AS UUID), 'pending', CAST($3 AS BIGINT), CAST($3 AS BIGINT)
	FROM users u WHERE u.email LIKE $4`)

// invite invites the users whose address begins with a text to an event, without a notification and beyond any limit.
func invite(a *apptest.App, org *apptest.Client, event, whose string) {
	id, _ := domain.ParseID[domain.EventKind](event)
	a.Exec(inviteStmt, id, org.ID(), a.Clock.Now(), whose+"%")
}

func writeGuests(c *apptest.Client, event, audience string) *apptest.Reply {
	return c.Post("/events/"+event+"/guest-messages", apptest.Fields{"audience": audience, "body": "Do you come?"})
}

// TestMessagesToGuestsSpendTheBudget writes to strangers who have not answered: 30 mails on the first day of the host, the others later.
// A message to those who go counts for nobody.
func TestMessagesToGuestsSpendTheBudget(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, ann := a.As("org"), a.As("ann")
		public, private := org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"})
		ann.Join(public)
		addStrangers(t, a, 40)
		invite(a, org, private, "fan")
		if r := writeGuests(org, private, "invited_unanswered").Want(201); r.Number("recipients") != 40 {
			t.Errorf("the message: %s", r.Body)
		}
		writeGuests(org, public, "going").Want(201)
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if all, most := toFans(m); all != 30 || most != 1 {
			t.Errorf("%d mails to strangers, %d to one", all, most)
		}
		if mails := notified(m, "ann"); len(mails) != 1 || !strings.Contains(mails[0], "Do you come?") {
			t.Errorf("%d mails to a guest", len(mails))
		}
		if r := org.Get("/events/" + private + "/guest-messages").Want(200); r.Number("later") != 10 {
			t.Errorf("the host reads %s", r.Body)
		}
	})
}

// TestStrangersGetThreeMessagesADay lets five hosts write to two users: one of them only waits for an answer, the other goes to an event
// of each host.
func TestStrangersGetThreeMessagesADay(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		ann, ben := a.As("ann"), a.As("ben")
		for i := range 5 {
			org := a.As(fmt.Sprint("org", i))
			asking, public := org.Publish(apptest.Fields{"join_policy": "approval"}), org.Publish(nil)
			ann.Post("/events/"+asking+"/join", nil).Want(200)
			ben.Join(public)
			writeGuests(org, asking, "requested").Want(201)
			writeGuests(org, public, "going").Want(201)
		}
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if toAnn, toBen := len(notified(m, "ann")), len(notified(m, "ben")); toAnn != 3 || toBen != 5 {
			t.Errorf("%d mails to a stranger, %d to a guest", toAnn, toBen)
		}
	})
}

// TestMessageIsMailedToTheAudience sends no mail to a guest who has left meanwhile, and one at once to a guest who wants digests.
func TestMessageIsMailedToTheAudience(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		event := org.Publish(nil)
		ann.Join(event)
		ben.Join(event)
		writeGuests(org, event, "going").Want(201)
		a.RunJobs() // plans, and waits for MAIL_GRACE
		ann.Delete("/events/" + event + "/join").Want(200)
		a.Clock.Advance(2 * time.Minute)
		a.RunJobs()
		if toAnn, toBen := len(notified(m, "ann")), len(notified(m, "ben")); toAnn != 0 || toBen != 1 {
			t.Errorf("%d mails to a former guest, %d to a guest", toAnn, toBen)
		}
	})
}

// TestLargeAudienceGetsOneBroadcast writes to 600 users who have not answered. Each of them receives it when they look, and nobody else.
func TestLargeAudienceGetsOneBroadcast(t *testing.T) {
	eachWithServer(t, dbtest.Engines, func(t *testing.T, a *apptest.App, _ *apptest.MailServer) {
		org, ann, ben, late := a.As("org"), a.As("ann"), a.As("ben"), a.As("late")
		event := org.Publish(apptest.Fields{"visibility": "private"})
		for _, name := range []string{"ann", "ben"} {
			org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(name)}).Want(201)
		}
		ben.Patch("/events/"+event+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
		addStrangers(t, a, 600)
		invite(a, org, event, "fan")
		a.Clock.Advance(time.Second)
		writeGuests(org, event, "invited_unanswered").Want(201)
		a.Clock.Advance(time.Second)
		invite(a, org, event, "late")
		for _, row := range []struct {
			who  *apptest.Client
			want bool
		}{{ann, true}, {ben, false}, {late, false}, {org, false}} {
			if got := strings.Contains(string(row.who.Get("/notifications").Want(200).Body), "guest_message"); got != row.want {
				t.Errorf("%s is notified: %v", row.who.UserID, got)
			}
		}
	})
}

// TestRequestsToHostHaveABudget lets five organizers ask a follower: three mails a day, although the follower knows them. Who asks and
// withdraws again and again sends one.
func TestRequestsToHostHaveABudget(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		ann, ben := a.As("ann"), a.As("ben")
		for i := range 5 {
			org := a.As(fmt.Sprint("org", i))
			ann.Follow(org)
			org.Post("/events/"+org.Publish(nil)+"/hosts", apptest.Fields{"user_id": ann.UserID}).Want(200)
		}
		path := "/events/" + a.As("org0").Publish(nil) + "/hosts"
		for range 4 {
			a.As("org0").Post(path, apptest.Fields{"user_id": ben.UserID}).Want(200)
			a.Clock.Advance(2 * time.Minute)
			a.RunJobs()
			a.As("org0").Delete(path + "/" + ben.UserID).Want(204)
		}
		if toAnn, toBen := len(notified(m, "ann")), len(notified(m, "ben")); toAnn != 3 || toBen != 1 {
			t.Errorf("%d mails to a follower, %d to a user who is asked four times", toAnn, toBen)
		}
		if n := strings.Count(string(ann.Get("/notifications").Want(200).Body), `"kind":"host_invitation"`); n != 5 {
			t.Errorf("%d requests in the app", n)
		}
	})
}
