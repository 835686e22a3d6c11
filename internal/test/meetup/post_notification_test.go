package meetup_test

import (
	"fmt"
	"slices"
	"testing"

	"moothall/internal/test/apptest"
)

// postNotifications returns a user's unread notifications of posts, as "kind by actor".
func postNotifications(a *apptest.App, who string, names map[string]string) (list []string) {
	a.RunJobs()
	page := a.As(who).Get("/notifications?unread_only=true&limit=100").Want(200)
	for i := range page.Len("items") {
		at := fmt.Sprintf("items.%d.", i)
		if kind := page.Text(at + "kind"); postKinds[kind] {
			actor, _ := page.Get(at + "actor.user_id").(string)
			list = append(list, kind+" by "+names[actor])
		}
	}
	slices.Sort(list)
	return list
}

var postKinds = map[string]bool{
	"event_announcement": true, "event_post": true, "post_commented": true, "comment_replied": true, "post_liked": true, "post_reposted": true,
}

// TestPostNotifications is the table of contract §8 for posts.
func TestPostNotifications(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		everybody := []string{"org", "guest", "hidden", "invited", "declined", "fan", "enemy"}
		names := map[string]string{}
		for _, who := range everybody {
			names[a.As(who).UserID] = who
		}
		org, guest, fan := a.As("org"), a.As("guest"), a.As("fan")
		event := org.Publish(nil)
		guest.Post("/events/"+event+"/join", nil).Want(200)
		a.As("hidden").Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		org.Post("/events/"+event+"/join", nil).Want(200) // is not notified of their own post
		private := org.Publish(apptest.Fields{"visibility": "private"})
		for _, who := range []string{"invited", "declined"} {
			org.Post("/events/"+private+"/invitations", apptest.Fields{"email": apptest.Email(who)}).Want(201)
		}
		a.As("declined").Patch("/events/"+private+"/rsvp", apptest.Fields{"status": "declined"}).Want(200)

		want := map[string][]string{}
		expect := func(step string) {
			t.Helper()
			for _, who := range everybody {
				if got := postNotifications(a, who, names); !slices.Equal(got, want[who]) {
					t.Errorf("%s: %s has %v, want %v", step, who, got, want[who])
				}
			}
		}
		path, _ := postWrite(org, event, "Hello")
		want["guest"], want["hidden"] = []string{"event_post by org"}, []string{"event_post by org"}
		expect("a post")
		postWrite(org, private, "Hello")
		expect("a post of an event without participants")
		org.Post("/events/"+private+"/posts", apptest.Fields{"body": "Bring cake", "kind": "announcement"}).Want(201)
		want["invited"] = []string{"event_announcement by org"}
		expect("an announcement")

		question := comment(fan, path, "Where?", "")
		want["org"] = []string{"post_commented by fan"}
		expect("a comment")
		answer := comment(org, path, "Here.", question)
		comment(org, path, "And a word to myself", answer)
		want["fan"] = []string{"comment_replied by org"}
		expect("an answer")
		org.Patch(path+"/comments/"+answer, apptest.Fields{"body": "There."}).Want(200)
		expect("the answer edited")
		org.Delete(path + "/comments/" + answer).Want(204)
		want["fan"] = nil
		expect("the answer deleted")
		comment(guest, path, "What was it?", answer)
		expect("an answer to a deleted comment")
		fan.Delete(path + "/comments/" + question).Want(204)
		want["org"] = nil
		expect("the question deleted")

		for _, reaction := range []string{"like", "repost"} {
			kind := "post_" + reaction + "d"
			if reaction == "repost" {
				kind = "post_reposted"
			}
			org.Post(path+"/"+reaction, nil).Want(200)
			expect("one's own " + reaction)
			fan.Post(path+"/"+reaction, nil).Want(200)
			fan.Post(path+"/"+reaction, nil).Want(200)
			want["org"] = []string{kind + " by fan"}
			expect(reaction)
			guest.Post(path+"/"+reaction, nil).Want(200)
			want["org"] = []string{kind + " by guest"}
			expect(reaction + " by two")
			fan.Delete(path + "/" + reaction).Want(200)
			expect(reaction + " by one of two")
			guest.Delete(path + "/" + reaction).Want(200)
			want["org"] = nil
			expect(reaction + " by none")
		}

		a.As("enemy").Post("/events/"+event+"/join", nil).Want(200)
		a.As("enemy").Block(fan)
		word := comment(fan, path, "Anybody?", "")
		want["org"] = []string{"post_commented by fan"}
		comment(a.As("enemy"), path, "I", word)
		expect("across a block")
	}, apptest.StartAt(apptest.Today))
}
