package meetup_test

import (
	"testing"

	"moothall/internal/test/apptest"
)

// TestRequestNamesNobody compares what others read before and after somebody asks to join, publicly or incognito: nothing changes.
func TestRequestNamesNobody(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		uma, follower, stranger := a.As("uma"), a.As("follower"), a.As("stranger")
		follower.Follow(uma)
		path := approving(a, nil)
		reads := []string{path, "/events?participant_user_id=" + uma.UserID, "/users/" + uma.UserID + "/profile", "/notifications", "/feed",
			"/events?limit=100"}
		read := func(path string) string {
			return string(stranger.Get(path).Want(200).Body) + string(follower.Get(path).Want(200).Body)
		}
		before := map[string]string{}
		for _, path := range reads {
			before[path] = read(path)
		}
		for _, visibility := range []string{"incognito", "public"} {
			ask(uma, path, apptest.Fields{"participation_visibility": visibility})
			for _, path := range reads {
				if now := read(path); now != before[path] {
					t.Errorf("%s of somebody who asks: %s is\n%s\nnot\n%s", visibility, path, now, before[path])
				}
			}
			for _, c := range []*apptest.Client{stranger, follower} {
				c.Get(path+"/participants?status=requested").WantError(403, "forbidden")
				c.Get(path+"/participants.csv").WantError(403, "forbidden")
			}
		}
	}, apptest.StartAt(apptest.Today))
}
