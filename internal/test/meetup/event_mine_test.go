package meetup_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// myTitles returns the titles of all events of a user in a role, read in pages of a size.
func myTitles(t *testing.T, c *apptest.Client, role string, limit int) []string {
	t.Helper()
	all := []string{}
	for next := ""; ; {
		page := c.Get(fmt.Sprintf("/me/events?role=%s&limit=%d%s", role, limit, next)).Want(200)
		for i := range page.Len("items") {
			all = append(all, page.Text(fmt.Sprintf("items.%d.event.title", i)))
		}
		cursor, more := page.Get("next_cursor").(string)
		if !more {
			return all
		}
		if page.Len("items") != limit {
			t.Fatalf("a page that is not the last has %d events", page.Len("items"))
		}
		next = "&cursor=" + cursor
	}
}

// TestMyEvents lists the events of users in each role.
func TestMyEvents(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, bob := a.As("org"), a.As("ann"), a.As("bob")
		in := func(days int) string { return a.Clock.Now().AddDate(0, 0, days).Format(time.RFC3339) }
		publish := func(title string, days int) string {
			return org.Publish(apptest.Fields{"title": title, "starts_at": in(days)})
		}
		tea, chess, walk := publish("Tea", 3), publish("Chess", 2), publish("Walk", 2)
		off, blocked := publish("Canceled", 4), a.As("eve").Publish(apptest.Fields{"title": "Blocked", "starts_at": in(5)})
		for _, event := range []string{tea, chess, off} {
			ann.Join(event)
		}
		ann.Post("/events/"+walk+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		ann.Join(blocked)
		org.Post("/events/"+off+"/cancel", nil).Want(200)
		ann.Block(a.As("eve"))
		org.Draft(apptest.Fields{"title": "Idea", "starts_at": in(9)})
		org.Draft(apptest.Fields{"title": "Old idea", "starts_at": in(-9)})
		private := func(title string, days int) string {
			event := org.Draft(apptest.Fields{"title": title, "starts_at": in(days), "visibility": "private"})
			org.Post("/events/"+event+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(201)
			return event
		}
		answered, withdrawn := private("Answered", 6), private("Withdrawn", 6)
		private("Open", 7)
		ann.Patch("/events/"+answered+"/rsvp", apptest.Fields{"status": "tentative"}).Want(200)
		org.Post("/events/"+withdrawn+"/cancel", nil).Want(200)

		check := func(what string, c *apptest.Client, role string, want ...string) {
			t.Helper()
			for _, limit := range []int{1, 2, 100} {
				if got := myTitles(t, c, role, limit); !slices.Equal(got, want) {
					t.Errorf("%s, %s by %d: %q, want %q", what, role, limit, got, want)
				}
			}
		}
		sameStart := myTitles(t, ann, "going", 100)[:2] // the order of events that start together is stable, but at random
		check("attended, also incognito", ann, "going", sameStart[0], sameStart[1], "Tea", "Canceled")
		check("organized", org, "hosting", sameStart[0], sameStart[1], "Tea", "Canceled", "Withdrawn")
		check("drafts", org, "draft", "Old idea", "Answered", "Open", "Idea")
		check("unanswered", ann, "invited", "Open")
		check("no waiting lists", ann, "waiting")
		check("nothing has ended", ann, "past")
		check("of others", bob, "going")

		later := func(d time.Duration) { // sessions have ended by then
			a.Clock.Advance(d)
			org, ann = a.SignIn(apptest.Email("org")), a.SignIn(apptest.Email("ann"))
		}
		later(52 * time.Hour)
		past := myTitles(t, ann, "past", 100)
		check("they are over", ann, "going", "Tea", "Canceled")
		check("the latest first", ann, "past", sameStart[1], sameStart[0])
		check("organized", org, "past", past...)
		org.Join(tea)
		later(50 * time.Hour)
		check("both organized and attended", org, "past", append([]string{"Canceled", "Tea"}, past...)...)
	}, apptest.StartAt(apptest.Today))
}

// TestMyEventsRefuses refuses what the contract does not allow.
func TestMyEventsRefuses(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for range 2 {
			ann.Join(ann.Publish(nil))
		}
		cursor := ann.Get("/me/events?limit=1").Want(200).Text("next_cursor")
		ann.Get("/me/events?role=going&cursor=" + cursor).Want(200)
		for name, query := range map[string]string{
			"an unknown role": "?role=guest", "no role": "?role=", "a cursor of another role": "?role=past&cursor=" + cursor,
			"a malformed cursor": "?cursor=x", "too many": "?limit=101",
		} {
			if reply := ann.Get("/me/events" + query); reply.Status != 400 {
				t.Errorf("%s: %d", name, reply.Status)
			}
		}
	}, apptest.StartAt(apptest.Today))
}
