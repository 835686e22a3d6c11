package browser

import (
	"net/http"
	"net/url"
	"slices"
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
	shows(t, org.open(repeat+"?repeat=month").Body, "Friday, 3 July")
	shows(t, org.open(repeat+"?repeat=custom&custom=freq%3Ddaily").Body, "Saturday, 6 June")
	shows(t, org.open(repeat+"?repeat=custom&custom=nonsense").Body, "There are no dates")
	shows(t, org.open(repeat+"?repeat=weekdays&day=TU&day=nonsense&every=2&until=2026-06-16").Body, "Tuesday, 16 June",
		`value="FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR;UNTIL=20260616T215959Z"`)
	shows(t, org.open(repeat+"?repeat=weekly&until=2026-06-01").Body, "There are no dates")

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
	shows(t, org.open(page).Body, "Every Friday, 18:00", "Europe/Berlin", "Friday, 14 August", "Planned")
	skip := func(occurrence string) {
		org.step("skipSeriesDate", page, map[string]string{"series_id": series, "occurrence_at": occurrence})
	}
	skip("2026-06-19T18:00:00")
	skip("2026-08-07T18:00:00")
	moved := a.Anonymous().Get(page + "/events").Want(200).Text("items.3.event.id")
	a.As("org").Patch("/events/"+moved, apptest.Fields{"starts_at": "2026-06-27T16:00:00Z"}).Want(200)
	if body := org.open(page).Body; strings.Count(body, "Skipped") != 2 || !strings.Contains(body, "Moved from Friday, 26 June, 18:00") {
		t.Errorf("the dates lack what was skipped or moved: %s", body)
	}
	shows(t, org.open("/my?role=hosting").Body, "Your series", "Every Friday", page)
	org.step("updateEventSeries", page, map[string]string{"series_id": series, "title": "Book club", "location_text": "Back room",
		"apply": "untouched_upcoming"})
	shows(t, ann.open(event).Body, "Book club", "Back room")
	org.step("pauseEventSeries", page, map[string]string{"series_id": series})
	body := org.open(page).Body
	shows(t, body, "Skipped", "This series is paused", "Continue", "Skip")
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

// TestSplitPage changes days and time of a series from its second date on, without scripts.
func TestSplitPage(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org, ann := signedIn(t, a, "org"), signedIn(t, a, "ann")
	page := beginSeries(a, "FREQ=WEEKLY;BYDAY=TH", 21)
	split := page + "/split"
	shows(t, org.open(page).Body, "Every Thursday, 19:00", split)
	shows(t, org.open(split).Body, "From which date on?", "Thursday, 4 June", "Every second Thursday", "Thursday, 6 August")
	chosen := split + "?from=2026-06-11T19:00:00&date=2026-06-12&time=18:30"
	shows(t, org.open(chosen+"&repeat=weekly").Body, "Every Friday", "Friday, 19 June, 18:30", "From Thursday, 11 June on")
	shows(t, org.open(chosen+"&repeat=custom&custom=FREQ%3DHOURLY").Body, "There are no dates")
	shows(t, org.open(split+"?from=nonsense&date=2026-06-40&time=25:00").Body, "There are no dates")
	days := beginSeries(a, "FREQ=WEEKLY;BYDAY=TH,TU;UNTIL=20260801T000000Z", 21) + "/split"
	shows(t, org.open(days).Body, `value="weekdays" checked`, `value="TU" checked`, `value="TH" checked`, `value="2026-08-01"`)
	if status := ann.open(split).StatusCode; status != http.StatusNotFound {
		t.Errorf("the page is shown to others: %d", status)
	}
	org.step("splitEventSeries", chosen, map[string]string{"series_id": strings.TrimPrefix(page, "/event-series/"),
		"from": "2026-06-11T19:00:00", "starts_at": "2026-06-12T18:30:00", "rrule": "FREQ=WEEKLY;BYDAY=FR"})
	shows(t, org.open("/my?role=hosting").Body, "Every Thursday", "Ended", "Every Friday")
	if body := org.open(page).Body; strings.Count(body, "Canceled") != 2 {
		t.Errorf("two dates are not canceled: %s", body)
	}
}

// TestSeriesAsksOnce makes a series of an event with a question, which guests answer once for all dates.
func TestSeriesAsksOnce(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	draft := a.As("org").Draft(apptest.Fields{"title": "Reading circle", "timezone": "Europe/Berlin"})
	a.As("org").Put("/events/"+draft+"/questions", apptest.Fields{"items": []any{
		apptest.Fields{"kind": "text", "label": "Tea or coffee?", "required": true}}}).Want(200)
	org, ann := signedIn(t, a, "org"), signedIn(t, a, "ann")
	org.step("createEventSeries", "/events/"+draft+"/repeat", map[string]string{"event_id": draft, "rrule": "FREQ=WEEKLY;BYDAY=FR"})
	event := "/events/" + a.Anonymous().Get("/events?q=reading").Want(200).Text("items.0.event.id")
	series := a.Anonymous().Get(event).Want(200).Text("event.series_id")
	question := a.As("ann").Get(event + "/questions").Want(200).Text("items.0.id")
	field := "answer.joinEventSeries." + question
	fields := map[string]string{"series_id": series, "event_id": strings.TrimPrefix(event, "/events/"), "questions": "1"}
	for _, page := range []string{event, "/event-series/" + series} {
		shows(t, ann.open(page).Body, "Join all dates", `name="`+field+`"`)
		sent := url.Values{"series_id": {series}, "event_id": {fields["event_id"]}, "questions": {"1"}, field: {strings.Repeat("x", 501)}}
		shows(t, ann.submit("joinEventSeries", page, sent).Body, `aria-invalid="true"`)
	}
	fields[field] = "tea"
	ann.step("joinEventSeries", event, fields)
	answers := a.As("ann").Get(event + "/answers?mine=true").Want(200)
	if got := answers.Text("items.0.answers.0.value"); got != "tea" {
		t.Errorf("ann has answered %s", answers.Body)
	}
}

// TestRulesAreShownInWords covers rules with words, and one without.
func TestRulesAreShownInWords(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(slices.Clone(settings), apptest.Setting("RATE_LIMITS", "series_per_user_day=100/24h"))...)
	org := signedIn(t, a, "org")
	for _, row := range []struct{ rule, words string }{
		{"FREQ=DAILY", "Every day"},
		{"FREQ=DAILY;INTERVAL=3", "Every 3 days"},
		{"FREQ=WEEKLY", "Every Thursday"},
		{"FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "Every second Thursday"},
		{"FREQ=WEEKLY;INTERVAL=3;BYDAY=TH", "Every 3 weeks: Thursday"},
		{"FREQ=WEEKLY;BYDAY=TH,TU", "Every week: Tuesday, Thursday"},
		{"FREQ=MONTHLY", "Every month on day 4"},
		{"FREQ=MONTHLY;BYMONTHDAY=4;COUNT=3", "Every month on day 4, dates in total: 3"},
		{"FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=4", "Every 6 months on day 4"},
		{"FREQ=MONTHLY;BYDAY=1TH", "First Thursday of the month"},
		{"FREQ=YEARLY;UNTIL=20280610T000000Z", "Every year, until Saturday, 10 June 2028"},
		{"FREQ=MONTHLY;BYDAY=TH;BYSETPOS=1", "FREQ=MONTHLY;BYDAY=TH;BYSETPOS=1"},
		{"FREQ=MONTHLY;BYDAY=1TH,3TH", "FREQ=MONTHLY;BYDAY=1TH,3TH"},
	} {
		shows(t, org.open(beginSeries(a, row.rule, 7)).Body, row.words)
	}
}

// beginSeries creates a series of org from June 4 at seven in Berlin, and returns the address of its page.
func beginSeries(a *apptest.App, rule string, horizon int) string {
	body := apptest.Fields{"rrule": rule, "horizon_days": horizon, "starts_at": "2026-06-04T19:00:00", "timezone": "Europe/Berlin",
		"template": apptest.Fields{"title": "Reading circle"}}
	return "/event-series/" + a.As("org").Post("/event-series", body).Want(201).Text("id")
}
