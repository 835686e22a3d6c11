package browser

import (
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestParties allows companions in the form of an event, joins with them, and changes their number, without scripts.
func TestParties(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(apptest.Fields{"capacity": 4})
	page := "/events/" + event
	org, ben := signedIn(t, a, "org"), signedIn(t, a, "ben")
	if body := ben.open(page).Body; strings.Contains(body, `name="party_size"`) {
		t.Error("the page of an event without companions asks how many people come")
	}
	org.step("updateEvent", page+"/edit", map[string]string{"event_id": event, "max_party_size": "3"})
	for _, step := range []struct {
		action string
		fields map[string]string
		shows  []string
	}{
		{"joinEvent", map[string]string{"party_size": "3", "participation_visibility": "public"}, []string{"3 going", "1 seat left", `<option value="3" selected>`}},
		{"changeParticipation", map[string]string{"party_size": "2"}, []string{"2 going", "2 seats left", `<option value="2" selected>`}},
		{"changeParticipation", map[string]string{"participation_visibility": "incognito"}, []string{"2 going", "You are going incognito"}},
	} {
		fields := step.fields
		fields["event_id"] = event
		ben.step(step.action, page, fields)
		body := ben.open(page).Body
		for _, want := range step.shows {
			if !strings.Contains(body, want) {
				t.Errorf("%s %v: no %q in %s", step.action, step.fields, want, body)
			}
		}
	}
	if body := org.open(page + "/guests").Body; !strings.Contains(body, "2 people") {
		t.Errorf("the organizer does not see the party: %s", body)
	}
	cleo := signedIn(t, a, "cleo")
	if body := cleo.open(page).Body; strings.Contains(body, `<option value="3"`) || !strings.Contains(body, `<option value="2"`) {
		t.Errorf("the page offers more people than seats: %s", body)
	}
}
