package browser

import (
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestSeriesPages repeats a draft, joins all its dates, skips one, and pauses and ends the series, without scripts.
func TestSeriesPages(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	draft := a.As("org").Draft(apptest.Fields{"title": "Reading circle", "timezone": "Europe/Berlin"}) // on a Friday
	repeat := "/events/" + draft + "/repeat"
	org, ann := signedIn(t, a, "org"), signedIn(t, a, "ann")
	shows(t, org.open("/events/"+draft+"/edit").Body, "Repeat this event")
	shows(t, org.open(repeat).Body, "Every Friday", "Every second Friday", "First Friday of the month", "Show dates", "Friday, 12 June, 18:00")
	shows(t, org.open(repeat+"?rrule=FREQ%3DMONTHLY%3BBYDAY%3D1FR").Body, "Friday, 3 July")
	shows(t, org.open(repeat+"?rrule=custom&custom=freq%3Ddaily").Body, "Saturday, 6 June")
	shows(t, org.open(repeat+"?rrule=custom&custom=nonsense").Body, "There are no dates")

	org.step("createEventSeries", repeat, map[string]string{"event_id": draft, "rrule": "FREQ=WEEKLY;BYDAY=FR"})
	first := a.Anonymous().Get("/events?q=reading").Want(200)
	event := "/events/" + first.Text("items.0.event.id")
	series := a.Anonymous().Get(event).Want(200).Text("event.series_id")
	page := "/event-series/" + series
	if first.Len("items") != 8 || a.As("org").Get("/events/"+draft).Text("event.status") != "canceled" {
		t.Errorf("the draft was not replaced by eight dates: %s", first.Body)
	}
	shows(t, ann.open(event).Body, "Part of a series", "Friday, 12 June, 18:00", "Join all dates", page)
	ann.step("joinEventSeries", event, map[string]string{"series_id": series})
	shows(t, ann.open(event).Body, "You are going to all dates", "You are going")
	second := a.Anonymous().Get(page + "/events").Want(200).Text("items.1.event.id")
	org.step("skipSeriesDate", page, map[string]string{"series_id": series, "event_id": second})
	org.step("updateEventSeries", page, map[string]string{"series_id": series, "title": "Book club", "location_text": "Back room",
		"apply": "untouched_upcoming"})
	shows(t, ann.open(event).Body, "Book club", "Back room")
	org.step("pauseEventSeries", page, map[string]string{"series_id": series})
	body := org.open(page).Body
	shows(t, body, "Canceled", "This series is paused", "Continue", "Skip")
	org.step("resumeEventSeries", page, map[string]string{"series_id": series})
	org.step("endEventSeries", page, map[string]string{"series_id": series})
	shows(t, ann.open(page).Body, "This series has ended")
	ann.step("leaveEventSeries", page, map[string]string{"series_id": series, "leave": "yes"})
	if body := ann.open(page).Body; strings.Contains(body, "You are going") {
		t.Errorf("ann still goes: %s", body)
	}
	if status := a.As("ann").Get(repeat).Status; status == 200 {
		t.Error("the page to repeat an event is shown to others")
	}
}
