package meetup_test

import (
	"context"
	"fmt"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// chess is the body of a request that creates an event, with some fields changed.
func chess(changes apptest.Fields) apptest.Fields {
	body := apptest.Fields{"title": "Chess in the park", "starts_at": "2026-06-05T16:00:00Z", "timezone": "Europe/Moscow"}
	maps.Copy(body, changes)
	return body
}

// TestEventLifecycle follows an event from draft to cancellation.
func TestEventLifecycle(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, stranger, anonymous := a.As("org"), a.As("stranger"), a.Anonymous()
		id := org.Draft(apptest.Fields{"city": "Moscow", "lat": 55.75, "lng": 37.62, "capacity": 12})
		path := "/events/" + id

		created := org.Get(path).Want(200)
		if created.Text("event.status") != "draft" || created.Get("viewer_is_organizer") != true || created.Get("viewer_can_join") != false {
			t.Errorf("the organizer's draft: %s", created.Body)
		}
		stranger.Get(path).WantError(404, "not_found")
		anonymous.Get(path).WantError(404, "not_found")

		done := org.Post(path+"/publish", nil).Want(200)
		if done.Text("event.status") != "published" || done.Get("event.published_at") == nil || done.Get("viewer_can_join") != true {
			t.Errorf("published: %s", done.Body)
		}
		again := org.Post(path+"/publish", nil).Want(200)
		if again.Text("event.updated_at") != done.Text("event.updated_at") {
			t.Error("publishing again changed the event")
		}
		if stranger.Get(path).Want(200).Get("viewer_is_organizer") != false {
			t.Error("the stranger is shown as the organizer")
		}
		anonymous.Get(path).Want(200)

		org.Post(path+"/cancel", nil).Want(200)
		org.Post(path+"/cancel", nil).Want(200)
		if anonymous.Get(path).Want(200).Text("event.status") != "canceled" {
			t.Error("a canceled event is not visible by its link")
		}
		if n := anonymous.Get("/events").Want(200).Len("items"); n != 0 {
			t.Errorf("%d canceled events are listed", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestStatusRestrictsOperations is the table of contract §4.5 for organizers,
// strangers and anonymous callers.
func TestStatusRestrictsOperations(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		made := map[string]string{
			"draft": org.Draft(nil), "published": org.Publish(nil), "canceled": org.Publish(nil),
			"completed":  org.Publish(apptest.Fields{"starts_at": "2026-05-01T10:00:00Z"}),
			"private":    org.Publish(apptest.Fields{"visibility": "private"}),
			"paid draft": org.Draft(apptest.Fields{"price": "paid", "price_amount": 50000, "price_currency": "RUB"}),
		}
		org.Post("/events/"+made["canceled"]+"/cancel", nil).Want(200)
		for _, row := range []struct {
			who, method, action, event string
			body                       any
			status                     int
		}{
			{"org", "POST", "/publish", "canceled", nil, 403},
			{"org", "POST", "/publish", "completed", nil, 403},
			{"org", "POST", "/publish", "paid draft", nil, 403}, // payments are disabled
			{"org", "POST", "/cancel", "completed", nil, 403},
			{"org", "POST", "/cancel", "canceled", nil, 200},
			{"org", "PATCH", "", "canceled", apptest.Fields{"title": "New"}, 403},
			{"org", "PATCH", "", "completed", apptest.Fields{"title": "New"}, 403},
			{"org", "PATCH", "", "published", apptest.Fields{"title": "New"}, 200},
			{"org", "PATCH", "", "draft", apptest.Fields{"visibility": "private"}, 200},
			{"org", "PATCH", "", "published", apptest.Fields{"visibility": "private"}, 403},
			{"org", "PATCH", "", "published", apptest.Fields{"price": "paid", "price_amount": 500, "price_currency": "RUB"}, 403},
			{"org", "PATCH", "", "published", apptest.Fields{"date_mode": "vote"}, 400},
			{"org", "PATCH", "", "canceled", apptest.Fields{"title": ""}, 400}, // invalid input is reported first
			{"stranger", "PATCH", "", "published", apptest.Fields{"title": "New"}, 404},
			{"stranger", "PATCH", "", "published", apptest.Fields{"title": 7}, 404},
			{"stranger", "PATCH", "", "published", `{"title":`, 404},
			{"stranger", "POST", "/publish", "published", nil, 404},
			{"stranger", "POST", "/cancel", "published", nil, 404},
			{"stranger", "GET", "", "private", nil, 404},
			{"stranger", "GET", "", "completed", nil, 200},
			{"anonymous", "POST", "/cancel", "published", nil, 401},
			{"anonymous", "PATCH", "", "published", apptest.Fields{"title": 7}, 401},
			{"anonymous", "GET", "", "canceled", nil, 200},
		} {
			t.Run(row.who+" "+row.method+row.action+" "+row.event, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "anonymous" {
					client = a.As(row.who)
				}
				client.In(t).Do(row.method, "/events/"+made[row.event]+row.action, row.body).Want(row.status)
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestHiddenEventLooksUnknown compares every response about a hidden event with
// that about an unknown one.
func TestHiddenEventLooksUnknown(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		hidden, unknown := a.As("org").Draft(nil), "01890a5d-ac96-774b-bcce-b302099a8057"
		for _, row := range []struct {
			name, method, action string
			body                 any
		}{
			{"detail", "GET", "", nil}, {"update", "PATCH", "", apptest.Fields{}}, {"malformed update", "PATCH", "", "{"},
			{"publish", "POST", "/publish", nil}, {"cancel", "POST", "/cancel", nil},
			{"join", "POST", "/join", nil}, {"malformed join", "POST", "/join", apptest.Fields{"participation_visibility": ""}}, {"leave", "DELETE", "/join", nil},
		} {
			t.Run(row.name, func(t *testing.T) {
				stranger := a.As("stranger").In(t)
				first := stranger.Do(row.method, "/events/"+hidden+row.action, row.body).WantError(404, "not_found")
				second := stranger.Do(row.method, "/events/"+unknown+row.action, row.body).WantError(404, "not_found")
				first.Header.Del("X-Request-Id")
				second.Header.Del("X-Request-Id")
				first.Header.Del("Date")
				second.Header.Del("Date")
				if string(first.Body) != string(second.Body) || fmt.Sprint(first.Header) != fmt.Sprint(second.Header) {
					t.Errorf("hidden: %v %s\nunknown: %v %s", first.Header, first.Body, second.Header, second.Body)
				}
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// TestEventCompletesWithTime moves the clock across the ends of events.
func TestEventCompletesWithTime(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		three := org.Publish(apptest.Fields{"starts_at": "2026-06-01T13:00:00Z"})
		one := org.Publish(apptest.Fields{"starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z"})
		voting := org.Publish(apptest.Fields{"starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z", "date_mode": "vote"})
		status := func(id string) string { return a.Anonymous().Get("/events/" + id).Want(200).Text("event.status") }
		for _, row := range []struct {
			at                 time.Duration // since 13:00
			three, one, voting string
		}{
			{0, "published", "published", "published"},
			{time.Hour - time.Microsecond, "published", "published", "published"},
			{time.Hour, "published", "completed", "published"},
			{3*time.Hour - time.Microsecond, "published", "completed", "published"},
			{3 * time.Hour, "completed", "completed", "completed"},
		} {
			a.Clock.Set(apptest.Today.Add(time.Hour + row.at))
			if status(three) != row.three || status(one) != row.one || status(voting) != row.voting {
				t.Errorf("after %v: %s, %s, %s", row.at, status(three), status(one), status(voting))
			}
			listed := 0
			for _, s := range []string{row.three, row.one, row.voting} {
				if s == "published" {
					listed++
				}
			}
			if n := a.Anonymous().Get("/events").Want(200).Len("items"); n != listed {
				t.Errorf("after %v: %d are listed, want %d", row.at, n, listed)
			}
		}
		if got := a.Anonymous().Get("/events/" + one).Text("event.completed_at"); got != "2026-06-01T14:00:00Z" {
			t.Errorf("completed at %s", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestFailedAnswerUndoesTheChange fails the read of the details that a change returns.
func TestFailedAnswerUndoesTheChange(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			var fails atomic.Bool
			a := apptest.New(t, engine, apptest.StartAt(apptest.Today), apptest.OnStatement(func(_ context.Context, s *db.Stmt) {
				if s.Name() == "event.details" && fails.Load() {
					panic("the test fails this statement")
				}
			}))
			org := a.As("org").Allow5xx()
			for name, change := range map[string]func(path string) *apptest.Reply{
				"publish": func(path string) *apptest.Reply { return org.Post(path+"/publish", nil) },
				"update":  func(path string) *apptest.Reply { return org.Patch(path, apptest.Fields{"title": "Changed"}) },
				"cancel":  func(path string) *apptest.Reply { return org.Post(path+"/cancel", nil) },
			} {
				path := "/events/" + org.Draft(nil)
				before := org.Get(path).Want(200)
				fails.Store(true)
				change(path).Want(500)
				fails.Store(false)
				if after := org.Get(path).Want(200); string(after.Body) != string(before.Body) {
					t.Errorf("%s: %s became %s", name, before.Body, after.Body)
				}
			}
		})
	}
}
