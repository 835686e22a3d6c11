package browser

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"

	"moothall/internal/test/apptest"
)

// parseFeed returns why a feed or sitemap is no XML, or a calendar not one that others parse.
func parseFeed(r answer) error {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/calendar") {
		return xml.Unmarshal([]byte(r.Body), new(struct{}))
	}
	calendar, err := ical.NewDecoder(strings.NewReader(r.Body)).Decode()
	if err != nil {
		return err
	}
	for _, e := range calendar.Events() {
		if title, err := e.Props.Text(ical.PropSummary); err != nil || title == "" {
			return fmt.Errorf("title %q: %w", title, err)
		}
		if at, err := e.DateTimeStart(time.UTC); err != nil || !at.Equal(apptest.Today.AddDate(0, 0, 3)) {
			return fmt.Errorf("start %s: %w", at, err)
		}
	}
	return nil
}

// TestFeedsShowPublicEvents reads the feeds and the sitemap as anybody can.
func TestFeedsShowPublicEvents(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		starts := apptest.Today.AddDate(0, 0, 3).Format("2006-01-02T15:04:05Z07:00")
		event := func(organizer, title, city string, visibility string) string {
			org := a.As(organizer)
			return pageOf(org, org.Publish(apptest.Fields{"title": title, "starts_at": starts, "city": city, "visibility": visibility}))
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
			{"a calendar of all", "/feeds/events.ics", 200, []string{berlin, paris}, []string{secret}},
			{"a calendar of one city", "/feeds/events.ics?city=paris", 200, []string{paris}, []string{berlin, secret}},
			{"a calendar of one organizer", "/users/" + a.As("org").UserID + "/events.ics", 200, []string{berlin}, []string{paris, secret}},
			{"a calendar with a refused filter", "/feeds/events.ics?lat=1", 400, nil, nil},
			{"a calendar of no user", "/users/018f3b0a-5c1d-7000-8000-0000000000ff/events.ics", 404, nil, nil},
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
				if err := parseFeed(r); err != nil {
					t.Error(err)
				}
				for _, page := range c.want {
					if !strings.Contains(r.Body, origin+page) {
						t.Errorf("no %s in %s", page, r.Body)
					}
				}
				for _, page := range c.absent {
					if strings.Contains(r.Body, page) {
						t.Errorf("%s in %s", page, r.Body)
					}
				}
			})
		}
		visitor(t, a).open("/robots.txt").want(t, http.StatusOK, "Sitemap: "+origin+"/sitemap.xml", "Disallow: /i/", "Disallow: /t/", "not",
			"Disallow: /e/", "Disallow: /p/", "Disallow: /g/")
	}, settings...)
}
