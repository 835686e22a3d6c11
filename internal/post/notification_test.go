package post_test

import (
	"fmt"
	"slices"
	"testing"

	"moothall/internal/apptest"
)

// told gives a person's unread notifications of this room, as "kind by actor".
func told(a *apptest.App, who string, names map[string]string) (found []string) {
	a.RunJobs()
	page := a.As(who).Get("/notifications?unread_only=true&limit=100").Want(200)
	for i := range page.Len("items") {
		at := fmt.Sprintf("items.%d.", i)
		if kind := page.Text(at + "kind"); ours[kind] {
			actor, _ := page.Get(at + "actor.user_id").(string)
			found = append(found, kind+" by "+names[actor])
		}
	}
	slices.Sort(found)
	return found
}

var ours = map[string]bool{
	"event_announcement": true, "event_post": true, "post_commented": true, "comment_replied": true, "post_liked": true, "post_reposted": true,
}

// TestWhoIsTold is the table of contract §8 for posts.
func TestWhoIsTold(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		everybody := []string{"org", "guest", "hidden", "invited", "declined", "fan", "enemy"}
		names := map[string]string{}
		for _, who := range everybody {
			names[a.As(who).UserID] = who
		}
		org, guest, fan := a.As("org"), a.As("guest"), a.As("fan")
		event := org.Publish(nil)
		guest.Post("/events/"+event+"/join", nil).Want(200)
		a.As("hidden").Post("/events/"+event+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		org.Post("/events/"+event+"/join", nil).Want(200) // is not told of the own post
		private := org.Publish(apptest.Fields{"visibility": "private"})
		for _, who := range []string{"invited", "declined"} {
			org.Post("/events/"+private+"/invitations", apptest.Fields{"email": apptest.Email(who)}).Want(201)
		}
		a.As("declined").Patch("/events/"+private+"/rsvp", apptest.Fields{"status": "declined"}).Want(200)

		want := map[string][]string{}
		expect := func(step string) {
			t.Helper()
			for _, who := range everybody {
				if found := told(a, who, names); !slices.Equal(found, want[who]) {
					t.Errorf("%s: %s was told %v, want %v", step, who, found, want[who])
				}
			}
		}
		path, _ := write(org, event, "Hello")
		want["guest"], want["hidden"] = []string{"event_post by org"}, []string{"event_post by org"}
		expect("a post")
		write(org, private, "Hello")
		expect("a post for nobody")
		org.Post("/events/"+private+"/posts", apptest.Fields{"body": "Bring cake", "kind": "announcement"}).Want(201)
		want["invited"] = []string{"event_announcement by org"}
		expect("an announcement")

		question := say(fan, path, "Where?", "")
		want["org"] = []string{"post_commented by fan"}
		expect("a comment")
		answer := say(org, path, "Here.", question)
		say(org, path, "And a word to myself", answer)
		want["fan"] = []string{"comment_replied by org"}
		expect("an answer")
		org.Patch(path+"/comments/"+answer, apptest.Fields{"body": "There."}).Want(200)
		expect("another answer")
		org.Delete(path + "/comments/" + answer).Want(204)
		want["fan"] = nil
		expect("no answer")
		say(guest, path, "What was it?", answer)
		expect("an answer to nobody")
		fan.Delete(path + "/comments/" + question).Want(204)
		want["org"] = nil
		expect("no question")

		for _, mark := range []string{"like", "repost"} {
			kind := "post_" + mark + "d"
			if mark == "repost" {
				kind = "post_reposted"
			}
			org.Post(path+"/"+mark, nil).Want(200)
			expect("one's own " + mark)
			fan.Post(path+"/"+mark, nil).Want(200)
			fan.Post(path+"/"+mark, nil).Want(200)
			want["org"] = []string{kind + " by fan"}
			expect(mark)
			guest.Post(path+"/"+mark, nil).Want(200)
			want["org"] = []string{kind + " by guest"}
			expect(mark + " by two")
			fan.Delete(path + "/" + mark).Want(200)
			expect(mark + " by one of two")
			guest.Delete(path + "/" + mark).Want(200)
			want["org"] = nil
			expect(mark + " by none")
		}

		a.As("enemy").Post("/events/"+event+"/join", nil).Want(200)
		a.As("enemy").Block(fan)
		word := say(fan, path, "Anybody?", "")
		want["org"] = []string{"post_commented by fan"}
		say(a.As("enemy"), path, "I", word)
		expect("across a block")
	}, apptest.StartAt(apptest.Today))
}
