package meetup_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// feedPublished publishes an event that starts in some days.
func feedPublished(c *apptest.Client, title string, days int, changes apptest.Fields) string {
	body := apptest.Fields{"title": title, "starts_at": apptest.Today.AddDate(0, 0, days).Format(time.RFC3339)}
	maps.Copy(body, changes)
	return c.Publish(body)
}

func join(c *apptest.Client, event, visibility string) {
	c.Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": visibility}).Want(200)
}

// titles returns the titles of a page, in order.
func titles(r *apptest.Reply) []string {
	found := []string{}
	for i := range r.Want(200).Len("items") {
		found = append(found, r.Text(fmt.Sprintf("items.%d.event.title", i)))
	}
	return found
}

// reasons returns the reasons of a page by title.
func reasons(r *apptest.Reply) map[string]string {
	found := map[string]string{}
	for i, title := range titles(r) {
		var list []string
		for n := range r.Len(fmt.Sprintf("items.%d.feed_context.reasons", i)) {
			list = append(list, r.Text(fmt.Sprintf("items.%d.feed_context.reasons.%d", i, n)))
		}
		found[title] = strings.Join(list, " ")
	}
	return found
}

// feedWalk follows the cursor to the last page and returns all titles.
func feedWalk(t *testing.T, c *apptest.Client, limit int, betweenPages func(page int)) []string {
	t.Helper()
	var found []string
	cursor := ""
	for page := 1; ; page++ {
		r := c.Get(fmt.Sprintf("/feed?limit=%d%s", limit, cursor))
		found = append(found, titles(r)...)
		next, more := r.Get("next_cursor").(string)
		if !more {
			return found
		}
		if n := r.Len("items"); n != limit {
			t.Errorf("page %d has %d of %d events and is not the last", page, n, limit)
		}
		if len(next) > 512 {
			t.Errorf("a cursor of %d bytes", len(next))
		}
		cursor = "&cursor=" + next
		if betweenPages != nil {
			betweenPages(page)
		}
	}
}

// TestFeedShowsReasons expects the reasons and the order of events of every kind.
func TestFeedShowsReasons(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, friend, stranger, me := a.As("org"), a.As("friend"), a.As("stranger"), a.As("me")
		me.Follow(friend)
		me.Patch("/me/profile", apptest.Fields{"city": "Zürich", "interests": []string{"Board Games"}}).Want(200)
		me.Post("/feed/preferences", apptest.Fields{"lat": 47.37, "lng": 8.54, "radius_km": 20, "categories": []string{"run"}}).Want(200)

		feedPublished(org, "none", 2, nil)
		feedPublished(friend, "by a friend", 3, nil)
		going := feedPublished(org, "friend goes", 4, nil)
		hidden := feedPublished(org, "friend hides", 5, nil)
		left := feedPublished(org, "friend left", 6, nil)
		feedPublished(org, "in the city", 7, apptest.Fields{"city": "ZURICH"})
		feedPublished(org, "interest", 8, apptest.Fields{"category": "board games"})
		feedPublished(org, "category", 9, apptest.Fields{"category": "Run"})
		feedPublished(org, "near", 10, apptest.Fields{"lat": 47.4, "lng": 8.6})
		feedPublished(org, "not near", 11, apptest.Fields{"lat": 46.95, "lng": 7.44})
		everything := feedPublished(friend, "everything", 12, apptest.Fields{"city": "Zürich", "category": "run", "lat": 47.37, "lng": 8.54})
		reposted := feedPublished(org, "reposted", 13, nil)
		feedPublished(me, "mine", 14, apptest.Fields{"city": "Zürich"})
		mineToo := feedPublished(me, "mine, with a friend", 15, nil)
		iGo := feedPublished(org, "I go", 16, apptest.Fields{"city": "Zürich"})
		private := friend.Post("/events", apptest.Fields{"title": "private", "starts_at": "2026-06-03T16:00:00Z",
			"visibility": "private"}).Want(201).Text("event.id")
		friend.Post("/events/"+private+"/publish", nil).Want(200)
		feedPublished(friend, "begun", 0, apptest.Fields{"starts_at": "2026-06-01T11:00:00Z"})
		for event, visibility := range map[string]string{going: "public", hidden: "incognito", left: "public", everything: "public",
			mineToo: "public"} {
			join(friend, event, visibility)
		}
		friend.Delete("/events/" + left + "/join").Want(200)
		join(me, iGo, "public")
		join(stranger, hidden, "public")
		for _, event := range []string{reposted, everything} {
			by := org
			if event == everything {
				by = friend
			}
			post := by.Post("/events/"+event+"/posts", apptest.Fields{"body": "Bring tea."}).Want(201).Text("id")
			stranger.Post("/events/"+event+"/posts/"+post+"/repost", nil).Want(200)
			friend.Post("/events/"+event+"/posts/"+post+"/repost", nil).Want(200)
		}

		want := map[string]string{
			"none": "", "by a friend": "followed_organizer", "friend goes": "followed_going", "friend hides": "", "friend left": "",
			"in the city": "city_match", "interest": "interest_match", "category": "interest_match", "near": "near_you", "not near": "",
			"everything": "followed_organizer followed_going followed_repost interest_match near_you city_match",
			"reposted":   "followed_repost", "mine": "", "mine, with a friend": "", "I go": "city_match", "begun": "followed_organizer",
		}
		page := me.Get("/feed?limit=100")
		if got := reasons(page); !maps.Equal(got, want) {
			t.Errorf("reasons %q,\nwant %q", got, want)
		}
		if page.Text("scope") != "personal" || page.Get("next_cursor") != nil {
			t.Errorf("scope and cursor of %s", page.Body)
		}
		order := titles(page)
		wantOrder := []string{
			"everything", "by a friend", "friend goes", "reposted", "interest", "category", "in the city", "near", "I go",
			"none", "friend hides", "friend left", "not near", "mine", "mine, with a friend", "begun",
		}
		if !slices.Equal(order, wantOrder) {
			t.Errorf("order %q,\nwant  %q", order, wantOrder)
		}

		me.Post("/feed/preferences", apptest.Fields{"include_followed": false, "city": nil}).Want(200)
		got := reasons(me.Get("/feed?limit=100"))
		if got["everything"] != "interest_match near_you" || got["by a friend"] != "" || got["in the city"] != "" {
			t.Errorf("without followed people and a city: %q", got)
		}
		anonymous := a.Anonymous().Get("/feed?limit=100")
		for title, why := range reasons(anonymous) {
			if why != "" {
				t.Errorf("an anonymous reader sees a reason of %q: %s", title, why)
			}
		}
		if anonymous.Text("scope") != "public" || anonymous.Len("items") != len(want) {
			t.Errorf("an anonymous reader gets %s", anonymous.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
