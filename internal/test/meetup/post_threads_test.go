package meetup_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

// TestCursorsVisitEverythingOnce reads posts and comments page by page while new posts
// are written.
func TestCursorsVisitEverythingOnce(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		var posts []string
		for i := range 7 {
			_, id := postWrite(org, event, fmt.Sprint(i))
			posts = slices.Insert(posts, 0, id)
		}
		path := "/events/" + event + "/posts"
		var met []string
		for cursor := ""; ; {
			page := a.Anonymous().Get(path + "?limit=3" + cursor).Want(200)
			for i := range page.Len("items") {
				met = append(met, page.Text(fmt.Sprintf("items.%d.post.id", i)))
			}
			if page.Get("next_cursor") == nil {
				break
			}
			cursor = "&cursor=" + page.Text("next_cursor")
			postWrite(org, event, "newer")
		}
		if !slices.Equal(met, posts) {
			t.Errorf("met %v, want %v", met, posts)
		}

		last := path + "/" + posts[6]
		var said []string
		for i := range 205 {
			said = append(said, comment(org, last, fmt.Sprint(i), ""))
		}
		thread := org.Get(path).Want(200)
		if thread.Len("items.8.comments") != 200 || thread.Number("items.8.post.comment_count") != 205 ||
			thread.Get("items.7.comments_next_cursor") != nil {
			t.Fatalf("%d comments", thread.Len("items.8.comments"))
		}
		rest := org.Get(last + "/comments?cursor=" + thread.Text("items.8.comments_next_cursor")).Want(200)
		if rest.Len("items") != 5 || rest.Text("items.0.id") != said[200] || rest.Get("next_cursor") != nil {
			t.Errorf("the rest: %s", rest.Body)
		}
		batch := org.Get("/events/posts?event_id=" + event).Want(200)
		if batch.Len("items.0.threads.8.comments") != 50 {
			t.Errorf("a batch has %d comments", batch.Len("items.0.threads.8.comments"))
		}
		rest = org.Get(last + "/comments?limit=10&cursor=" + batch.Text("items.0.threads.8.comments_next_cursor")).Want(200)
		if rest.Len("items") != 10 || rest.Text("items.0.id") != said[50] || rest.Get("next_cursor") == nil {
			t.Errorf("the rest of a batch: %s", rest.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestForgedCursors sends cursors with numbers that no post or comment has.
func TestForgedCursors(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		path, _ := postWrite(org, event, "Hello")
		comment(org, path, "Hello", "")
		for _, row := range []struct {
			seq    int64
			status int
			posts  int
		}{{math.MinInt64, 400, 0}, {-1, 400, 0}, {1, 200, 0}, {2, 200, 1}, {math.MaxInt64, 200, 1}} {
			posts := org.Get("/events/" + event + "/posts?cursor=" + domain.Cursor("posts.1", row.seq)).Want(row.status)
			comments := org.Get(path + "/comments?cursor=" + domain.Cursor("comments.1", row.seq)).Want(row.status)
			if row.status != 200 {
				continue
			}
			if posts.Len("items") != row.posts || comments.Len("items") != 0 || posts.Get("next_cursor") != nil ||
				comments.Get("next_cursor") != nil {
				t.Errorf("at %d: %s %s", row.seq, posts.Body, comments.Body)
			}
		}
		org.Get("/events/"+event+"/posts?cursor="+domain.Cursor("posts.1", 0)).WantError(400, "invalid_request")
		if all := org.Get(path + "/comments?cursor=" + domain.Cursor("comments.1", 0)).Want(200); all.Len("items") != 1 {
			t.Errorf("the comments after none: %s", all.Body)
		}
		org.Get("/events/"+event+"/posts?cursor="+domain.Cursor("comments.1", 2)).WantError(400, "invalid_request")
	}, apptest.StartAt(apptest.Today))
}

// TestBatchHasCursor is specification §2.1: a list has items and next_cursor.
func TestBatchHasCursor(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		batch := a.Anonymous().Get("/events/posts?event_id=" + a.As("org").Publish(nil)).Want(200)
		cursor, sent := batch.Get("").(map[string]any)["next_cursor"]
		if !sent || cursor != nil || batch.Len("items") != 1 {
			t.Errorf("batch: %s", batch.Body)
		}
	})
}

// TestBatchLeavesOutHiddenEvents asks for the threads of several events.
func TestBatchLeavesOutHiddenEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		quiet, loud, private := org.Publish(nil), org.Publish(nil), org.Publish(apptest.Fields{"visibility": "private"})
		postWrite(org, loud, "Hello")
		postWrite(org, private, "Only for you")
		ask := "/events/posts?event_id=" + quiet + "&event_id=" + unknown + "&event_id=" + private + "&event_id=" + loud + "&event_id=" + quiet
		all := a.Anonymous().Get(ask).Want(200)
		if all.Len("items") != 2 || all.Text("items.0.event_id") != quiet || all.Len("items.0.threads") != 0 ||
			all.Text("items.1.event_id") != loud || all.Text("items.1.threads.0.post.body") != "Hello" {
			t.Errorf("a stranger gets %s", all.Body)
		}
		own := org.Get(ask).Want(200)
		if own.Len("items") != 3 || own.Text("items.1.event_id") != private || own.Len("items.1.threads") != 1 {
			t.Errorf("the organizer gets %s", own.Body)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestRepostHistory reads a user's reposts page by page.
func TestRepostHistory(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := org.Publish(nil)
		var posts []string
		for i := range 5 {
			path, id := postWrite(org, event, fmt.Sprint(i))
			if i%2 == 0 { // some at the same time
				a.Clock.Advance(time.Minute)
			}
			state := ann.Post(path+"/repost", nil).Want(200)
			if state.Text("post_id") != id || state.Number("repost_count") != 1 || state.Get("viewer_reposted") != true {
				t.Errorf("%s", state.Body)
			}
			posts = append(posts, id)
		}
		gone := ann.Delete("/events/" + event + "/posts/" + posts[4] + "/repost").Want(200)
		if gone.Number("repost_count") != 0 || gone.Get("viewer_reposted") != false {
			t.Errorf("%s", gone.Body)
		}
		var met []string
		before := "9999"
		for cursor := ""; ; {
			page := ann.Get("/me/reposts?limit=2" + cursor).Want(200)
			for i := range page.Len("items") {
				at := fmt.Sprintf("items.%d.", i)
				met = append(met, page.Text(at+"post.id"))
				if page.Text(at+"reposted_at") > before || page.Text(at+"post.author.user_id") != org.UserID ||
					page.Get(at+"post.viewer_reposted") != true {
					t.Errorf("%s", page.Body)
				}
				before = page.Text(at + "reposted_at")
			}
			if page.Get("next_cursor") == nil {
				break
			}
			cursor = "&cursor=" + page.Text("next_cursor")
		}
		slices.Sort(met)
		if want := slices.Sorted(slices.Values(posts[:4])); !slices.Equal(met, want) {
			t.Errorf("met %v, want %v", met, want)
		}
		if org.Get("/me/reposts").Want(200).Len("items") != 0 {
			t.Error("reposts of another user")
		}
	}, apptest.StartAt(apptest.Today))
}

var (
	postAddUserStmt = db.SQL("test.post_user", `INSERT INTO users (id, email_verified, test_profile, created_at)
		VALUES ($1, FALSE, FALSE, $2)`)
	addProfileStmt = db.SQL("test.post_profile", `
		INSERT INTO profiles (user_id, display_name, username, interests, words, name_chosen, created_at, updated_at)
			VALUES ($1, 'Ann', $2, '["chess"]', '', TRUE, $3, $3)`)
	addEventStmt = db.SQL("test.post_event", `INSERT INTO events (id, organizer_id, status, visibility, listed, swept, title, starts_at,
		over_at, starts_key,
		timezone, date_mode, price, sequence, created_at, updated_at, published_at)
		VALUES ($1, $2, 'published', 'public', TRUE, FALSE, 'Chess', $3, $3, $4, 'UTC', 'fixed', 'free', 0, $3, $3, $3)`)
)

// dataset is a database with events. Each has the same number of posts, and each post the
// same number of comments.
type dataset struct {
	service    *post.Service
	statements int // run so far
	people     []domain.UserID
	events     []domain.EventID
	extra      domain.EventID // without posts
}

func newDataset(t *testing.T, engine db.Engine, events, posts, comments int) *dataset {
	t.Helper()
	w := &dataset{}
	note := func(context.Context, *db.Stmt, []any) { w.statements++ }
	d, err := db.Open(t.Context(), dbtest.URL(t, engine), db.Options{OnStatement: note, Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := migrate.Run(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	w.service = &post.Service{DB: d, Clock: func() time.Time { return apptest.Today }}
	must := func(_ int64, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range 100 {
		id := domain.NewID[domain.UserKind](apptest.Today)
		w.people = append(w.people, id)
		must(d.Exec(t.Context(), postAddUserStmt, id, apptest.Today))
		must(d.Exec(t.Context(), addProfileStmt, id, fmt.Sprint("ann", i), apptest.Today))
	}
	var all []newPost
	for i := range events + 1 {
		id := domain.NewID[domain.EventKind](apptest.Today)
		must(d.Exec(t.Context(), addEventStmt, id, w.people[0], apptest.Today.AddDate(0, 0, 4), int64(i)))
		if i == events {
			w.extra = id
			break
		}
		w.events = append(w.events, id)
		for range posts {
			all = append(all, w.post(id, comments))
		}
	}
	insertPosts(t, d, all)
	if err := d.Analyze(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *dataset) post(event domain.EventID, comments int) newPost {
	p := newPost{ID: domain.NewID[domain.PostKind](apptest.Today), EventID: event, AuthorID: w.people[0], Kind: post.Plain,
		Body: "We meet at the fountain, bring water.", At: apptest.Today}
	for i := range comments {
		p.Comments = append(p.Comments, newComment{
			ID: domain.NewID[domain.CommentKind](apptest.Today), AuthorID: w.people[i%len(w.people)], Answers: i / 2,
			Body: "See you there, I am looking forward to it!", At: apptest.Today.Add(time.Duration(i) * time.Second),
		})
	}
	for _, id := range w.people[:5] {
		p.Likes = append(p.Likes, newReaction{UserID: id, At: apptest.Today})
	}
	return p
}

// drain reads all threads.
func drain(t *testing.T, r *post.ThreadReader, err error) (threads []post.Thread) {
	t.Helper()
	for {
		var group []post.Thread
		if err == nil {
			group, err = r.Next(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(group) == 0 {
			return threads
		}
		threads = append(threads, group...)
	}
}

// TestBatchTakesFewStatements reads few and many events, posts and comments.
func TestBatchTakesFewStatements(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			w := newDataset(t, engine, 50, 3, 20)
			for n, most := range map[int]int{1: 4, 10: 6, 50: 18} {
				w.statements = 0
				begin := time.Now()
				r, err := w.service.Batch(t.Context(), domain.Viewer{UserID: w.people[1]}, w.events[:n])
				comments := 0
				for i, thread := range drain(t, r, err) {
					comments += len(thread.Comments)
					if thread.Post.EventID != w.events[i/3] || !thread.Post.ViewerLiked || thread.Post.Author == nil || thread.Comments[0].Author == nil {
						t.Fatalf("%+v", thread.Post)
					}
				}
				if w.statements > most || comments != n*3*20 {
					t.Errorf("%d events: %d statements, %d comments", n, w.statements, comments)
				}
				t.Logf("%d events with %d comments: %d statements, %v", n, comments, w.statements, time.Since(begin))
			}
		})
	}
}

// TestBatchIsBounded checks that a batch divides its posts among the events.
func TestBatchIsBounded(t *testing.T) {
	w := newDataset(t, db.SQLite, 20, 101, 0)
	for events, posts := range map[int]int{1: 100, 10: 100, 20: 50} {
		r, err := w.service.Batch(t.Context(), domain.Viewer{}, w.events[:events])
		of := map[domain.EventID]int{}
		for _, thread := range drain(t, r, err) {
			of[thread.Post.EventID]++
		}
		for _, event := range w.events[:events] {
			if of[event] != posts {
				t.Errorf("%d posts of one in %d events, want %d", of[event], events, posts)
			}
		}
	}
}
