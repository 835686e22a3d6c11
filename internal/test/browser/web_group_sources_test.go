package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/outboundtest"
)

// TestSubscribedCalendars adds a calendar on the page of a group and removes it, without scripts. Visitors learn where to join its events.
func TestSubscribedCalendars(t *testing.T) {
	calendar := strings.ReplaceAll(apptest.Calendar, "SUMMARY:Tea", "SUMMARY:Tea\r\nURL:https://tea.example.org/1")
	calendar = strings.ReplaceAll(calendar, "END:VEVENT", "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:2\r\nDTSTART:20260704T180000Z\r\n"+
		"SUMMARY:Without a page\r\nEND:VEVENT")
	server := outboundtest.New(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/a.ics" {
			_, _ = w.Write([]byte(calendar))
		}
	})
	a := apptest.New(t, db.SQLite, append(settings, apptest.Outbound(server.Outbound()))...)
	id, page := groupOf(a.As("org"), nil)
	a.As("ann").Post("/groups/"+id+"/membership", nil).Want(http.StatusOK)
	org, ann, edit := signedIn(t, a, "org"), signedIn(t, a, "ann"), "/groups/"+id+"/edit"
	org.open(edit).want(t, http.StatusOK, "Subscribed calendars", "not", "removeGroupSource")
	ann.open(edit).redirects(t, page)
	org.submit("addGroupSource", edit, url.Values{"group_id": {id}, "url": {"http://127.0.0.1/"}}).want(t, http.StatusUnprocessableEntity,
		`value="http://127.0.0.1/"`)
	ann.submit("addGroupSource", page, url.Values{"group_id": {id}, "url": {"https://example.com/a.ics"}}).want(t,
		http.StatusUnprocessableEntity)
	for _, path := range []string{"a.ics", "b.ics"} {
		a.Clock.Advance(time.Second) // the list is by time
		org.step("addGroupSource", edit, map[string]string{"group_id": id, "url": "webcal://example.com/" + path})
	}
	a.RunJobs()
	org.open(edit).want(t, http.StatusOK, "https://example.com/a.ics", "Up to date", "2 coming events", "Not readable",
		"At this address is no iCalendar file.")
	for language, want := range map[string]string{"de": "Abonnierte Kalender", "ru": "Подписки на календари"} {
		org.open(edit, "Accept-Language", language).want(t, http.StatusOK, want)
	}

	visitor(t, a).open(page).want(t, http.StatusOK, "From example.com", "not", "Free")
	events := a.As("org").Get("/groups/" + id + "/events").Want(http.StatusOK)
	unlinked, linked := events.Text("items.0.event.id"), events.Text("items.1.event.id")
	for _, b := range []*webBrowser{visitor(t, a), ann} {
		b.open(pageOf(a.As("org"), linked)).want(t, http.StatusOK, "From example.com", "Join at tea.example.org",
			`href="https://tea.example.org/1" rel="ugc nofollow noopener"`, "not", "joinEvent", "Free", "Subscribed calendars")
		b.open(pageOf(a.As("org"), unlinked)).want(t, http.StatusOK, "Its calendar does not say where to join.", "not", "joinEvent")
	}
	org.open(pageOf(a.As("org"), linked)).want(t, http.StatusOK, edit+"#sources", "not", "/events/"+linked+"/edit")
	org.open("/events/"+linked+"/edit").redirects(t, pageOf(a.As("org"), linked))

	sources := a.As("org").Get("/groups/" + id + "/sources").Want(http.StatusOK)
	org.step("removeGroupSource", edit, map[string]string{"group_id": id, "source_id": sources.Text("items.0.id")})
	a.RunJobs()
	org.open(edit).want(t, http.StatusOK, "https://example.com/b.ics", "not", "https://example.com/a.ics")
	visitor(t, a).open(page).want(t, http.StatusOK, "not", "Tea")
}
