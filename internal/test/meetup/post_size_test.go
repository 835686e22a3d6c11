package meetup_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// maxResponse is the maximum size of a response (contract §11).
const maxResponse = 4 << 20

// longProfile is a profile of 12 KB.
func longProfile() apptest.Fields {
	var interests []string
	for i := range 20 {
		interests = append(interests, fmt.Sprintf("%02d", i)+strings.Repeat("👩🏽‍💻", 38))
	}
	return apptest.Fields{"interests": interests}
}

// TestLargeResponsesContinue reads threads that are too large for one response. The
// cursors lead to every post and every comment once, in order.
func TestLargeResponsesContinue(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		org.Patch("/me/profile", longProfile()).Want(200)
		var query string
		var events []string
		var want, got []string
		for e, size := range [][2]int{{4, 90}, {0, 0}, {1, 3}, {120, 0}, {30, 20}} {
			event := org.Publish(nil)
			events = append(events, event)
			query += "&event_id=" + event
			id, _ := domain.ParseID[domain.EventKind](event)
			var posts []newPost
			for i := range size[0] {
				p := newPost{ID: domain.NewID[domain.PostKind](a.Clock.Now()), EventID: id, AuthorID: org.ID(), Kind: post.Plain, At: a.Clock.Now(),
					Body: fmt.Sprint("post ", e, " ", size[0]-1-i)}
				for j := range size[1] {
					p.Comments = append(p.Comments, newComment{ID: domain.NewID[domain.CommentKind](a.Clock.Now()), AuthorID: org.ID(),
						Body: fmt.Sprint("comment ", j), At: a.Clock.Now().Add(time.Duration(j) * time.Second)})
				}
				posts = append(posts, p)
			}
			insertPosts(t, a.DB, posts)
			for i := range size[0] {
				want = append(want, fmt.Sprint("post ", e, " ", i))
				for j := range size[1] {
					want = append(want, fmt.Sprint("comment ", j))
				}
			}
		}

		read := func(path string) *apptest.Reply {
			reply := a.Anonymous().Get(path).Want(200)
			if len(reply.Body) > maxResponse {
				t.Errorf("%s: %d bytes", path, len(reply.Body))
			}
			return reply
		}
		comments := func(reply *apptest.Reply, at string) {
			for i := range reply.Len(at) {
				got = append(got, reply.Text(fmt.Sprintf("%s.%d.body", at, i)))
			}
		}
		threads := func(event string, reply *apptest.Reply, at string) {
			for i := range reply.Len(at) {
				thread := fmt.Sprintf("%s.%d.", at, i)
				got = append(got, reply.Text(thread+"post.body"))
				comments(reply, thread+"comments")
				next, rest := thread+"comments_next_cursor", reply
				for rest.Get(next) != nil {
					rest = read("/events/" + event + "/posts/" + reply.Text(thread+"post.id") + "/comments?cursor=" + rest.Text(next))
					comments(rest, "items")
					next = "next_cursor"
				}
			}
		}
		older := func(event string, reply *apptest.Reply, next string) {
			for reply.Get(next) != nil {
				reply = read("/events/" + event + "/posts?cursor=" + reply.Text(next))
				threads(event, reply, "items")
				next = "next_cursor"
			}
		}

		for _, event := range events {
			reply := read("/events/" + event + "/posts")
			threads(event, reply, "items")
			older(event, reply, "next_cursor")
		}
		if !slices.Equal(got, want) {
			t.Errorf("one event at a time: %d posts and comments, want %d", len(got), len(want))
		}

		got = nil
		batch := read("/events/posts?" + query[1:])
		if batch.Len("items") != len(events) || len(batch.Body) < maxResponse/2 {
			t.Errorf("%d of %d events in %d bytes", batch.Len("items"), len(events), len(batch.Body))
		}
		for i, event := range events {
			threads(event, batch, fmt.Sprintf("items.%d.threads", i))
			older(event, batch, fmt.Sprintf("items.%d.next_cursor", i))
		}
		if !slices.Equal(got, want) {
			t.Errorf("several events: %d posts and comments, want %d", len(got), len(want))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestRepostHistoryContinues reads reposts that are too large for one response.
func TestRepostHistoryContinues(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event, _ := domain.ParseID[domain.EventKind](org.Publish(nil))
		var posts []newPost
		for i := range 100 {
			posts = append(posts, newPost{ID: domain.NewID[domain.PostKind](a.Clock.Now()), EventID: event, AuthorID: org.ID(), Kind: post.Plain,
				At: a.Clock.Now(), Body: strings.Repeat("x", 70_000),
				Reposts: []newReaction{{UserID: org.ID(), At: a.Clock.Now().Add(time.Duration(i))}}})
		}
		insertPosts(t, a.DB, posts)
		seen := map[string]bool{}
		for path := "/me/reposts?limit=100"; path != ""; {
			page := org.Get(path).Want(200)
			if len(page.Body) > maxResponse {
				t.Errorf("%d bytes", len(page.Body))
			}
			for i := range page.Len("items") {
				seen[page.Text(fmt.Sprintf("items.%d.post.id", i))] = true
			}
			if path = ""; page.Get("next_cursor") != nil {
				path = "/me/reposts?limit=100&cursor=" + page.Text("next_cursor")
			}
		}
		if len(seen) != len(posts) {
			t.Errorf("%d reposts, want %d", len(seen), len(posts))
		}
	}, apptest.StartAt(apptest.Today))
}

// TestThreadsTakeLittleMemory measures the live heap while responses of 4 MiB are written,
// also if the profiles of 100 authors are 1 MiB of it.
func TestThreadsTakeLittleMemory(t *testing.T) {
	testutil.OnlyLong(t)
	profile, _ := json.Marshal(longProfile()["interests"])
	for _, row := range []struct {
		name, interests string
		mostMiB         float64 // rows included
		engines         []db.Engine
	}{
		{"ordinary", `["chess"]`, 1, []db.Engine{db.SQLite, db.PostgreSQL}},
		{"long profiles", string(profile), 2, []db.Engine{db.PostgreSQL, db.SQLite}},
	} {
		for _, engine := range row.engines {
			t.Run(row.name+" "+engine.String(), func(t *testing.T) { // not parallel: other tests would be measured
				w := newDataset(t, engine, 10, 100, 0)
				var all []newPost
				for range 100 {
					all = append(all, w.post(w.extra, 200))
				}
				insertPosts(t, w.service.DB, all)
				_, _ = w.service.DB.Exec(t.Context(), setInterestsStmt, row.interests)
				server := w.server(t)
				for _, path := range []string{"/events/" + w.extra.String() + "/posts", "/events/posts?event_id=" + w.extra.String()} {
					request := httptest.NewRequest(http.MethodGet, path, nil)
					server.ServeHTTP(httptest.NewRecorder(), request) // warms up
					m := &memoryMeter{header: http.Header{}}
					for range 3 { // empties the pools again
						m.base = m.live()
					}
					server.ServeHTTP(m, request)
					if m.status != 200 || m.bytes < maxResponse/2 || m.bytes > maxResponse {
						t.Errorf("%s: %d with %d bytes", path, m.status, m.bytes)
					}
					used := float64(int64(m.peak)-int64(m.base)) / (1 << 20)
					t.Logf("%s: %d bytes, %.2f MiB", path, m.bytes, used)
					if used > row.mostMiB {
						t.Errorf("%.1f MiB for a response of %d bytes", used, m.bytes)
					}
				}
			})
		}
	}
}

var setInterestsStmt = db.SQL("test.post_interests", `UPDATE profiles SET interests = $1`)

// server returns a server of the operations of package post, for anonymous callers.
func (w *dataset) server(t *testing.T) *httpapi.Server {
	t.Helper()
	type rest struct{ gen.UnimplementedHandler }
	s, err := httpapi.New(struct {
		rest
		*post.Handler
	}{Handler: post.NewHandler(w.service)}, httpapi.Options{
		Log: slog.New(slog.DiscardHandler), Metrics: prometheus.NewRegistry(), MaxInFlight: 1, RequestTimeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// memoryMeter discards a response and measures the live heap at some of its writes.
type memoryMeter struct {
	header     http.Header
	status     int
	bytes      int
	writes     int
	base, peak uint64
}

func (m *memoryMeter) Header() http.Header { return m.header }

func (m *memoryMeter) WriteHeader(status int) { m.status = status }

func (m *memoryMeter) Write(p []byte) (int, error) {
	if m.bytes += len(p); m.writes%4 == 0 {
		m.peak = max(m.peak, m.live())
	}
	m.writes++
	return len(p), nil
}

func (m *memoryMeter) live() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}
