package meetup_test

import (
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

// TestClustersCountWhatTheViewerFinds compares counts for filters and viewers.
func TestClustersCountWhatTheViewerFinds(t *testing.T) {
	const city = "/events/map?zoom=9&bbox=37,55,38,56"
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, other, ann := a.As("org"), a.As("other"), a.As("ann")
		here := apptest.Fields{"title": "Chess", "category": "games", "lat": 55.75, "lng": 37.62}
		org.Publish(here)
		org.Publish(here)
		other.Publish(apptest.Fields{"title": "Tango", "category": "dance", "lat": 55.75, "lng": 37.62})
		other.Publish(apptest.Fields{"title": "Far away", "lat": 52.5, "lng": 13.4})
		org.Draft(here)
		count := func(c *apptest.Client, path string) (n int) {
			for _, cluster := range c.Get(path).Want(200).Get("clusters").([]any) {
				n += int(cluster.(map[string]any)["count"].(float64))
			}
			return n
		}
		check := func(t *testing.T, name string, c *apptest.Client, path string, want int) {
			t.Helper()
			if n := count(c.In(t), path); n != want {
				t.Errorf("%s: %d events in clusters, want %d", name, n, want)
			}
		}
		check(t, "a city", ann, city, 3)
		check(t, "the world", a.Anonymous(), "/events/map?zoom=0", 4)
		check(t, "a circle", ann, "/events/map?zoom=11&lat=55.75&lng=37.62&radius_km=5", 3)
		check(t, "a category", ann, city+"&category=Dance", 1)
		check(t, "a category that nothing has", ann, city+"&category=chess", 0)
		check(t, "a price", ann, city+"&price=paid", 0)
		check(t, "later", ann, city+"&starts_from=2030-01-01T00:00:00Z", 0)
		check(t, "no more items than asked for", ann, city+"&limit=1", 3)
		if a.Anonymous().Get("/events/map?bbox=37,55,38,56").Want(200).Get("clusters") != nil {
			t.Error("clusters without zoom")
		}
		ann.Block(other)
		check(t, "a block", ann, city, 2)
		org.Block(ann)
		check(t, "being blocked", ann, city, 0)
		check(t, "somebody else", a.Anonymous(), city, 3)
		a.Clock.Advance(30 * 24 * time.Hour)
		check(t, "all over", a.Anonymous(), city, 0)
	}, apptest.StartAt(apptest.Today))
}
