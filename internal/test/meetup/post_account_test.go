package meetup_test

import (
	"encoding/json"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestEraseKeepsThreads erases a user: their comments become tombstones, the counters go
// down, and the replies of others keep their parents.
func TestEraseKeepsThreads(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann, ben := a.As("org"), a.As("ann"), a.As("ben")
		event := org.Publish(nil)
		path, id := postWrite(org, event, "Hello")
		other, _ := postWrite(org, event, "Hello again")
		root := comment(ann, path, "My secret", "")
		comment(ben, path, "Tell me", root)
		a.Clock.Advance(time.Minute)
		comment(ann, path, "Another secret", "")
		a.Clock.Advance(time.Minute)
		comment(ann, other, "One more", "")
		for _, c := range []*apptest.Client{ann, ben} {
			c.Post(path+"/like", nil).Want(200)
			c.Post(path+"/repost", nil).Want(200)
		}
		user, _ := domain.ParseID[domain.UserKind](ann.UserID)

		var got struct {
			Posts, Comments []struct{ Body string }
			Likes, Reposts  []struct {
				PostID string `json:"post_id"`
			}
		}
		export := func(user domain.UserID) {
			t.Helper()
			all, err := post.Export(t.Context(), a.DB, user)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(all)
			if err != nil || json.Unmarshal(text, &got) != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		export(user)
		if len(got.Posts) != 0 || len(got.Comments) != 3 || got.Comments[0].Body != "My secret" || got.Likes[0].PostID != id ||
			got.Reposts[0].PostID != id {
			t.Errorf("exported: %+v", got)
		}

		for range 2 {
			err := a.DB.InTx(t.Context(), func(tx db.Tx) error { return post.Erase(t.Context(), tx, user, a.Clock.Now().UTC()) })
			if err != nil {
				t.Fatal(err)
			}
		}
		seen := org.Get("/events/" + event + "/posts").Want(200)
		if seen.Number("items.1.post.comment_count") != 1 || seen.Number("items.1.post.like_count") != 1 ||
			seen.Number("items.1.post.repost_count") != 1 ||
			seen.Number("items.0.post.comment_count") != 0 {
			t.Errorf("the counts: %s", seen.Body)
		}
		if seen.Len("items.1.comments") != 3 || seen.Text("items.1.comments.0.body") != "" || seen.Get("items.1.comments.0.author") != nil ||
			seen.Text("items.1.comments.0.deleted_at") == "" || seen.Text("items.1.comments.1.parent_comment_id") != root {
			t.Errorf("the thread: %s", seen.Body)
		}
		checkCounters(t, a)
		export(user)
		if len(got.Likes)+len(got.Reposts) != 0 || got.Comments[0].Body != "" {
			t.Errorf("afterwards: %+v", got)
		}
	}, apptest.StartAt(apptest.Today))
}
