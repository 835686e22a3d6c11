package meetup_test

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// TestKeyNamesNoIncognitoGuest reads, with an API key of the organizer, everything that names guests, while Uma takes part incognito. The
// organizer's session reads the name in each.
func TestKeyNamesNoIncognitoGuest(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, uma := a.As("org"), a.As("uma")
		incognito := func(more apptest.Fields) apptest.Fields {
			more["participation_visibility"] = "incognito"
			return more
		}
		going, meal, _, _ := asking(a, nil)
		uma.Post(going+"/join", incognito(answers(answer(meal, "vegetarian")))).Want(200)
		private := "/events/" + org.Publish(apptest.Fields{"visibility": "private"})
		org.Post(private+"/invitations", apptest.Fields{"email": apptest.Email("uma")}).Want(201)
		uma.Patch(private+"/rsvp", incognito(apptest.Fields{"status": "accepted"})).Want(200)
		open := "/events/" + org.Publish(apptest.Fields{"join_policy": "approval", "starts_at": "2026-06-11T16:00:00Z"})
		asked := uma.Post(open+"/join", incognito(apptest.Fields{})).Want(200).Text("id")
		full := "/events/" + org.Publish(apptest.Fields{"capacity": 1, "waitlist": "offer", "starts_at": "2026-06-12T16:00:00Z"})
		a.As("first").Post(full+"/join", nil).Want(200)
		uma.Post(full+"/waitlist", incognito(apptest.Fields{})).Want(201)
		removed := "/events/" + org.Publish(apptest.Fields{"starts_at": "2026-06-13T16:00:00Z"})
		out := uma.Post(removed+"/join", incognito(apptest.Fields{})).Want(200).Text("id")
		org.Delete(removed + "/participants/" + out).Want(204)
		over, _ := reviewed(a, org, map[string]string{"uma": "incognito"})

		key := org.Post("/me/api-keys", apptest.Fields{"name": "Printer", "scopes": []string{"attendance:read", "attendance:write",
			"reviews:read", "notifications:read", "events:read", "guest_messages:read"}}).Want(201).Text("key")
		program := a.WithBearer(key)
		for path, count := range map[string]int{going + "/participants": 1, going + "/participants?limit=1": 1, going + "/answers": 0,
			going + "/participants?question_id=" + meal: 0, private + "/participants": 1, private + "/invitations?status=accepted": 0,
			open + "/participants?status=requested": 1, full + "/waitlist/entries": 1, removed + "/participants?status=removed": 1,
			"/events/" + over + "/reviews": 1} {
			r := program.Get(path).Want(200)
			if identifies(r, uma) || strings.Contains(string(r.Body), `"value":"vegetarian"`) || r.Len("items") != count {
				t.Errorf("a key reads %s: %s", path, r.Body)
			}
			if got := org.Get(path).Want(200); !identifies(got, uma) {
				t.Errorf("the organizer reads %s: %s", path, got.Body)
			}
		}
		for _, path := range []string{going + "/participants.csv", going + "/answers.csv", "/notifications", "/notifications?limit=100"} {
			if r := program.Get(path).Want(200); identifies(r, uma) {
				t.Errorf("a key reads %s: %s", path, r.Body)
			}
		}
		if r := program.Get(going + "/participants.csv").Want(200); !strings.Contains(string(r.Body), `"Guest `) {
			t.Errorf("the guest has no code: %s", r.Body)
		}
		if r := org.Get("/notifications?limit=100").Want(200); !identifies(r, uma) {
			t.Errorf("the organizer is not notified about the guest: %s", r.Body)
		}
		if r := program.Post(open+"/participants/"+asked+"/approve", nil).Want(200); identifies(r, uma) {
			t.Errorf("a key approves %s", r.Body)
		}
		if got := uma.Get(open).Want(200).Text("viewer_participation_status"); got != "going" {
			t.Errorf("the guest is %s", got)
		}
	}, apptest.StartAt(apptest.Today.Add(-time.Minute)))
}
