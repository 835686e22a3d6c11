package meetup_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

const unknown = "01890a5d-ac96-774b-bcce-b302099a8057"

// postWrite adds a post and returns its path and id.
func postWrite(c *apptest.Client, event, body string) (path, id string) {
	id = c.Post("/events/"+event+"/posts", apptest.Fields{"body": body}).Want(201).Text("id")
	return "/events/" + event + "/posts/" + id, id
}

// comment adds a comment and returns its id. An empty parent means the top level.
func comment(c *apptest.Client, post, body, parent string) string {
	request := apptest.Fields{"body": body}
	if parent != "" {
		request["parent_comment_id"] = parent
	}
	return c.Post(post+"/comments", request).Want(201).Text("id")
}

// TestThread writes, edits and deletes comments and reads them in their thread.
func TestThread(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		event := org.Publish(nil)
		posts := "/events/" + event + "/posts"

		first := org.Post(posts, apptest.Fields{"body": " The back room is ours. "}).Want(201)
		if first.Text("kind") != "post" || first.Text("body") != "The back room is ours." || first.Text("event_id") != event ||
			first.Text("author_user_id") != org.UserID || first.Text("author.user_id") != org.UserID || first.Number("comment_count") != 0 {
			t.Errorf("the post: %s", first.Body)
		}
		post := posts + "/" + first.Text("id")
		second := org.Post(posts, apptest.Fields{"body": "It is off.", "kind": "announcement"}).Want(201)

		root := ann.Post(post+"/comments", apptest.Fields{"body": "Great!"}).Want(201)
		if root.Text("post_id") != first.Text("id") || root.Text("event_id") != event || root.Get("parent_comment_id") != nil ||
			root.Text("author.user_id") != ann.UserID || root.Get("deleted_at") != nil || root.Text("created_at") != root.Text("updated_at") {
			t.Errorf("the comment: %s", root.Body)
		}
		reply := comment(ben, post, "Is it?", root.Text("id"))
		comment(ann, post, "It is.", reply)

		a.Clock.Advance(time.Minute)
		edited := ann.Patch(post+"/comments/"+root.Text("id"), apptest.Fields{"body": "Wonderful!"}).Want(200)
		if edited.Text("body") != "Wonderful!" || edited.Text("created_at") != root.Text("created_at") ||
			edited.Text("updated_at") == root.Text("updated_at") {
			t.Errorf("edited: %s", edited.Body)
		}

		for _, c := range []*apptest.Client{org, ann, a.Anonymous()} {
			seen := c.Get(posts).Want(200)
			if seen.Len("items") != 2 || seen.Text("items.0.post.id") != second.Text("id") || seen.Text("items.0.post.kind") != "announcement" ||
				seen.Len("items.0.comments") != 0 || seen.Get("next_cursor") != nil {
				t.Errorf("%s", seen.Body)
			}
			if seen.Len("items.1.comments") != 3 || seen.Number("items.1.post.comment_count") != 3 ||
				seen.Text("items.1.comments.0.body") != "Wonderful!" ||
				seen.Text("items.1.comments.1.parent_comment_id") != root.Text("id") || seen.Text("items.1.comments.2.parent_comment_id") != reply {
				t.Errorf("%s", seen.Body)
			}
		}

		ben.Delete(post + "/comments/" + reply).Want(204)
		ben.Delete(post + "/comments/" + reply).Want(204)
		ben.Patch(post+"/comments/"+reply, apptest.Fields{"body": "Back!"}).WantError(404, "not_found")
		comment(ann, post, "Who knows?", reply) // below a tombstone
		seen := ben.Get(posts).Want(200)
		if seen.Number("items.1.post.comment_count") != 3 || seen.Len("items.1.comments") != 4 || seen.Text("items.1.comments.1.id") != reply ||
			seen.Text("items.1.comments.1.body") != "" || seen.Get("items.1.comments.1.author") != nil ||
			seen.Text("items.1.comments.1.deleted_at") == "" ||
			seen.Text("items.1.comments.1.parent_comment_id") != root.Text("id") {
			t.Errorf("with a tombstone: %s", seen.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestRepliesNestToDepthEight checks that deeper replies become siblings at depth 8.
func TestRepliesNestToDepthEight(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		post, _ := postWrite(org, org.Publish(nil), "Down")
		line := []string{""}
		for level := 1; level <= 8; level++ {
			line = append(line, comment(org, post, fmt.Sprint(level), line[level-1]))
		}
		for range 2 {
			deeper := org.Post(post+"/comments", apptest.Fields{"body": "deeper", "parent_comment_id": line[8]}).Want(201)
			if deeper.Text("parent_comment_id") != line[7] {
				t.Errorf("its parent is %v, want %s", deeper.Get("parent_comment_id"), line[7])
			}
			line[8] = deeper.Text("id")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestPermissions is the table of policy.md, "Doing something", for posts.
func TestPermissions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		public, private, canceled, completed := org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"}), org.Publish(nil),
			org.Publish(apptest.Fields{"starts_at": "2026-05-01T11:00:00Z"})
		paths := map[string]string{"draft": "/events/" + org.Draft(nil) + "/posts/" + unknown}
		for name, event := range map[string]string{"public": public, "private": private, "canceled": canceled, "completed": completed} {
			paths[name], _ = postWrite(org, event, "Hello")
		}
		org.Post("/events/"+canceled+"/cancel", nil).Want(200)
		comment := comment(ann, paths["public"], "Hello", "")
		paths["other"], _ = postWrite(org, public, "Another post")
		elsewhere := strings.Replace(paths["public"], public, canceled, 1)
		missing := "/events/" + public + "/posts/" + unknown
		hello := apptest.Fields{"body": "Hello"}
		for _, row := range []struct {
			who, call, path string
			body            any
			status          int
		}{
			{"org", "POST", "/events/" + canceled + "/posts", hello, 201},
			{"org", "POST", "/events/" + completed + "/posts", hello, 201},
			{"org", "POST", "/events/" + private + "/posts", hello, 201},
			{"org", "POST", parent(paths["draft"]), hello, 403},
			{"ann", "POST", "/events/" + public + "/posts", hello, 403},
			{"ann", "POST", "/events/" + public + "/posts", apptest.Fields{"body": ""}, 400},
			{"org", "POST", "/events/" + public + "/posts", apptest.Fields{"body": "x", "kind": "shout"}, 400},
			{"ann", "POST", "/events/" + private + "/posts", apptest.Fields{"body": ""}, 404},
			{"nobody", "POST", "/events/" + public + "/posts", hello, 401},

			{"ann", "POST", paths["public"] + "/comments", hello, 201},
			{"ann", "POST", paths["canceled"] + "/comments", hello, 201},
			{"ann", "POST", paths["completed"] + "/comments", hello, 201},
			{"org", "POST", paths["draft"] + "/comments", hello, 403},
			{"ann", "POST", paths["draft"] + "/comments", hello, 404},
			{"ann", "POST", paths["private"] + "/comments", hello, 404},
			{"ann", "POST", elsewhere + "/comments", hello, 404},
			{"ann", "POST", missing + "/comments", hello, 404},
			{"ann", "POST", paths["public"] + "/comments", apptest.Fields{"body": "x", "parent_comment_id": unknown}, 404},
			{"ann", "POST", paths["other"] + "/comments", apptest.Fields{"body": "x", "parent_comment_id": comment}, 404},
			{"ann", "POST", paths["public"] + "/comments", apptest.Fields{"body": "x", "parent_comment_id": nil}, 201},
			{"nobody", "POST", paths["public"] + "/comments", hello, 401},

			{"ann", "PATCH", paths["public"] + "/comments/" + comment, hello, 200},
			{"org", "PATCH", paths["public"] + "/comments/" + comment, hello, 403},
			{"ann", "PATCH", paths["public"] + "/comments/" + comment, apptest.Fields{"body": " "}, 400},
			{"ann", "PATCH", paths["public"] + "/comments/" + unknown, hello, 404},
			{"ann", "PATCH", paths["other"] + "/comments/" + comment, hello, 404},
			{"ann", "PATCH", elsewhere + "/comments/" + comment, hello, 404},
			{"org", "DELETE", paths["public"] + "/comments/" + comment, nil, 403},
			{"ann", "DELETE", paths["public"] + "/comments/" + unknown, nil, 404},
			{"ann", "DELETE", elsewhere + "/comments/" + comment, nil, 404},
			{"nobody", "DELETE", paths["public"] + "/comments/" + comment, nil, 401},
			{"ann", "DELETE", paths["public"] + "/comments/" + comment, nil, 204},

			{"ann", "POST", paths["public"] + "/like", nil, 200},
			{"org", "POST", paths["private"] + "/like", nil, 200},
			{"org", "POST", paths["draft"] + "/like", nil, 403},
			{"ann", "POST", paths["private"] + "/like", nil, 404},
			{"ann", "POST", missing + "/like", nil, 404},
			{"ann", "DELETE", missing + "/like", nil, 404},
			{"ann", "POST", elsewhere + "/like", nil, 404},
			{"ann", "DELETE", elsewhere + "/like", nil, 404},
			{"nobody", "POST", paths["public"] + "/like", nil, 401},

			{"ann", "POST", paths["completed"] + "/repost", nil, 200},
			{"org", "POST", paths["private"] + "/repost", nil, 403},
			{"org", "DELETE", paths["private"] + "/repost", nil, 200},
			{"org", "POST", paths["draft"] + "/repost", nil, 403},
			{"ann", "POST", paths["private"] + "/repost", nil, 404},
			{"ann", "POST", missing + "/repost", nil, 404},

			{"nobody", "GET", parent(paths["public"]), nil, 200},
			{"nobody", "GET", parent(paths["private"]), nil, 404},
			{"org", "GET", parent(paths["draft"]), nil, 200},
			{"nobody", "GET", parent(paths["public"]) + "?limit=101", nil, 400},
			{"nobody", "GET", parent(paths["public"]) + "?cursor=abc", nil, 400},
			{"nobody", "GET", paths["public"] + "/comments", nil, 200},
			{"nobody", "GET", missing + "/comments", nil, 404},
			{"nobody", "GET", elsewhere + "/comments", nil, 404},
			{"nobody", "GET", paths["private"] + "/comments", nil, 404},
			{"nobody", "GET", paths["public"] + "/comments?cursor=abc", nil, 400},
			{"nobody", "GET", "/events/posts", nil, 400},
			{"nobody", "GET", "/events/posts?event_id=" + private, nil, 404},
			{"ann", "GET", "/me/reposts?cursor=abc", nil, 400},
			{"nobody", "GET", "/me/reposts", nil, 401},
		} {
			t.Run(row.who+" "+row.call+" "+row.path, func(t *testing.T) {
				client := a.Anonymous()
				if row.who != "nobody" {
					client = a.As(row.who)
				}
				client.In(t).Do(row.call, row.path, row.body).Want(row.status)
			})
		}
	}, apptest.StartAt(apptest.Today))
}

// parent cuts the last segment off a path.
func parent(path string) string { return path[:strings.LastIndex(path, "/")] }

// TestPostTexts sends every text of a hostile list as a post and a comment: it is
// refused, or returned unchanged except for the documented clean-up.
func TestPostTexts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		post, _ := postWrite(org, event, "Say something")
		accepted := 0
		for name, value := range apptest.Texts(t) {
			for _, path := range []string{"/events/" + event + "/posts", post + "/comments"} {
				switch reply := org.Post(path, apptest.Fields{"body": value}); reply.Status {
				case 400, 413:
				case 201:
					accepted++
					if want := cleaned(value); reply.Text("body") != want {
						t.Errorf("%s: %q came back as %q", name, value, reply.Text("body"))
					}
				default:
					t.Errorf("%s: status %d", name, reply.Status)
				}
			}
		}
		if accepted == 0 {
			t.Error("every text was refused")
		}
		for path, longest := range map[string]int{"/events/" + event + "/posts": 5000, post + "/comments": 2000} {
			org.Post(path, apptest.Fields{"body": strings.Repeat("ä", longest)}).Want(201)
			org.Post(path, apptest.Fields{"body": strings.Repeat("ä", longest+1)}).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}

// TestBlockHidesComments checks that after a block two users see each other's comments
// without author and body.
func TestBlockHidesComments(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		event := org.Publish(nil)
		post, _ := postWrite(org, event, "Hello")
		said := comment(ben, post, "Good day", "")
		comment(ann, post, "And to you", said)
		ann.Block(ben)
		for _, pair := range []struct {
			viewer *apptest.Client
			hidden string
		}{{ann, ben.UserID}, {ben, ann.UserID}} {
			for _, path := range []string{"/events/" + event + "/posts", "/events/posts?event_id=" + event} {
				seen := pair.viewer.Get(path).Want(200)
				comments := "items.0.comments"
				if strings.Contains(path, "?") {
					comments = "items.0.threads.0.comments"
				}
				for i := range seen.Len(comments) {
					at := fmt.Sprintf("%s.%d", comments, i)
					hidden := seen.Text(at+".author_user_id") == pair.hidden
					if hidden != (seen.Get(at+".author") == nil) || hidden != (seen.Text(at+".body") == "") || seen.Get(at+".deleted_at") != nil {
						t.Errorf("%s", seen.Body)
					}
				}
				if seen.Len(comments) != 2 {
					t.Errorf("%s", seen.Body)
				}
			}
		}
		if seen := a.Anonymous().Get(post + "/comments").Want(200); seen.Text("items.0.body") != "Good day" ||
			seen.Text("items.1.body") != "And to you" {
			t.Errorf("others see %s", seen.Body)
		}

		ann.Post(post+"/repost", nil).Want(200)
		org.Block(ann)
		ann.Get("/events/"+event+"/posts").WantError(404, "not_found")
		ann.Get("/events/posts?event_id="+event).WantError(404, "not_found")
		ann.Post(post+"/like", nil).WantError(404, "not_found")
		if ann.Get("/me/reposts").Want(200).Len("items") != 0 {
			t.Error("a post of a hidden event is still among the reposts")
		}
	}, apptest.StartAt(apptest.Today))
}
