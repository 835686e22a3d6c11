package meetup_test

import (
	"regexp"
	"testing"

	"moothall/internal/test/apptest"
)

var waitlistCountField = regexp.MustCompile(`"waitlist_count":\d+`)

// TestWaitlistNamesNobody compares what others read before and after somebody waits, publicly or incognito: only the number changes.
func TestWaitlistNamesNobody(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		uma, follower, stranger := a.As("uma"), a.As("follower"), a.As("stranger")
		follower.Follow(uma)
		path := waitlisted(a, 1, "offer", nil)
		reads := []string{path, "/events?participant_user_id=" + uma.UserID, "/users/" + uma.UserID + "/profile", "/notifications", "/feed",
			"/events?limit=100"}
		read := func(path string, c *apptest.Client) string {
			return waitlistCountField.ReplaceAllString(string(c.Get(path).Want(200).Body), "")
		}
		before := map[string]string{}
		for _, path := range reads {
			before[path] = read(path, stranger) + read(path, follower)
		}
		for _, visibility := range []string{"incognito", "public"} {
			uma.Post(path+"/waitlist", apptest.Fields{"participation_visibility": visibility}).Want(201)
			if n := stranger.Get(path).Number("waitlist_count"); n != 1 {
				t.Errorf("%v wait", n)
			}
			for _, path := range reads {
				if now := read(path, stranger) + read(path, follower); now != before[path] {
					t.Errorf("%s of somebody who waits: %s is\n%s\nnot\n%s", visibility, path, now, before[path])
				}
			}
			for _, c := range []*apptest.Client{stranger, follower} {
				c.Get(path+"/waitlist").WantError(404, "not_found")
				c.Get(path+"/waitlist/entries").WantError(403, "forbidden")
			}
		}
		entry := a.As("org").Get(path + "/waitlist/entries").Want(200)
		if entry.Text("items.0.profile.user_id") != uma.UserID {
			t.Errorf("the organizer sees %s", entry.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
