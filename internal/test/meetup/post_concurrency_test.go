package meetup_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

var postRowsStmt = db.SQL("post.test_rows", `
	SELECT (SELECT COUNT(*) FROM post_likes), (SELECT COUNT(*) FROM reposts), (SELECT COUNT(*) FROM comments WHERE deleted_at IS NULL),
		(SELECT CAST(COALESCE(SUM(like_count), 0) AS BIGINT) FROM posts), (SELECT CAST(COALESCE(SUM(repost_count), 0) AS BIGINT) FROM posts),
		(SELECT CAST(COALESCE(SUM(comment_count), 0) AS BIGINT) FROM posts)`)

// checkCounters compares the counters of posts with the rows, and returns the numbers of
// rows.
func checkCounters(t *testing.T, a *apptest.App) (likes, reposts, comments int64) {
	t.Helper()
	var l, r, c int64
	if err := a.DB.One(t.Context(), postRowsStmt).Scan(&likes, &reposts, &comments, &l, &r, &c); err != nil {
		t.Fatal(err)
	}
	if likes != l || reposts != r || comments != c {
		t.Errorf("%d likes, %d reposts and %d comments are counted as %d, %d and %d", likes, reposts, comments, l, r, c)
	}
	return likes, reposts, comments
}

// TestLikesAreCountedExactly lets a crowd like and repost one post again and again, and
// then one user like and unlike it many times at once.
func TestLikesAreCountedExactly(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		event := org.Publish(nil)
		post, _ := postWrite(org, event, "Hello")
		apptest.Concurrently(apptest.Crowd, func(i int) {
			for _, reaction := range []string{"/like", "/repost"} {
				guests[i].Post(post+reaction, nil).Want(200)
				guests[i].Post(post+reaction, nil).Want(200)
				guests[i].Delete(post + reaction).Want(200)
				guests[i].Delete(post + reaction).Want(200)
				guests[i].Post(post+reaction, nil).Want(200)
			}
			if i%2 == 0 {
				guests[i].Delete(post + "/like").Want(200)
			}
		})
		if likes, reposts, _ := checkCounters(t, a); likes != int64(apptest.Crowd/2) || reposts != int64(apptest.Crowd) {
			t.Errorf("%d likes and %d reposts, want %d and %d", likes, reposts, apptest.Crowd/2, apptest.Crowd)
		}
		for i := range 3 {
			seen := guests[1].On(i).Get("/events/" + event + "/posts").Want(200)
			if seen.Number("items.0.post.like_count") != float64(apptest.Crowd/2) || seen.Get("items.0.post.viewer_liked") != true ||
				seen.Get("items.0.post.viewer_reposted") != true {
				t.Errorf("instance %d returns %s", i, seen.Body)
			}
			again := guests[1].On(i).Post(post+"/like", nil).Want(200)
			if again.Number("like_count") != float64(apptest.Crowd/2) || again.Get("viewer_liked") != true {
				t.Errorf("liked again: %s", again.Body)
			}
		}
		apptest.Concurrently(apptest.Crowd, func(i int) { // the same user
			if path := post + "/like"; i%2 == 0 {
				guests[0].On(i).Post(path, nil).Want(200)
			} else {
				guests[0].On(i).Delete(path).Want(200)
			}
		})
		checkCounters(t, a)
	}, apptest.StartAt(apptest.Today))
}

// TestCommentsKeepTheirOrder lets a crowd comment on one post, reply and delete at once,
// while the organizer writes posts from several instances.
func TestCommentsKeepTheirOrder(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		event := org.Publish(nil)
		post, _ := postWrite(org, event, "Hello")
		apptest.Concurrently(apptest.Crowd, func(i int) {
			root := comment(guests[i], post, "A question", "")
			reply := comment(guests[i], post, "An answer", root)
			guests[i].Delete(post + "/comments/" + root).Want(204)
			twice(func() { guests[i].Delete(post + "/comments/" + reply).Want(204) })
			org.On(i).Post("/events/"+event+"/posts", apptest.Fields{"body": fmt.Sprint(i)}).Want(201)
		})
		if _, _, comments := checkCounters(t, a); comments != 0 {
			t.Errorf("%d comments are left", comments)
		}
		page := a.Anonymous().Get(post + "/comments").Want(200)
		for i := range page.Len("items") - 1 {
			if at, then := createdAt(page, i), createdAt(page, i+1); !at.Before(then) {
				t.Errorf("a comment of %s is before one of %s", at, then)
			}
		}
		if page.Len("items") != 2*apptest.Crowd {
			t.Errorf("%d nodes", page.Len("items"))
		}
		if n := a.Anonymous().Get("/events/" + event + "/posts").Want(200).Len("items"); n != apptest.Crowd+1 {
			t.Errorf("%d posts", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// twice runs a function twice at once.
func twice(act func()) {
	var both sync.WaitGroup
	both.Go(act)
	both.Go(act)
	both.Wait()
}

// createdAt returns when the comment with an index on a page was written.
func createdAt(page *apptest.Reply, i int) time.Time {
	at, _ := time.Parse(time.RFC3339, page.Text(fmt.Sprintf("items.%d.created_at", i)))
	return at
}
