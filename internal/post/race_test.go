package post_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// crowd is how many people act at once.
const crowd = 50

// together runs one function for every member of a crowd at the same moment.
func together(act func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(crowd)
	for i := range crowd {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			act(i)
		})
	}
	done.Wait()
}

// everywhere runs a race on each engine, on PostgreSQL with three instances.
func everywhere(t *testing.T, race func(t *testing.T, a *apptest.App, instances int)) {
	for engine, instances := range map[db.Engine]int{db.SQLite: 1, db.PostgreSQL: 3} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			race(t, apptest.New(t, engine, apptest.Instances(instances), apptest.StartAt(today)), instances)
		})
	}
}

func people(a *apptest.App, instances int) []*apptest.Client {
	clients := make([]*apptest.Client, crowd)
	for i := range clients {
		clients[i] = a.As(fmt.Sprintf("guest%d", i)).On(i % instances)
	}
	return clients
}

var rowsStmt = db.SQL("post.test_rows", `
	SELECT (SELECT COUNT(*) FROM post_likes), (SELECT COUNT(*) FROM reposts), (SELECT COUNT(*) FROM comments WHERE deleted_at IS NULL),
		(SELECT CAST(COALESCE(SUM(like_count), 0) AS BIGINT) FROM posts), (SELECT CAST(COALESCE(SUM(repost_count), 0) AS BIGINT) FROM posts),
		(SELECT CAST(COALESCE(SUM(comment_count), 0) AS BIGINT) FROM posts)`)

// agree fails the test unless the counters are what they count; it gives the rows.
func agree(t *testing.T, a *apptest.App) (likes, reposts, comments int64) {
	t.Helper()
	var l, r, c int64
	if err := a.DB.One(t.Context(), rowsStmt).Scan(&likes, &reposts, &comments, &l, &r, &c); err != nil {
		t.Fatal(err)
	}
	if likes != l || reposts != r || comments != c {
		t.Errorf("%d likes, %d reposts and %d comments are counted as %d, %d and %d", likes, reposts, comments, l, r, c)
	}
	return likes, reposts, comments
}

// TestMarksStayExact has a crowd like and repost one post, again and again.
func TestMarksStayExact(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, guests := a.As("org"), people(a, instances)
		event := published(org, nil)
		post, _ := write(org, event, "Hello")
		together(func(i int) {
			for _, mark := range []string{"/like", "/repost"} {
				guests[i].Post(post+mark, nil).Want(200)
				guests[i].Post(post+mark, nil).Want(200)
				guests[i].Delete(post + mark).Want(200)
				guests[i].Delete(post + mark).Want(200)
				guests[i].Post(post+mark, nil).Want(200)
			}
			if i%2 == 0 {
				guests[i].Delete(post + "/like").Want(200)
			}
		})
		if likes, reposts, _ := agree(t, a); likes != crowd/2 || reposts != crowd {
			t.Errorf("%d likes and %d reposts, want %d and %d", likes, reposts, crowd/2, crowd)
		}
		for i := range instances {
			seen := guests[1].On(i).Get("/events/" + event + "/posts").Want(200)
			if seen.Number("items.0.post.like_count") != crowd/2 || seen.Get("items.0.post.viewer_liked") != true || seen.Get("items.0.post.viewer_reposted") != true {
				t.Errorf("instance %d gives %s", i, seen.Body)
			}
			again := guests[1].On(i).Post(post+"/like", nil).Want(200)
			if again.Number("like_count") != crowd/2 || again.Get("viewer_liked") != true {
				t.Errorf("liked again: %s", again.Body)
			}
		}
		together(func(i int) { // one person in many places
			if path := post + "/like"; i%2 == 0 {
				guests[0].On(i%instances).Post(path, nil).Want(200)
			} else {
				guests[0].On(i % instances).Delete(path).Want(200)
			}
		})
		agree(t, a)
	})
}

// TestCommentsKeepTheirOrder has a crowd comment on one post, reply and delete
// at once, while the organizer writes posts from several places.
func TestCommentsKeepTheirOrder(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, guests := a.As("org"), people(a, instances)
		event := published(org, nil)
		post, _ := write(org, event, "Hello")
		together(func(i int) {
			root := say(guests[i], post, "A question", "")
			reply := say(guests[i], post, "An answer", root)
			guests[i].Delete(post + "/comments/" + root).Want(204)
			twice(func() { guests[i].Delete(post + "/comments/" + reply).Want(204) })
			org.On(i%instances).Post("/events/"+event+"/posts", fields{"body": fmt.Sprint(i)}).Want(201)
		})
		if _, _, comments := agree(t, a); comments != 0 {
			t.Errorf("%d comments are left", comments)
		}
		page := a.Anonymous().Get(post + "/comments").Want(200)
		for i := range page.Len("items") - 1 {
			if at, then := said(page, i), said(page, i+1); !at.Before(then) {
				t.Errorf("a comment of %s stands before one of %s", at, then)
			}
		}
		if page.Len("items") != 2*crowd {
			t.Errorf("%d nodes", page.Len("items"))
		}
		if n := a.Anonymous().Get("/events/" + event + "/posts").Want(200).Len("items"); n != crowd+1 {
			t.Errorf("%d posts", n)
		}
	})
}

// twice runs a function twice at once.
func twice(act func()) {
	var both sync.WaitGroup
	both.Go(act)
	both.Go(act)
	both.Wait()
}

// said gives when the comment at a place of a page was written.
func said(page *apptest.Reply, i int) time.Time {
	at, _ := time.Parse(time.RFC3339, page.Text(fmt.Sprintf("items.%d.created_at", i)))
	return at
}
