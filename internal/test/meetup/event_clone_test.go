package meetup_test

import (
	"testing"

	"moothall/internal/test/apptest"
)

// TestCloneMakesDraft clones events on Monday, 1 June 2026. A clone is a draft in a later week, at the same local time.
func TestCloneMakesDraft(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		for _, row := range []struct {
			why, starts, zone, want string
		}{
			{"a coming event", "2026-06-05T16:00:00Z", "Europe/Moscow", "2026-06-12T16:00:00Z"},
			{"an event that is over", "2026-05-20T16:00:00Z", "Europe/Moscow", "2026-06-03T16:00:00Z"},
			{"the clocks change in between", "2026-03-25T18:00:00Z", "Europe/Berlin", "2026-06-03T17:00:00Z"},
		} {
			id := org.Publish(chess(apptest.Fields{"starts_at": row.starts, "timezone": row.zone}))
			clone := org.Post("/events/"+id+"/clone", nil).Want(201)
			if clone.Text("event.starts_at") != row.want || clone.Text("event.status") != "draft" || clone.Text("event.id") == id {
				t.Errorf("%s: %s", row.why, clone.Body)
			}
		}
		full := chess(apptest.Fields{"ends_at": "2026-06-05T18:00:00Z", "description": "Bring a board.", "category": "games", "capacity": 12,
			"city": "Moscow", "location_text": "Park", "lat": 55.75, "lng": 37.62, "image_alt": "A board", "theme": "mint",
			"conference_url": "https://meet.example/x", "visibility": "private"})
		id := org.Draft(full)
		org.Put("/events/"+id+"/cover", apptest.Pixel).Want(200)
		org.Post("/events/"+id+"/publish", nil).Want(200)
		org.Post("/events/"+id+"/invitations", apptest.Fields{"email": apptest.Email("guest")}).Want(201)
		guest.Patch("/events/"+id+"/rsvp", apptest.Fields{"status": "accepted"}).Want(200)
		org.Post("/events/"+id+"/cancel", nil).Want(200)
		original, clone := org.Get("/events/"+id).Want(200), org.Post("/events/"+id+"/clone", nil).Want(201)
		for path, want := range map[string]any{
			"event.ends_at": "2026-06-12T18:00:00Z", "event.canceled_at": nil, "event.published_at": nil, "participant_count": 0.0,
			"event.image_url": original.Get("event.image_url"), "event.image_aspect": original.Get("event.image_aspect"),
			"event.image_alt": "A board", "event.description": "Bring a board.",
			"event.category": "games", "event.capacity": 12.0, "event.theme": "mint", "event.conference_url": "https://meet.example/x",
			"event.visibility": "private", "location.city": "Moscow", "location.location_text": "Park", "location.lat": 55.75,
		} {
			if got := clone.Get(path); got != want {
				t.Errorf("%s: %v, want %v", path, got, want)
			}
		}
		guest.Get("/events/"+clone.Text("event.id")).WantError(404, "not_found")
		guest.Post("/events/"+id+"/clone", nil).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// TestCloneStaysInCalendar clones events at the end of the last year that the contract allows.
func TestCloneStaysInCalendar(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for _, row := range []struct {
			why, starts string
			ends        any
			status      int
		}{
			{"a week before the end", "2099-12-24T23:59:59Z", nil, 201},
			{"in the last week", "2099-12-25T00:00:00Z", nil, 403},
			{"with an end in the last week", "2099-12-24T12:00:00Z", "2099-12-25T00:00:00Z", 403},
		} {
			id := org.Draft(chess(apptest.Fields{"starts_at": row.starts, "ends_at": row.ends, "timezone": "UTC"}))
			clone := org.With("Accept", "application/problem+json").Post("/events/"+id+"/clone", nil)
			if clone.Status != row.status || row.status == 403 && clone.Text("reason") != "blocked_by_state" {
				t.Errorf("%s: %d %s", row.why, clone.Status, clone.Body)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
