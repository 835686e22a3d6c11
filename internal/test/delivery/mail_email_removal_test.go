package delivery_test

import (
	"net/url"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// TestEmailInvitationOfRemovedGuest invites an address to events with approval and to private ones: the answer needs no approval. After a
// removal, the link is dead; a new invitation lets the guest in again.
func TestEmailInvitationOfRemovedGuest(t *testing.T) {
	eachWithServer(t, dbtest.RuleEngines, func(t *testing.T, a *apptest.App, m *apptest.MailServer) {
		org, anonymous := a.As("org"), a.Anonymous()
		for _, fields := range []apptest.Fields{{"title": "Tea", "join_policy": "approval"}, {"title": "Tea", "visibility": "private"}} {
			event := published(a, org, fields)
			path := "/events/" + event + "/participants"
			for range 2 {
				link := invited(t, a, m, org, event, "new@example.org")[0]
				anonymous.Form(link, url.Values{"answer": {"accepted"}}).Want(200)
				guests := org.Get(path).Want(200)
				if guests.Len("items") != 1 {
					t.Fatalf("%v: the guests are %s", fields, guests.Body)
				}
				org.Delete(path + "/" + guests.Text("items.0.participant.id")).Want(204)
				anonymous.Form(link, url.Values{"answer": {"accepted"}}).Want(404)
				a.Clock.Advance(8 * 24 * time.Hour) // so that a stranger may get another mail
				org = a.SignIn(apptest.Email("org"))
				if n := org.Get(path).Want(200).Len("items"); n != 0 {
					t.Errorf("%v: %d guests after the removal", fields, n)
				}
			}
		}
	})
}
