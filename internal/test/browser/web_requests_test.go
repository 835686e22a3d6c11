package browser

import (
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestRequests asks to join, withdraws, is declined, approved and removed, and lets the organizer change the policy, without scripts.
func TestRequests(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"max_party_size": 2})
	page := "/events/" + event
	org, ben, cleo := signedIn(t, a, "org"), signedIn(t, a, "ben"), signedIn(t, a, "cleo")
	org.step("updateEvent", page+"/edit", map[string]string{"event_id": event, "join_policy": "approval"})
	ask := func(b *webBrowser) {
		t.Helper()
		b.step("joinEvent", page, map[string]string{"event_id": event, "party_size": "2", "participation_visibility": "incognito"})
	}
	decide := func(action, name string) {
		t.Helper()
		fields := map[string]string{"event_id": event, "participant_id": participantOf(a, event, name), "list": "requests"}
		to := org.step(action, page+"/guests", fields)
		if parsed, err := url.Parse(to); err != nil || parsed.Path != page+"/guests" {
			t.Errorf("%s leads to %s", action, to)
		}
	}
	shows(t, ben.open(page).Body, "Ask to join", "The hosts decide who comes")
	ask(ben)
	shows(t, ben.open(page).Body, "You asked to join", "Withdraw the request")
	ben.step("leaveEvent", page, map[string]string{"event_id": event})
	shows(t, ben.open(page).Body, "Ask to join")
	ask(ben)
	ask(cleo)
	shows(t, org.open(page+"/guests").Body, "Requests to join", "Approve all", "2 people", "Incognito")
	decide("declineParticipant", "ben")
	shows(t, ben.open(page).Body, "You may ask once more", "Ask to join")
	decide("approveParticipant", "cleo")
	shows(t, cleo.open(page).Body, "You are going")
	ask(ben)
	org.step("approveRequests", page+"/guests", map[string]string{"event_id": event})
	shows(t, ben.open(page).Body, "You are going", "4 going")

	decide("removeParticipant", "ben")
	if body := ben.open(page).Body; strings.Contains(body, "Ask to join") {
		t.Errorf("a removed guest may ask: %s", body)
	}
	shows(t, ben.open(page).Body, "You are no longer a guest", "2 going")
	shows(t, org.open(page+"/guests?guests=removed").Body, "Let join again")
	decide("approveParticipant", "ben")
	shows(t, ben.open(page).Body, "Ask to join")
}

// participantOf returns the id of a guest in any list of the organizer.
func participantOf(a *apptest.App, event, name string) string {
	user := a.As(name).UserID
	for _, status := range []string{"going", "requested", "removed"} {
		list := a.As("org").Get("/events/" + event + "/participants?status=" + status).Want(200)
		for _, item := range list.Get("items").([]any) {
			participant := item.(map[string]any)["participant"].(map[string]any)
			if participant["user_id"] == user {
				return participant["id"].(string)
			}
		}
	}
	return ""
}
