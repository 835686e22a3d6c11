package browser

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestMailInvitationsAreAnswered answers e-mail invitations to addresses without accounts from the mails, thirty in the long form. Nobody
// signs in, and the host sees who comes.
func TestMailInvitationsAreAnswered(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.OwnOrigin(), apptest.Setting("NOTIFICATIONS", "mail"),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h"))
	answers := []struct{ press, see string }{
		{"Going", "You are in"}, {"Maybe", "You can still change your answer"}, {"Not going", "We have deleted your address"},
	}
	for _, scripts := range []bool{true, false} {
		runJourney(t, a, fmt.Sprintf("answer mails %t", scripts), scripts, func(j *journey) {
			host := fmt.Sprintf("host-%t", scripts) // each has a budget of its own
			event := j.event(host, "Harvest supper", apptest.Fields{"visibility": "private", "capacity": 30})
			n, emails := testutil.Rounds(3, 30), []string{}
			for i := range n {
				emails = append(emails, fmt.Sprintf("guest%d-%t@example.net", i, scripts))
			}
			org := j.App.As(host).In(j.T)
			org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": emails}).Want(http.StatusCreated)
			j.App.Clock.Advance(2 * time.Minute)
			j.App.RunJobs()
			for i, email := range emails {
				j.Open(answerPath.FindString(j.App.Mail(email).Text))
				j.See("Harvest supper " + j.name)
				if i == 0 {
					j.Accessible()
				}
				j.Fill("Your name", fmt.Sprintf("Guest %d", i))
				answer := answers[i%len(answers)]
				j.Press(answer.press)
				j.See(answer.see)
				j.SeeNot("Sign out")
			}
			list := org.Get("/events/" + event + "/email-invitations?limit=100").Want(http.StatusOK)
			count := map[string]int{}
			for i := range list.Len("items") {
				count[list.Text(fmt.Sprintf("items.%d.status", i))]++
			}
			if count["accepted"] != n/3 || count["tentative"] != n/3 || count["declined"] != n/3 {
				j.Errorf("the host sees %v", count)
			}
		})
	}
}
