package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// optionIDs returns the date options of an event, by start.
func optionIDs(a *apptest.App, event string) (ids []string) {
	options := a.As("org").Get("/events/" + event + "/date-options").Want(http.StatusOK)
	for i := range options.Len("items") {
		ids = append(ids, options.Text(fmt.Sprintf("items.%d.id", i)))
	}
	return ids
}

// TestDateVote creates an event whose date is voted on, adds dates, lets two people vote and selects
// a date.
func TestDateVote(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := signedIn(t, a, "org")
		where := org.step("createEvent", "/events/new", map[string]string{
			"title": "Chess", "starts_at": "2026-06-20T19:30", "timezone": "Europe/Berlin", "date_mode": "vote",
		})
		event := strings.Split(where, "/")[2]
		dates := "/events/" + event + "/edit"
		for _, day := range []string{"2026-06-26T20:00", "2026-06-27T20:00"} {
			org.step("createDateOption", dates, map[string]string{"event_id": event, "timezone": "Europe/Berlin", "starts_at": day,
				"note": "In the park", "key": day})
		}
		org.step("updateEvent", dates, map[string]string{"event_id": event, "publish": "yes"})
		ids, page := optionIDs(a, event), "/events/"+event
		if body := org.open(dates).Body; len(ids) != 2 || strings.Count(body, "In the park") != 2 ||
			!strings.Contains(body, `value="`+ids[0]+`"`) {
			t.Errorf("%v %s", ids, body)
		}

		if body := visitor(t, a).open(page).Body; !strings.Contains(body, "Sign in to see the dates") {
			t.Errorf("anonymous: %s", body)
		}
		ben := signedIn(t, a, "ben")
		if body := ben.open(page).Body; !strings.Contains(body, "Join the event to vote") || strings.Contains(body, `name="option_id"`) {
			t.Errorf("not going: %s", body)
		}
		a.As("ben").Join(event)
		ben.submit("voteForDateOption", page, url.Values{"event_id": {event}, "option_id": ids})
		ben.submit("voteForDateOption", page, url.Values{"event_id": {event}, "option_id": ids[1:]}) // withdraws one vote
		org.submit("voteForDateOption", page, url.Values{"event_id": {event}, "option_id": ids[1:]})
		if body := ben.open(page).Body; strings.Count(body, "0 votes") != 1 || strings.Count(body, "2 votes") != 1 ||
			strings.Contains(body, "/do/selectDateOption") {
			t.Errorf("%s", body)
		}
		if body := org.open(page).Body; !strings.Contains(body, `form="select-date" name="selected" value="`+ids[1]+`"`) {
			t.Errorf("Enter in the form of votes could select a date: %s", body)
		}
		if r := ben.submit("selectDateOption", page,
			url.Values{"event_id": {event}, "selected": {ids[1]}}); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("a guest selects: %d", r.StatusCode)
		}
		org.step("selectDateOption", page, map[string]string{"event_id": event, "selected": ids[1]})
		if e := a.As("ben").Get(page).Want(http.StatusOK); e.Text("event.starts_at") != "2026-06-27T18:00:00Z" ||
			e.Text("event.date_mode") != "fixed" {
			t.Errorf("%s", e.Body)
		}
		if body := org.open(dates).Body; !strings.Contains(body, "Chosen") || !strings.Contains(body, "The date is fixed") {
			t.Errorf("%s", body)
		}
		org.step("setEventDateMode", dates, map[string]string{"event_id": event, "mode": "vote"})
		if e := a.As("ben").Get(page).Want(http.StatusOK); e.Text("event.date_mode") != "vote" {
			t.Errorf("%s", e.Body)
		}
	}, settings...)
}

func TestReminderSettings(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	event := a.As("org").Publish(nil)
	org, dates := signedIn(t, a, "org"), "/events/"+event+"/edit"
	send := func(fields url.Values) answer {
		fields.Set("event_id", event)
		return org.submit("setReminderSettings", dates, fields)
	}
	if r := send(url.Values{"enabled": {"on"}}); r.StatusCode != http.StatusUnprocessableEntity ||
		!strings.Contains(r.Body, "Choose one to five times") {
		t.Errorf("%d %s", r.StatusCode, r.Body)
	}
	r := send(url.Values{"enabled": {"on"}, "ask_again": {"on"}, "offsets_minutes": {"180", "2880"}, "channels": {"email"}})
	if r.Header.Get("Location") != "/events/"+event+"/edit?saved=reminders#reminders" {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	settings := a.As("org").Get("/events/" + event + "/reminders").Want(http.StatusOK)
	if got := fmt.Sprint(settings.Get("enabled"), settings.Get("ask_again"), settings.Get("offsets_minutes"),
		settings.Get("channels")); got != "true true [2880 180] [in_app email]" {
		t.Error(got)
	}
	body := org.open(dates).Body
	for _, want := range []string{`name="enabled" value="on" checked`, `value="180" checked`, `value="2880" checked`, `value="email" checked`,
		"3 hours", "2 days"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}
