package browser

import (
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// shows fails the test unless a page contains all texts.
func shows(t *testing.T, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(body, text) {
			t.Errorf("no %q in %s", text, body)
		}
	}
}

// TestWaitlist switches a waiting list on in the form of an event, waits, gets an offer and takes it, and gives up another, without
// scripts.
func TestWaitlist(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"capacity": 2, "max_party_size": 2})
	page := "/events/" + event
	org, ben, cleo, dora := signedIn(t, a, "org"), signedIn(t, a, "ben"), signedIn(t, a, "cleo"), signedIn(t, a, "dora")
	join := func(b *webBrowser, party string) {
		b.step("joinEvent", page, map[string]string{"event_id": event, "party_size": party, "participation_visibility": "public"})
	}
	join(ben, "2")
	shows(t, cleo.open(page).Body, "All seats are taken")
	org.step("updateEvent", page+"/edit", map[string]string{"event_id": event, "waitlist": "offer", "waitlist_offer_minutes": "1440"})
	shows(t, cleo.open(page).Body, "gets an offer for 1 day", "Join the waiting list")
	for _, b := range []*webBrowser{cleo, dora} {
		b.step("enterWaitlist", page, map[string]string{"event_id": event, "party_size": "2", "participation_visibility": "public"})
	}
	shows(t, dora.open(page).Body, "You are number 2 on the waiting list", "Leave the waiting list")
	shows(t, org.open(page+"/guests").Body, "Waiting list", "Offer a seat", "2 people")
	shows(t, dora.open("/my?role=waiting").Body, "Chess in the park")

	ben.step("changeParticipation", page, map[string]string{"event_id": event, "party_size": "1"})
	a.RunJobs()
	shows(t, cleo.open(page).Body, "1 seat is free now", "Come alone", " waits hx-get=") // live-event also follows the list
	ben.step("leaveEvent", page, map[string]string{"event_id": event})
	a.RunJobs()
	shows(t, cleo.open(page).Body, "2 seats are free for you", "Take the offer until")
	shows(t, org.open(page+"/guests").Body, "Offer until")
	cleo.step("leaveWaitlist", page, map[string]string{"event_id": event})
	shows(t, cleo.open(page).Body, "Join the waiting list")
	a.RunJobs()
	shows(t, dora.open(page).Body, "2 seats are free for you")
	dora.step("joinEvent", page, map[string]string{"event_id": event})
	shows(t, dora.open(page).Body, "You are going", "2 going")
}
