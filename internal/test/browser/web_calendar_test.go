package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// shows reports which of some texts an answer lacks.
func (r answer) shows(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.Body, text) {
			t.Errorf("%d without %q: %s", r.StatusCode, text, r.Body)
		}
	}
}

// TestCalendar shows events and personal entries on their local days. Its clock stands at
// apptest.Today, 1 June 2026.
func TestCalendar(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(apptest.Fields{"title": "Late show", "starts_at": "2026-06-30T22:30:00Z", "ends_at": nil,
			"timezone": "Europe/Berlin"})
		ann, b := a.As("ann"), signedIn(t, a, "ann")
		b.open("/calendar").shows(t, "June 2026", "A free month", `aria-current="date"><time class="number" datetime="2026-06-01">`)
		ann.Join(event)
		if body := b.open("/calendar").Body; strings.Contains(body, `id="day-`) {
			t.Error("the event is in July, by its local time")
		}
		b.open("/calendar?month=2026-07").shows(t, "July 2026", `id="day-2026-07-01"`, `href="/events/`+event+`"`, "00:30",
			"/calendar?month=2026-06", "/calendar?month=2026-08")

		fields := url.Values{"title": {"Dentist"}, "starts_at": {"2026-08-03T09:00"}, "ends_at": {"2026-08-05T08:00"},
			"location_text": {"Main Street 1"}}
		if r := b.submit("createCalendarEntry", "/calendar", fields); r.StatusCode != http.StatusSeeOther ||
			r.Header.Get("Location") != "/calendar?month=2026-08" {
			t.Fatalf("%d %s", r.StatusCode, r.Body)
		}
		r := b.open("/calendar?month=2026-08")
		r.shows(t, "Main Street 1", `id="day-2026-08-03"`, `id="day-2026-08-04"`, `id="day-2026-08-05"`)
		id := regexp.MustCompile(`name="entry_id" value="([^"]+)"`).FindStringSubmatch(r.Body)[1]
		for name, value := range map[string]string{"starts_at": "tomorrow", "ends_at": "2026-08-01T09:00", "title": ""} {
			wrong := url.Values{"title": {"Dentist"}, "starts_at": {"2026-08-03T09:00"}}
			wrong.Set(name, value)
			if r := b.submit("createCalendarEntry", "/calendar", wrong); r.StatusCode != http.StatusUnprocessableEntity ||
				!strings.Contains(r.Body, `id="error-`+name+`"`) {
				t.Errorf("%s %q: %d", name, value, r.StatusCode)
			}
		}
		if r := b.submit("cancelCalendarEntry", "/calendar?month=2026-08", url.Values{"entry_id": {id}}); r.StatusCode != http.StatusSeeOther {
			t.Errorf("%d", r.StatusCode)
		}
		if body := b.open("/calendar?month=2026-08").Body; strings.Contains(body, "Dentist") {
			t.Error("the entry was not removed")
		}
		b.open("/calendar?month=nonsense").shows(t, "June 2026")
	}, settings...)
}

// TestCalendarFeedAddress creates, renews and deletes the address of the feed.
func TestCalendarFeedAddress(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		b := signedIn(t, a, "ann")
		address := regexp.MustCompile(`value="` + regexp.QuoteMeta(origin) + `([^"]+/calendar/feeds/[^"]+|/calendar/feeds/[^"]+)"`)
		seen := map[string]bool{}
		for _, action := range []string{"openCalendarFeed", "openCalendarFeed", "closeCalendarFeed"} {
			if r := b.submit(action, "/calendar", nil); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/calendar" {
				t.Fatalf("%s: %d", action, r.StatusCode)
			}
			for _, found := range address.FindAllStringSubmatch(b.open("/calendar").Body, -1) {
				seen[found[1]] = true
			}
		}
		if len(seen) != 2 {
			t.Errorf("%d addresses, want 2: %v", len(seen), seen)
		}
		for path := range seen {
			a.Anonymous().Get(path).Want(http.StatusNotFound)
		}
		b.open("/calendar").shows(t, "Create an address")
	}, settings...)
}

// TestCalendarInvite shows an invite to both users, and answers it.
func TestCalendarInvite(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		org.Post("/calendar/entries", apptest.Fields{
			"title": "Dinner", "starts_at": "2026-06-06T18:00:00Z", "timezone": "Europe/Berlin", "location_text": "Home",
			"invitee_user_ids": []string{ann.UserID},
		}).Want(http.StatusCreated)
		page := "/calendar/invites/" + ann.Get("/calendar/invites").Want(http.StatusOK).Text("items.0.invite.id")
		id := page[len("/calendar/invites/"):]
		guest, host := signedIn(t, a, "ann"), signedIn(t, a, "org")
		guest.open("/calendar").shows(t, "1 invitation waits for your answer", `href="`+page+`"`)
		guest.open(page).shows(t, "Dinner", "Home", "Saturday, 6 June, 20:00", "Invitation from", "I will come")
		host.open(page).shows(t, "Invitation to", "No answer yet")
		for answer, want := range map[string]string{"declined": "Cannot come", "tentative": "Maybe", "accepted": "Comes"} {
			if r := guest.submit("answerCalendarInvite", page,
				url.Values{"invite_id": {id}, "status": {answer}}); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != page {
				t.Errorf("%s: %d %s", answer, r.StatusCode, r.Body)
			}
			guest.open(page).shows(t, "Your answer is saved")
			host.open(page).shows(t, want)
		}
		if r := guest.submit("answerCalendarInvite", page,
			url.Values{"invite_id": {id}, "status": {"perhaps"}}); r.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%d", r.StatusCode)
		}
		if r := signedIn(t, a, "ben").open(page); r.StatusCode != http.StatusNotFound {
			t.Errorf("a stranger: %d", r.StatusCode)
		}
	}, settings...)
}
