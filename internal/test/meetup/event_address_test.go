package meetup_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// codeOf returns the end of an address, which identifies the event.
func codeOf(shareURL string) string { return shareURL[len(shareURL)-8:] }

// TestAddressesOfEvents reads addresses of events, and the events at their codes.
func TestAddressesOfEvents(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, anonymous := a.As("org"), a.Anonymous()
		public := org.Publish(apptest.Fields{"title": "Board games", "lat": 52.5, "lng": 13.4})
		share := anonymous.Get("/events/" + public).Want(http.StatusOK).Text("event.share_url")
		code := codeOf(share)
		if share != apptest.WebOrigin+"/e/board-games-"+code {
			t.Errorf("the address is %s", share)
		}
		for name, got := range map[string]string{
			"code": anonymous.Get("/events/by-code/" + code).Want(http.StatusOK).Text("event.share_url"),
			"list": anonymous.Get("/events").Text("items.0.event.share_url"),
			"map":  org.Get("/events/map?bbox=-180,-90,180,90").Text("items.0.event.share_url"),
			"feed": anonymous.Get("/feed").Text("items.0.event.share_url"),
			"chats": func() string {
				org.Post("/events/"+public+"/messages", apptest.Fields{"body": "Welcome"}).Want(http.StatusCreated)
				return org.Get("/me/chats").Text("items.0.event.share_url")
			}(),
		} {
			if got != share {
				t.Errorf("%s: %s", name, got)
			}
		}
		for _, title := range []string{"Chess", "Board games"} { // changed and changed back
			org.Patch("/events/"+public, apptest.Fields{"title": title}).Want(http.StatusOK)
			want := apptest.WebOrigin + "/e/" + strings.ReplaceAll(strings.ToLower(title), " ", "-") + "-" + code
			if got := anonymous.Get("/events/by-code/" + code).Text("event.share_url"); got != want {
				t.Errorf("%s: %s", title, got)
			}
		}
		private := org.Get("/events/" + org.Draft(apptest.Fields{"visibility": "private"})).Text("event.share_url")
		if private != apptest.WebOrigin+"/e/"+codeOf(private) {
			t.Errorf("the address of a private event is %s", private)
		}
		namesake := org.Get("/events/" + org.Publish(apptest.Fields{"title": "Board games"})).Text("event.share_url")
		if codeOf(namesake) == code {
			t.Error("two events have one code")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestCodesOfHiddenEvents checks that the code of an event that the viewer does not see is as good as none.
func TestCodesOfHiddenEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, invited, stranger, blocked := a.As("org"), a.As("invited"), a.As("stranger"), a.As("blocked")
		org.Block(blocked)
		code := func(id string) string { return codeOf(org.Get("/events/" + id).Text("event.share_url")) }
		draft, private, public := code(org.Draft(nil)), org.Publish(apptest.Fields{"visibility": "private"}), code(org.Publish(nil))
		org.Post("/events/"+private+"/invitations", apptest.Fields{"email": apptest.Email("invited")}).Want(http.StatusCreated)
		private = code(private)
		for _, c := range []struct {
			name, code string
			viewer     *apptest.Client
			status     int
		}{
			{"draft, organizer", draft, org, http.StatusOK},
			{"draft, stranger", draft, stranger, http.StatusNotFound},
			{"draft, anonymous", draft, a.Anonymous(), http.StatusNotFound},
			{"private, organizer", private, org, http.StatusOK},
			{"private, invited", private, invited, http.StatusOK},
			{"private, stranger", private, stranger, http.StatusNotFound},
			{"private, anonymous", private, a.Anonymous(), http.StatusNotFound},
			{"public, anonymous", public, a.Anonymous(), http.StatusOK},
			{"public, blocked", public, blocked, http.StatusNotFound},
			{"unknown", "11111111", org, http.StatusNotFound},
			{"too short", "1111111", org, http.StatusNotFound},
			{"no digit", "0OIl1111", org, http.StatusNotFound},
		} {
			if r := c.viewer.Get("/events/by-code/" + c.code); r.Status != c.status {
				t.Errorf("%s: %d", c.name, r.Status)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

var (
	countEvents  = db.SQL("test.count_events", `SELECT COUNT(*) FROM events`)
	countCodes   = db.SQL("test.count_codes", `SELECT COUNT(DISTINCT code) FROM events`)
	removeCodes  = db.SQL("test.remove_codes", `UPDATE events SET code = NULL`)
	sameCodeRows = db.SQL("test.same_code", `UPDATE events SET code = 'Demo1111'`)
)

// TestCodesAreUsedOnce creates events at the same time, and deletes their organizer: each keeps a code of its own.
func TestCodesAreUsedOnce(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		const events = 24
		crowd := a.Crowd()
		apptest.Concurrently(events, func(i int) { crowd[i%len(crowd)].Draft(nil) })
		for _, c := range crowd {
			c.Delete("/me").Want(http.StatusNoContent)
		}
		if stored, codes := a.Count(countEvents), a.Count(countCodes); stored != events || codes != events {
			t.Errorf("%d events with %d codes are left of %d", stored, codes, events)
		}
		if _, err := a.DB.Exec(t.Context(), sameCodeRows); !db.UniqueViolation(err) {
			t.Errorf("two events with one code: %v", err)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestOlderEventsGetCodes checks the addresses of events of a version before codes.
func TestOlderEventsGetCodes(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		id := org.Publish(nil)
		for range 120 { // more than the job changes at once
			org.Draft(nil)
		}
		a.Exec(removeCodes)
		a.Clock.Advance(time.Minute)
		a.RunJobs()
		if codes := a.Count(countCodes); codes != 121 {
			t.Errorf("%d events have codes", codes)
		}
		share := a.Anonymous().Get("/events/" + id).Text("event.share_url")
		a.Anonymous().Get("/events/by-code/" + codeOf(share)).Want(http.StatusOK)
	}, apptest.StartAt(apptest.Today))
}
