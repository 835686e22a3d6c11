package meetup_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// invited creates a private event and invites actors by their names.
func invited(c *apptest.Client, names ...string) (event string, invites []string) {
	event = c.Publish(apptest.Fields{"visibility": "private"})
	for _, name := range names {
		reply := c.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email(name)}).Want(201)
		invites = append(invites, reply.Text("calendar_invite_id"))
	}
	return event, invites
}

// dinner creates an entry with invitees.
func dinner(c *apptest.Client, changes apptest.Fields, invitees ...*apptest.Client) string {
	body := apptest.Fields{"title": "Dinner", "starts_at": "2026-06-06T18:00:00Z"}
	if len(invitees) > 0 {
		var ids []string
		for _, i := range invitees {
			ids = append(ids, i.UserID)
		}
		body["invitee_user_ids"] = ids
	}
	maps.Copy(body, changes)
	return c.Post("/calendar/entries", body).Want(201).Text("id")
}

// statuses returns the status of each entry of a calendar, by id. The calendar may have 100.
func statuses(c *apptest.Client) map[string]string {
	reply := c.Get("/calendar/entries?include_canceled=true&limit=100").Want(200)
	all := map[string]string{}
	for i := range reply.Len("items") {
		entry := fmt.Sprintf("items.%d.", i)
		all[reply.Text(entry+"id")] = reply.Text(entry + "status")
	}
	return all
}

func TestOwnEntryIsCreatedChangedAndCanceled(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, bob := a.As("ann"), a.As("bob")
		made := ann.Post("/calendar/entries", apptest.Fields{"title": " Dinner ", "starts_at": "2026-06-06T20:00:00+02:00",
			"ends_at":  "2026-06-06T22:00:00+02:00",
			"timezone": "Europe/Berlin", "location_text": "Home", "notes": "Bring\nwine"}).Want(201)
		id := "/calendar/entries/" + made.Text("id")
		for path, want := range map[string]any{"title": "Dinner", "starts_at": "2026-06-06T18:00:00Z", "ends_at": "2026-06-06T20:00:00Z",
			"timezone": "Europe/Berlin",
			"status":   "confirmed", "source": "manual", "event_id": nil, "all_day": false, "notes": "Bring\nwine", "location_text": "Home",
			"owner_user_id": ann.UserID} {
			if got := made.Get(path); got != want {
				t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		a.Clock.Advance(time.Minute)
		if same := ann.Patch(id, apptest.Fields{}).Want(200); string(same.Body) != string(made.Body) {
			t.Errorf("an update without changes turned %s into %s", made.Body, same.Body)
		}
		changed := ann.Patch(id, apptest.Fields{"notes": nil, "ends_at": nil, "title": "Supper"}).Want(200)
		if changed.Get("notes") != nil || changed.Get("ends_at") != nil || changed.Text("title") != "Supper" ||
			changed.Text("updated_at") == made.Text("updated_at") {
			t.Errorf("changed: %s", changed.Body)
		}
		for _, c := range []*apptest.Client{bob, a.As("stranger")} {
			c.Patch(id, apptest.Fields{"title": "Mine"}).WantError(404, "not_found")
			c.Delete(id).WantError(404, "not_found")
		}
		first := ann.Delete(id).Want(200)
		if again := ann.Delete(id).Want(200); first.Text("status") != "canceled" || string(again.Body) != string(first.Body) {
			t.Errorf("canceled %s, again %s", first.Body, again.Body)
		}
		ann.Patch(id, apptest.Fields{"title": "Lunch"}).WantError(403, "forbidden")
		if n := ann.Get("/calendar/entries").Len("items"); n != 0 {
			t.Errorf("%d entries are left", n)
		}
		if got := statuses(ann); len(got) != 1 {
			t.Errorf("with canceled ones there are %v", got)
		}
		for _, path := range []string{"/calendar/entries", "/calendar/invites", "/calendar/feed"} {
			a.Anonymous().Get(path).WantError(401, "unauthorized")
		}
	}, apptest.StartAt(apptest.Today))
}

func TestEntryFieldsAreValidated(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		entry := "/calendar/entries/" + dinner(ann, nil)
		for _, row := range []struct {
			what   string
			body   apptest.Fields
			status int
		}{
			{"a title of 120", apptest.Fields{"title": strings.Repeat("é", 120)}, 200},
			{"a title of 121", apptest.Fields{"title": strings.Repeat("é", 121)}, 400},
			{"no title", apptest.Fields{"title": " "}, 400},
			{"an end before the start", apptest.Fields{"ends_at": "2026-06-06T17:59:59Z"}, 400},
			{"an end at the start", apptest.Fields{"ends_at": "2026-06-06T18:00:00Z"}, 400},
			{"a start after the end", apptest.Fields{"starts_at": "2026-06-07T18:00:00Z", "ends_at": "2026-06-07T01:00:00Z"}, 400},
			{"a start without an offset", apptest.Fields{"starts_at": "2026-06-07T18:00:00"}, 400},
			{"a zone", apptest.Fields{"timezone": "Asia/Tokyo"}, 200},
			{"a fixed offset", apptest.Fields{"timezone": "Etc/GMT-3"}, 400},
			{"an unknown zone", apptest.Fields{"timezone": "Europe/Atlantis"}, 400},
			{"the machine's zone", apptest.Fields{"timezone": "Local"}, 400},
			{"a location of 301", apptest.Fields{"location_text": strings.Repeat("x", 301)}, 400},
			{"a location of two lines", apptest.Fields{"location_text": "a\nb"}, 400},
			{"notes of 2000", apptest.Fields{"notes": strings.Repeat("я", 2000)}, 200},
			{"notes of 2001", apptest.Fields{"notes": strings.Repeat("я", 2001)}, 400},
			{"another status", apptest.Fields{"status": "canceled", "source": "event", "event_id": ann.UserID}, 200},
		} {
			t.Run(row.what, func(t *testing.T) {
				ann.In(t).Patch(entry, row.body).Want(row.status)
				create := apptest.Fields{"title": "Dinner", "starts_at": "2026-06-06T18:00:00Z"}
				maps.Copy(create, row.body)
				ann.In(t).Post("/calendar/entries", create).Want(map[int]int{200: 201, 400: 400}[row.status])
			})
		}
		for _, text := range apptest.Texts(t) {
			for _, field := range []string{"title", "location_text", "notes"} {
				ann.Patch(entry, apptest.Fields{field: text}) // never 5xx
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestEventEntriesFollowTheEvent checks the entries of an event after each change of the
// event.
func TestEventEntriesFollowTheEvent(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event, invites := invited(org, "ann")
		entry, rsvp := "/calendar/entries/"+event, "/events/"+event+"/rsvp"
		expect := func(step, ofOrg, ofAnn string) {
			t.Helper()
			if got := statuses(org)[event]; got != ofOrg {
				t.Errorf("%s: the organizer's entry is %q, want %q", step, got, ofOrg)
			}
			if got := statuses(ann)[event]; got != ofAnn {
				t.Errorf("%s: ann's entry is %q, want %q", step, got, ofAnn)
			}
			a.Clock.Advance(time.Second)
		}
		expect("invited", "confirmed", "")
		ann.Patch(entry, apptest.Fields{"notes": "x"}).WantError(404, "not_found")
		ann.Patch(rsvp, apptest.Fields{"status": "tentative"}).Want(200)
		expect("tentative", "confirmed", "tentative")
		ann.Patch("/calendar/invites/"+invites[0], apptest.Fields{"status": "accepted"}).Want(200)
		expect("accepted through the calendar", "confirmed", "confirmed")
		if got := ann.Get("/events/" + event).Text("viewer_participation_status"); got != "going" {
			t.Errorf("ann's participation is %s", got)
		}
		ann.Patch("/calendar/invites/"+invites[0], apptest.Fields{"status": "declined"}).Want(200)
		expect("declined through the calendar", "confirmed", "canceled")
		ann.Patch(rsvp, apptest.Fields{"status": "accepted"}).Want(200)
		expect("accepted", "confirmed", "confirmed")
		ann.Delete("/events/" + event + "/join").Want(200)
		expect("left", "confirmed", "canceled")
		ann.Patch(rsvp, apptest.Fields{"status": "accepted"}).Want(200)

		noted := ann.Patch(entry, apptest.Fields{"notes": "Bring the dice."}).Want(200)
		if noted.Text("notes") != "Bring the dice." || noted.Text("source") != "event" || noted.Text("event_id") != event ||
			noted.Text("id") != event || noted.Text("owner_user_id") != ann.UserID {
			t.Errorf("with notes: %s", noted.Body)
		}
		if org.Patch(entry, apptest.Fields{}).Want(200).Get("notes") != nil {
			t.Error("ann's notes are in the organizer's calendar")
		}
		for _, field := range []apptest.Fields{{"title": "Mine"}, {"starts_at": "2026-06-07T18:00:00Z"}, {"ends_at": nil},
			{"timezone": "Asia/Tokyo"}, {"all_day": true}, {"location_text": nil}} {
			ann.Patch(entry, field).WantError(400, "invalid_request")
		}
		org.Patch("/events/"+event, apptest.Fields{"title": "Go", "starts_at": "2026-06-05T17:00:00Z", "location_text": "Café"}).Want(200)
		if seen := ann.Get("/calendar/entries").Want(200); seen.Text("items.0.title") != "Go" ||
			seen.Text("items.0.starts_at") != "2026-06-05T17:00:00Z" || seen.Text("items.0.location_text") != "Café" {
			t.Errorf("changed: %s", seen.Body)
		}

		if got := ann.Delete(entry).Want(200).Text("status"); got != "canceled" {
			t.Errorf("after removal the entry is %s", got)
		}
		ann.Delete(entry).Want(200)
		expect("removed", "confirmed", "canceled")
		if got := ann.Get("/events/" + event).Text("viewer_participation_status"); got != "going" {
			t.Errorf("after removal from the calendar ann's participation is %s", got)
		}
		ann.Patch(rsvp, apptest.Fields{"status": "accepted"}).Want(200)
		expect("accepted again", "confirmed", "confirmed")
		org.Delete(entry).Want(200)
		expect("removed by the organizer", "canceled", "confirmed")
		org.Post("/events/"+event+"/cancel", nil).Want(200)
		expect("event canceled", "canceled", "canceled")
	}, apptest.StartAt(apptest.Today))
}

func TestCalendarContainsVisibleEventsOnly(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		public, secret := org.Publish(nil), org.Publish(nil)
		draft := org.Post("/events", apptest.Fields{"title": "Draft", "starts_at": "2026-06-05T16:00:00Z"}).Want(201).Text("event.id")
		ann.Post("/events/"+public+"/join", nil).Want(200)
		ann.Post("/events/"+secret+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		bob.Post("/events/"+public+"/join", nil).Want(200)
		bob.Delete("/events/" + public + "/join").Want(200)
		if got := statuses(ann); len(got) != 2 || got[public] != "confirmed" || got[secret] != "confirmed" {
			t.Errorf("ann: %v", got)
		}
		if got := statuses(bob); len(got) != 1 || got[public] != "canceled" {
			t.Errorf("bob: %v", got)
		}
		if got := statuses(org); len(got) != 3 || got[draft] != "tentative" || got[public] != "confirmed" {
			t.Errorf("org: %v", got)
		}
		a.Clock.Advance(time.Minute)
		bob.Post("/events/"+public+"/join", nil).Want(200)
		if got := statuses(bob); got[public] != "confirmed" {
			t.Errorf("bob is back: %v", got)
		}
		org.Post("/users/"+ann.UserID+"/block", nil).Want(200)
		if got := statuses(ann); len(got) != 0 {
			t.Errorf("blocked, ann has %v", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestListPages checks that pages of any size neither skip nor repeat entries, even with
// equal starts.
func TestListPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, org := a.As("ann"), a.As("org")
		for i := range 12 {
			dinner(ann, apptest.Fields{"starts_at": fmt.Sprintf("2026-06-%02dT16:00:00Z", 3+i/3), "ends_at": fmt.Sprintf("2026-06-%02dT20:00:00Z",
				3+i/3)})
			event := org.Publish(apptest.Fields{"starts_at": fmt.Sprintf("2026-06-%02dT16:00:00Z", 3+i/2)})
			ann.Post("/events/"+event+"/join", nil).Want(200)
		}
		walk := func(query string) (ids []string) {
			t.Helper()
			cursor := ""
			for {
				page := ann.Get("/calendar/entries?" + query + cursor).Want(200)
				for i := range page.Len("items") {
					ids = append(ids, page.Text(fmt.Sprintf("items.%d.id", i)))
				}
				next, more := page.Get("next_cursor").(string)
				if !more {
					return ids
				}
				cursor = "&cursor=" + next
			}
		}
		all := walk("limit=100")
		if len(all) != 24 {
			t.Fatalf("%d entries", len(all))
		}
		for _, limit := range []int{1, 5, 23, 24} {
			if got := walk(fmt.Sprintf("limit=%d", limit)); strings.Join(got, " ") != strings.Join(all, " ") {
				t.Errorf("in pages of %d: %v", limit, got)
			}
		}
		// Dinners take from 16 to 20 h, events from 16 to 19 h.
		for query, want := range map[string]int{
			"from=2026-06-04T20:00:00Z": 24 - 3 - 4, "from=2026-06-04T20:00:01Z": 24 - 6 - 4, "from=2027-01-01T00:00:00Z": 0,
			"to=2026-06-04T16:00:00Z": 3 + 2, "to=2026-06-04T16:00:01Z": 6 + 4, "from=2026-06-04T20:00:00Z&to=2026-06-05T16:00:00Z": 3,
		} {
			if got := walk(query); len(got) != want {
				t.Errorf("%s: %d, want %d", query, len(got), want)
			}
		}
		for _, query := range []string{"cursor=x", "cursor=WyJwZW9wbGUuMSJd", "limit=0", "limit=101", "from=yesterday",
			"from=2026-06-04T20:00:00Z&to=2026-06-03T20:00:00Z"} {
			ann.Get("/calendar/entries?"+query).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}
