package ops_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// noon is the time at which the tests of cached pages start.
var noon = apptest.Today

// evening publishes an event that starts six hours after noon and ends an hour
// later.
func evening(c *apptest.Client, title string) (id string) {
	return eventAt(c, title, noon.Add(6*time.Hour))
}

func eventAt(c *apptest.Client, title string, start time.Time) (id string) {
	id = c.Post("/events", map[string]any{
		"title": title, "starts_at": start, "ends_at": start.Add(time.Hour), "timezone": "UTC",
		"city": "Berlin", "lat": 52.5, "lng": 13.4,
	}).Want(201).Text("event.id")
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// computed returns how often the first instance has computed pages of an operation.
func computed(t *testing.T, a *apptest.App, operation string) (times int) {
	t.Helper()
	for line := range strings.Lines(a.Metrics()) {
		if rest, ok := strings.CutPrefix(line, fmt.Sprintf("moothall_cache_lookups_total{cache=%q,result=\"miss\"} ", operation)); ok {
			if _, err := fmt.Sscan(rest, &times); err != nil {
				t.Fatal(err)
			}
		}
	}
	return times
}

// publicPages returns paths of every operation whose responses are cached.
func publicPages(event, post, person string) []string {
	return []string{
		"/events", "/events?q=chess&limit=5", "/events?city=berlin", "/events?lat=52.5&lng=13.4&radius_km=5", "/events/map?bbox=13,52,14,53",
		"/events?participant_user_id=" + person, "/events/" + event, "/feed", "/events/" + event + "/posts",
		"/events/" + event + "/posts/" + post + "/comments",
		"/users/" + person + "/profile", "/users/profiles", "/users/profiles?q=ann",
	}
}

// TestCachedPagesFollowEveryChange reads every public page before and after each
// change: a cached response equals a computed one. It also checks that each change
// changes a page, because otherwise its row could not fail.
func TestCachedPagesFollowEveryChange(t *testing.T) {
	moderator := apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod"))
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			a := apptest.New(t, engine, apptest.StartAt(noon), moderator)
			org, ann, mod := a.As("org"), a.As("ann"), a.As("mod")
			event := evening(org, "Chess")
			post := org.Post("/events/"+event+"/posts", map[string]any{"body": "Welcome"}).Want(201).Text("id")
			comments := "/events/" + event + "/posts/" + post + "/comments"
			join, like := "/events/"+event+"/join", "/events/"+event+"/posts/"+post+"/like"
			incognito := map[string]any{"participation_visibility": "incognito"}
			const start = "its start" // changes no page: the event still takes place
			canceled := ""
			for _, change := range []struct {
				name string
				do   func()
			}{
				{"join", func() { ann.Post(join, nil).Want(200) }},
				{"going incognito", func() { ann.Post(join, incognito).Want(200) }},
				{"leave", func() { ann.Delete(join).Want(200) }},
				{"comment", func() { ann.Post(comments, map[string]any{"body": "Hello"}).Want(201) }},
				{"like", func() { ann.Post(like, nil).Want(200) }},
				{"unlike", func() { ann.Delete(like).Want(200) }},
				{"post", func() { org.Post("/events/"+event+"/posts", map[string]any{"body": "News"}).Want(201) }},
				{"rename", func() { org.Patch("/me/profile", map[string]any{"display_name": "Olga"}).Want(200) }},
				{"edit", func() { org.Patch("/events/"+event, map[string]any{"title": "Chess for two"}).Want(200) }},
				{"publish", func() { eventAt(org, "More chess", noon.Add(8*time.Hour)) }},
				{"joining again", func() { ann.Post(join, nil).Want(200) }},
				{"block", func() { ann.Post("/users/"+org.UserID+"/block", nil).Want(200) }},
				{start, func() { a.Clock.Set(noon.Add(6 * time.Hour)) }},
				{"the end of that second", func() { a.Clock.Advance(time.Second - time.Nanosecond) }},
				{"its end", func() {
					a.Clock.Set(noon.Add(7 * time.Hour))
					a.RunJobs() // runs the sweep now, so that it does not run between two requests
				}},
				{"back in time", func() { a.Clock.Set(noon) }},
				{"publishing another", func() { canceled = evening(org, "Not chess") }},
				{"cancel", func() { org.Post("/events/"+canceled+"/cancel", nil).Want(200) }},
				{"suspension", func() { suspend(mod, org.UserID) }},
			} {
				pages := publicPages(event, post, ann.UserID)
				before := map[string]*apptest.Reply{}
				for _, page := range pages {
					a.Anonymous().Get(page)
					before[page] = a.Anonymous().Get(page)
				}
				change.do()
				changed := false
				for _, page := range pages {
					cached, computed := a.Anonymous().Get(page), a.Anonymous().Get(uncached(page))
					if cached.Status != computed.Status || !bytes.Equal(cached.Body, computed.Body) {
						t.Errorf("%s: %s is\n%d %s\nand should be\n%d %s", change.name, page, cached.Status, cached.Body, computed.Status, computed.Body)
					}
					changed = changed || before[page].Status != computed.Status || !bytes.Equal(before[page].Body, computed.Body)
				}
				if changed == (change.name == start) {
					t.Errorf("%s: some page changed: %t", change.name, changed)
				}
			}
		})
	}
}

// suspend lets a moderator report and suspend a user.
func suspend(mod *apptest.Client, user string) {
	id := mod.Post("/reports", map[string]any{"target_type": "user", "target_id": user, "reason": "spam"}).Want(201).Text("id")
	mod.Patch("/admin/reports/"+id, map[string]any{"status": "resolved", "action": "suspend_user"}).Want(200)
}

var fresh atomic.Int64

// uncached returns the address of a page with a query that was never requested.
func uncached(page string) string {
	sign := "?"
	if strings.Contains(page, "?") {
		sign = "&"
	}
	return fmt.Sprintf("%s%sfresh=%d", page, sign, fresh.Add(1))
}

// TestCacheServesUnchangedPages counts computations: a page is computed once until an
// entity of the kinds that it shows changes.
func TestCacheServesUnchangedPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event, other := evening(org, "Chess"), evening(org, "Go")
		computes := func(operation, path string, change func()) bool {
			a.Anonymous().Get(path).Want(200)
			before := computed(t, a, operation)
			change()
			a.Anonymous().Get(path).Want(200)
			return computed(t, a, operation) != before
		}
		for _, page := range []struct{ operation, path string }{{"listEvents", "/events?q=chess"}, {"getEvent", "/events/" + event}} {
			// On PostgreSQL, an instance caches nothing at first: see db.Watch.
			testutil.Until(t, page.path+" from the cache", func() bool {
				return !computes(page.operation, page.path, func() {})
			})
			testutil.Until(t, page.path+" from the cache after a post", func() bool {
				return !computes(page.operation, page.path, func() {
					org.Post("/events/"+event+"/posts", map[string]any{"body": "News"}).Want(201)
				})
			})
			if !computes(page.operation, page.path, func() { ann.Post("/events/"+other+"/join", nil).Want(200) }) {
				t.Errorf("%s is not computed again when somebody joins", page.path)
			}
			ann.Delete("/events/" + other + "/join").Want(200)
		}
	}, apptest.StartAt(noon))
}

func TestSignedInViewersGetTheirOwnPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		event := evening(org, "Chess")
		ann.Post("/events/"+event+"/join", nil).Want(200)
		path := "/events/" + event
		for range 2 {
			if a.Anonymous().Get(path).Want(200).Get("feed_context.viewer_going") != false {
				t.Error("an anonymous viewer is going")
			}
			if ann.Get(path).Want(200).Get("feed_context.viewer_going") != true {
				t.Error("Ann is not going")
			}
			browser := a.Anonymous().With("Cookie", "service_refresh_token="+ann.RefreshToken)
			if browser.Get(path).Want(200).Get("feed_context.viewer_going") != true {
				t.Error("with her cookie Ann is not going")
			}
			for _, bad := range [][2]string{
				{"Authorization", "Bearer nonsense"}, {"Authorization", ""},
				{"Cookie", "service_refresh_token=one; service_refresh_token="},
			} {
				a.Anonymous().Header(bad[0], bad[1]).Get(path).WantError(401, "unauthorized")
			}
		}
		signedIn := ann.Get("/events").Want(200).Header
		if signedIn.Get("ETag") != "" || signedIn.Get("Cache-Control") != "private, no-store" {
			t.Errorf("a response for Ann may be cached: %v", signedIn)
		}
		draft := org.Post("/events", map[string]any{"title": "Draft", "starts_at": noon.Add(time.Hour),
			"timezone": "UTC"}).Want(201).Text("event.id")
		for range 2 {
			org.Get("/events/" + draft).Want(200)
			a.Anonymous().Get("/events/"+draft).WantError(404, "not_found")
		}
	}, apptest.StartAt(noon))
}

// TestCachedPageHeaders compares the headers of a cached response and a computed one.
func TestCachedPageHeaders(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := evening(a.As("org"), "Chess")
		c := a.Anonymous().With("Origin", apptest.WebOrigin)
		for _, path := range []string{"/events", "/events/" + event} {
			first := c.Get(path).Want(200).Header
			again, other := c.With("X-Request-Id", "mine").Get(path).Want(200).Header, a.Anonymous().Get(path).Want(200).Header
			for name := range first {
				if name != "Date" && name != "X-Request-Id" && strings.Join(first[name], ";") != strings.Join(again[name], ";") {
					t.Errorf("%s: %s was %q, is %q", path, name, first[name], again[name])
				}
			}
			if len(first) != len(again) || again.Get("X-Request-Id") != "mine" || other.Get("X-Request-Id") == first.Get("X-Request-Id") {
				t.Errorf("%s: was %v, is %v", path, first, again)
			}
			if first.Get("Access-Control-Allow-Origin") != apptest.WebOrigin || other.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: a caller gets the Access-Control-Allow-Origin of another: %v, %v", path, first, other)
			}
			head := c.Do(http.MethodHead, path, nil).Want(200)
			if len(head.Body) != 0 || head.Header.Get("Content-Length") != first.Get("Content-Length") {
				t.Errorf("HEAD %s: %v", path, head.Header)
			}
		}
		tag := c.Get("/events").Want(200).Header.Get("ETag")
		for _, known := range []string{tag, "W/" + tag, `"another", ` + tag, "*"} {
			if got := c.With("If-None-Match", known).Get("/events").Want(304); len(got.Body) != 0 || got.Header.Get("ETag") != tag {
				t.Errorf("%s: %v %s", known, got.Header, got.Body)
			}
			c.With("If-None-Match", known).Get(uncached("/events")).Want(304)
		}
		c.With("If-None-Match", `"another"`).Get("/events").Want(200)
		version := c.Get("/events/" + event).Want(200).Header.Get("ETag")
		c.With("If-None-Match", version).Get("/events/" + event).Want(200)
	}, apptest.StartAt(noon))
}

// TestCacheShowsAcknowledgedWrites reads while others write: a request that starts
// after a write was acknowledged sees it.
func TestCacheShowsAcknowledgedWrites(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := evening(org, "Chess 0")
		const changes, guests, readers = 10, 10, 39
		var title, going atomic.Int64
		var writing, reading sync.WaitGroup
		writing.Go(func() {
			for i := range int64(changes) {
				org.Patch("/events/"+event, map[string]any{"title": fmt.Sprintf("Chess %d", i+1)}).Want(200)
				title.Store(i + 1)
			}
		})
		for i := range guests {
			guest := a.As(fmt.Sprintf("guest%d", i))
			writing.Go(func() {
				guest.Post("/events/"+event+"/join", nil).Want(200)
				going.Add(1)
			})
		}
		var done atomic.Bool
		for i := range readers {
			path := []string{"/events", "/events/" + event, "/events?q=chess"}[i%3]
			at := map[bool]string{true: "", false: "items.0."}[i%3 == 1]
			reading.Go(func() {
				for !done.Load() && !t.Failed() {
					leastTitle, leastGoing := title.Load(), going.Load()
					page := a.Anonymous().Get(path).Want(200)
					var n int64
					if _, err := fmt.Sscanf(page.Text(at+"event.title"), "Chess %d", &n); err != nil || n < leastTitle {
						t.Errorf("%s: shows title %d after title %d was acknowledged", path, n, leastTitle)
					}
					if n := int64(page.Number(at + "participant_count")); n < leastGoing {
						t.Errorf("%s: shows %d participants after %d joins were acknowledged", path, n, leastGoing)
					}
				}
			})
		}
		writing.Wait()
		done.Store(true)
		reading.Wait()
	}, apptest.StartAt(noon))
}

// TestChangesReachOtherInstances changes an event on one instance and reads it from
// the others.
func TestChangesReachOtherInstances(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := evening(org, "Chess")
		for i := range 5 {
			title := fmt.Sprintf("Chess %d", i)
			for instance := range 3 {
				a.Anonymous().On(instance).Get("/events/" + event)
			}
			org.On(i%3).Patch("/events/"+event, map[string]any{"title": title}).Want(200)
			for instance := range 3 {
				until := time.Now().Add(time.Minute)
				for a.Anonymous().On(instance).Get("/events/"+event).Want(200).Text("event.title") != title {
					if time.Now().After(until) {
						t.Fatalf("instance %d does not show %s within a minute", instance, title)
					}
				}
			}
		}
	}, apptest.StartAt(noon), apptest.Instances(3))
}

func TestCacheCanBeDisabled(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(noon), apptest.Setting("CACHE_MB", "0"))
	evening(a.As("org"), "Chess")
	tag := a.Anonymous().Get("/events").Want(200).Header.Get("ETag")
	a.Anonymous().With("If-None-Match", tag).Get("/events").Want(304)
	if strings.Contains(a.Metrics(), "moothall_cache_lookups_total") {
		t.Error("the cache is enabled")
	}
}
