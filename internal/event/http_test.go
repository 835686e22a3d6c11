package event_test

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"moothall/internal/apptest"
)

// fields is a body of POST or PATCH.
type fields = map[string]any

// today is the moment at which the tests of this room play.
var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// chess is an event that anybody could create.
func chess(changes fields) fields {
	body := fields{"title": "Chess in the park", "starts_at": "2026-06-05T16:00:00Z", "timezone": "Europe/Moscow"}
	maps.Copy(body, changes)
	return body
}

func draft(c *apptest.Client, changes fields) string {
	return c.Post("/events", chess(changes)).Want(201).Text("event.id")
}

func published(c *apptest.Client, changes fields) string {
	id := draft(c, changes)
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// ids gives the event ids of a list, in order.
func ids(r *apptest.Reply) []string {
	var found []string
	for i := range r.Want(200).Len("items") {
		found = append(found, r.Text(fmt.Sprintf("items.%d.event.id", i)))
	}
	return found
}

func TestLifeOfAnEvent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, stranger, anonymous := a.As("org"), a.As("stranger"), a.Anonymous()
		id := draft(org, fields{"city": "Moscow", "lat": 55.75, "lng": 37.62, "capacity": 12})
		path := "/events/" + id

		seen := org.Get(path).Want(200)
		if seen.Text("event.status") != "draft" || seen.Get("viewer_is_organizer") != true || seen.Get("viewer_can_join") != false {
			t.Errorf("the organizer's draft: %s", seen.Body)
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
			t.Error("the stranger organizes it")
		}
		anonymous.Get(path).Want(200)

		org.Post(path+"/cancel", nil).Want(200)
		org.Post(path+"/cancel", nil).Want(200)
		if anonymous.Get(path).Want(200).Text("event.status") != "canceled" {
			t.Error("a canceled event stays visible by its link")
		}
		if found := ids(anonymous.Get("/events")); len(found) != 0 {
			t.Errorf("a canceled event is listed: %v", found)
		}
	}, apptest.StartAt(today))
}

// TestStates is the table of contract §4.5, and who is asked.
func TestStates(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		made := map[string]string{
			"draft": draft(org, nil), "published": published(org, nil), "canceled": published(org, nil), "completed": published(org, fields{"starts_at": "2026-05-01T10:00:00Z"}),
			"private": published(org, fields{"visibility": "private"}), "paid draft": draft(org, fields{"price": "paid", "price_amount": 50000, "price_currency": "RUB"}),
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
			{"org", "PATCH", "", "canceled", fields{"title": "New"}, 403},
			{"org", "PATCH", "", "completed", fields{"title": "New"}, 403},
			{"org", "PATCH", "", "published", fields{"title": "New"}, 200},
			{"org", "PATCH", "", "draft", fields{"visibility": "private"}, 200},
			{"org", "PATCH", "", "published", fields{"visibility": "private"}, 403},
			{"org", "PATCH", "", "published", fields{"price": "paid", "price_amount": 500, "price_currency": "RUB"}, 403},
			{"org", "PATCH", "", "published", fields{"date_mode": "vote"}, 400},
			{"org", "PATCH", "", "canceled", fields{"title": ""}, 400}, // what is malformed is said first
			{"stranger", "PATCH", "", "published", fields{"title": "New"}, 404},
			{"stranger", "PATCH", "", "published", fields{"title": 7}, 404},
			{"stranger", "PATCH", "", "published", `{"title":`, 404},
			{"stranger", "POST", "/publish", "published", nil, 404},
			{"stranger", "POST", "/cancel", "published", nil, 404},
			{"stranger", "GET", "", "private", nil, 404},
			{"stranger", "GET", "", "completed", nil, 200},
			{"nobody", "POST", "/cancel", "published", nil, 401},
			{"nobody", "PATCH", "", "published", fields{"title": 7}, 401},
			{"nobody", "GET", "", "canceled", nil, 200},
		} {
			t.Run(row.who+" "+row.method+row.action+" "+row.event, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "nobody" {
					client = a.As(row.who)
				}
				client.In(t).Do(row.method, "/events/"+made[row.event]+row.action, row.body).Want(row.status)
			})
		}
	}, apptest.StartAt(today))
}

func TestHiddenLooksLikeMissing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		hidden, unknown := draft(a.As("org"), nil), "01890a5d-ac96-774b-bcce-b302099a8057"
		for _, row := range []struct {
			name, method, action string
			body                 any
		}{
			{"detail", "GET", "", nil}, {"update", "PATCH", "", fields{}}, {"malformed update", "PATCH", "", "{"},
			{"publish", "POST", "/publish", nil}, {"cancel", "POST", "/cancel", nil},
			{"join", "POST", "/join", nil}, {"malformed join", "POST", "/join", fields{"participation_visibility": ""}}, {"leave", "DELETE", "/join", nil},
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
	}, apptest.StartAt(today))
}

func TestCompletedByTime(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		three := published(org, fields{"starts_at": "2026-06-01T13:00:00Z"})
		one := published(org, fields{"starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z"})
		voting := published(org, fields{"starts_at": "2026-06-01T13:00:00Z", "ends_at": "2026-06-01T14:00:00Z", "date_mode": "vote"})
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
			a.Clock.Set(today.Add(time.Hour + row.at))
			if status(three) != row.three || status(one) != row.one || status(voting) != row.voting {
				t.Errorf("after %v: %s, %s, %s", row.at, status(three), status(one), status(voting))
			}
			listed := 0
			for _, s := range []string{row.three, row.one, row.voting} {
				if s == "published" {
					listed++
				}
			}
			if found := ids(a.Anonymous().Get("/events")); len(found) != listed {
				t.Errorf("after %v: %d are listed, want %d", row.at, len(found), listed)
			}
		}
		if got := a.Anonymous().Get("/events/" + one).Text("event.completed_at"); got != "2026-06-01T14:00:00Z" {
			t.Errorf("completed at %s", got)
		}
	}, apptest.StartAt(today))
}
