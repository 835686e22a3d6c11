package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// hostTogether lets an organizer ask a user by their name, who accepts on the page of the event.
func hostTogether(j *journey) {
	event := j.App.SignIn(j.Email("org")).In(j.T).Publish(j.eventFields("Sauna and soup", nil))
	ben := j.App.SignIn(j.Email("ben"))
	name := ben.Get("/me").Text("profile.username")
	j.Open("/login")
	j.signIn(j.Email("org"))
	j.See("My events")
	j.Open("/events/" + event + "/hosts")
	j.Fill("Username", name)
	j.Press("Ask")
	j.See("Asked")
	j.AccessibleAgain()
	ben.Patch("/events/"+event+"/hosts/"+ben.UserID, apptest.Fields{"status": "active"}).Want(http.StatusOK)
	j.Open("/events/" + event + "/hosts")
	j.openDetails("Hand over …")
	j.See("You stay a host.")
	j.Accessible()
}

// TestHostsPage asks, accepts, hands over and removes by forms.
func TestHostsPage(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		ben := a.As("ben")
		org, b, page, hosts := signedIn(t, a, "org"), signedIn(t, a, "ben"), "/events/"+event, "/events/"+event+"/hosts"
		ask := func(name string) answer {
			return org.submit("inviteHost", hosts, url.Values{"event_id": {event}, "username": {name}})
		}
		if r := ask("nobody_there"); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("an unknown name: %d %s", r.StatusCode, r.Body)
		}
		if r := ask("@" + ben.Get("/me").Text("profile.username")); r.Header.Get("Location") != hosts+"#hosts" {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		if body := b.open(page).Body; !strings.Contains(body, "You are asked to host this event.") {
			t.Errorf("ben sees %s", body)
		}
		of := url.Values{"event_id": {event}, "user_id": {ben.UserID}}
		b.submit("acceptHost", page, of)
		for _, want := range []string{"/hosts", "/edit", "/guests"} {
			if body := b.open(page).Body; !strings.Contains(body, page+want) {
				t.Errorf("a host has no link to %s", want)
			}
		}
		if body := b.open(page + "/edit").Body; strings.Contains(body, "/do/cancelEvent") {
			t.Error("the form of a host offers to cancel the event")
		}
		b.open(page + "/guests")
		org.submit("transferEvent", hosts, of)
		if body := b.open(hosts).Body; !strings.Contains(body, "/do/transferEvent") {
			t.Errorf("the new organizer sees %s", body)
		}
		org.submit("removeHost", hosts, url.Values{"event_id": {event}, "user_id": {a.As("org").UserID}})
		if r := org.open(hosts); strings.Contains(r.Body, "/do/") && strings.Contains(r.Body, `id="hosts"`) {
			t.Errorf("a former host sees %s", r.Body)
		}
	}, settings...)
}
