package meetup_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"moothall/internal/test/apptest"
)

// TestDeletePostFollowsPolicy checks who may delete a post, and what a deleted one allows.
func TestDeletePostFollowsPolicy(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event, other, private := org.Publish(nil), org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"})
		path, id := postWrite(org, event, "Hello")
		hidden, _ := postWrite(org, private, "Only for guests")
		said := comment(a.As("ann"), path, "Hi", "")
		a.As("ann").Post(path+"/repost", nil).Want(200)
		for _, row := range []struct {
			what, who, method, path string
			status                  int
		}{
			{"by a stranger", "ann", "DELETE", path, 403},
			{"of a hidden event", "ann", "DELETE", hidden, 404},
			{"of another event", "org", "DELETE", "/events/" + other + "/posts/" + id, 404},
			{"that never was", "org", "DELETE", "/events/" + event + "/posts/" + unknown, 404},
			{"by the author", "org", "DELETE", path, 204},
			{"again", "org", "DELETE", path, 204},
			{"deleted, by a stranger", "ann", "DELETE", path, 404},
			{"deleted: comments", "ann", "GET", path + "/comments", 404},
			{"deleted: a new comment", "ann", "POST", path + "/comments", 404},
			{"deleted: an edited comment", "ann", "PATCH", path + "/comments/" + said, 404},
			{"deleted: a deleted comment", "ann", "DELETE", path + "/comments/" + said, 404},
			{"deleted: like", "ann", "POST", path + "/like", 404},
			{"deleted: repost", "ann", "POST", path + "/repost", 404},
			{"deleted: undo the repost", "ann", "DELETE", path + "/repost", 404},
		} {
			t.Run(row.what, func(t *testing.T) {
				var body any
				if row.method != "GET" && row.method != "DELETE" {
					body = apptest.Fields{"body": "Well"}
				}
				a.As(row.who).In(t).Do(row.method, row.path, body).Want(row.status)
			})
		}
		a.Anonymous().Do("DELETE", path, nil).WantError(401, "unauthorized")
	}, apptest.StartAt(apptest.Today))
}

// TestDeletedPostDisappears reads everything that has shown a post, before and after it is deleted.
func TestDeletedPostDisappears(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		posts := "/events/" + event + "/posts"
		ann.Post("/events/"+event+"/join", nil).Want(200)
		path, id := postWrite(org, event, "The secret word")
		comment(ann, path, "Which word?", "")
		ann.Post(path+"/like", nil).Want(200)
		ann.Post(path+"/repost", nil).Want(200)
		places := map[string]func() bool{
			"the posts":         func() bool { return ann.Get(posts).Want(200).Len("items") > 0 },
			"anonymous posts":   func() bool { return a.Anonymous().Get(posts).Want(200).Len("items") > 0 },
			"a batch":           func() bool { return ann.Get("/events/posts?event_id="+event).Want(200).Len("items.0.threads") > 0 },
			"reposts":           func() bool { return ann.Get("/me/reposts").Want(200).Len("items") > 0 },
			"the export":        func() bool { return bytes.Contains(org.Get("/me/export").Want(200).Body, []byte("The secret word")) },
			"notifications":     func() bool { return slices.Contains(kindsOf(a, ann), "event_post") },
			"those of likes":    func() bool { return slices.Contains(kindsOf(a, org), "post_liked") },
			"those of reposts":  func() bool { return slices.Contains(kindsOf(a, org), "post_reposted") },
			"quotes of replies": func() bool { return quoted(a, org, "Which word?") },
		}
		for place, shows := range places {
			if !shows() {
				t.Errorf("%s do not have the post", place)
			}
		}
		org.Delete(path).Want(204)
		for place, shows := range places {
			if shows() {
				t.Errorf("%s still have the post", place)
			}
		}
		_, next := postWrite(org, event, "Another")
		if page := ann.Get(posts).Want(200); page.Text("items.0.post.id") != next || next == id {
			t.Errorf("after another post: %s", page.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

func kindsOf(a *apptest.App, c *apptest.Client) (kinds []string) {
	a.RunJobs()
	list := c.Get("/notifications?unread_only=true").Want(200)
	for i := range list.Len("items") {
		kinds = append(kinds, list.Text(fmt.Sprintf("items.%d.kind", i)))
	}
	return kinds
}

// quoted reports whether a notification of a user has a text.
func quoted(a *apptest.App, c *apptest.Client, text string) bool {
	a.RunJobs()
	list := c.Get("/notifications").Want(200)
	for i := range list.Len("items") {
		if list.Get(fmt.Sprintf("items.%d.body", i)) == text {
			return true
		}
	}
	return false
}

// TestPagesOfPostsSkipDeletedOnes reads all posts page by page after some are deleted: pages are full, and the last one has no
// cursor.
func TestPagesOfPostsSkipDeletedOnes(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		var paths []string
		for i := range 9 {
			path, _ := postWrite(org, event, fmt.Sprint("post ", i))
			paths = append(paths, path)
		}
		for _, i := range []int{0, 1, 4, 5, 6} {
			org.Delete(paths[i]).Want(204)
		}
		var bodies []string
		var sizes []int
		for cursor := ""; ; {
			page := org.Get("/events/" + event + "/posts?limit=2" + cursor).Want(200)
			sizes = append(sizes, page.Len("items"))
			for i := range page.Len("items") {
				bodies = append(bodies, page.Text(fmt.Sprintf("items.%d.post.body", i)))
			}
			if page.Get("next_cursor") == nil {
				break
			}
			cursor = "&cursor=" + page.Text("next_cursor")
		}
		if !slices.Equal(bodies, []string{"post 8", "post 7", "post 3", "post 2"}) || !slices.Equal(sizes, []int{2, 2}) {
			t.Errorf("pages of %v have %q", sizes, bodies)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestDeletedPostTakesNoResponses deletes posts while others comment on, like and repost them. A deleted post stays deleted, and
// nothing fails.
func TestDeletedPostTakesNoResponses(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		responds := func(r *apptest.Reply) {
			if r.Status != 200 && r.Status != 201 && r.Status != 404 {
				t.Errorf("a response to a post that is deleted meanwhile: %d %s", r.Status, r.Body)
			}
		}
		guests := []*apptest.Client{a.As("ann"), a.As("ben"), a.As("cleo")}
		for range 5 {
			path, _ := postWrite(org, event, "Hello")
			var all sync.WaitGroup
			for _, act := range []func(){
				func() { org.Delete(path).Want(204) },
				func() { responds(guests[0].Post(path+"/comments", apptest.Fields{"body": "Hi"})) },
				func() { responds(guests[1].Post(path+"/like", nil)) },
				func() { responds(guests[2].Post(path+"/repost", nil)) },
			} {
				all.Go(act)
			}
			all.Wait()
			guests[0].Get(path + "/comments").Want(404)
		}
		if posts := org.Get("/events/" + event + "/posts").Want(200); posts.Len("items") != 0 {
			t.Errorf("posts are left: %s", posts.Body)
		}
		if reposts := guests[2].Get("/me/reposts").Want(200); reposts.Len("items") != 0 {
			t.Errorf("reposts are left: %s", reposts.Body)
		}
	}, apptest.StartAt(apptest.Today), apptest.Setting("RATE_LIMITS", "off"))
}
