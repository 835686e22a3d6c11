package web_test

import (
	"encoding/xml"
	"net/http"
	"strings"
	"testing"

	"moothall/internal/apptest"
)

// TestFeedsShowPublicEvents reads the feeds and the sitemap as anybody can.
func TestFeedsShowPublicEvents(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		starts := apptest.Today.AddDate(0, 0, 3).Format("2006-01-02T15:04:05Z07:00")
		event := func(organizer, title, city string, visibility string) string {
			return a.As(organizer).Publish(apptest.Fields{"title": title, "starts_at": starts, "city": city, "visibility": visibility})
		}
		berlin := event("org", "Games & <b>tea</b> ]]>", "Berlin", "public")
		paris := event("other", "Boules", "Paris", "public")
		secret := event("org", "Surprise", "Berlin", "private")
		for _, c := range []struct {
			name, path   string
			status       int
			want, absent []string
		}{
			{"all", "/feeds/events.atom", 200, []string{berlin, paris}, []string{secret}},
			{"one city", "/feeds/events.atom?city=paris", 200, []string{paris}, []string{berlin, secret}},
			{"one organizer", "/users/" + a.As("org").UserID + "/events.atom", 200, []string{berlin}, []string{paris, secret}},
			{"refused filter", "/feeds/events.atom?lat=1", 400, nil, nil},
			{"no user", "/users/x/events.atom", 404, nil, nil},
			{"sitemap", "/sitemap.xml", 200, []string{berlin, paris}, []string{secret}},
		} {
			t.Run(c.name, func(t *testing.T) {
				r := signedIn(t, a, "org").open(c.path) // who asks makes no difference
				if r.StatusCode != c.status {
					t.Fatalf("status %d", r.StatusCode)
				}
				if c.status != http.StatusOK {
					return
				}
				if err := xml.Unmarshal([]byte(r.Body), new(struct{})); err != nil {
					t.Error(err)
				}
				for _, id := range c.want {
					if !strings.Contains(r.Body, origin+"/events/"+id) {
						t.Errorf("no %s in %s", id, r.Body)
					}
				}
				for _, id := range c.absent {
					if strings.Contains(r.Body, id) {
						t.Errorf("%s in %s", id, r.Body)
					}
				}
			})
		}
		if r := visitor(t, a).open("/robots.txt"); !strings.Contains(r.Body, "Sitemap: "+origin+"/sitemap.xml") {
			t.Errorf("robots.txt: %s", r.Body)
		}
	}, settings...)
}
