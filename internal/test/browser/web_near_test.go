package browser

import (
	"net/http"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestCityFindsEventsAround lists events around a city that the visitor has typed or chosen.
func TestCityFindsEventsAround(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	a.Clock.Set(time.Date(2026, 6, 3, 12, 0, 0, 0, time.UTC)) // Wednesday
	for title, fields := range map[string]apptest.Fields{
		"Yoga in Potsdam":  {"starts_at": "2026-06-06T10:00:00Z", "city": "Potsdam", "lat": 52.3989, "lng": 13.0657},
		"Yoga in Berlin":   {"starts_at": "2026-06-06T12:00:00Z", "city": "Berlin", "lat": 52.5244, "lng": 13.4105},
		"Yoga on Monday":   {"starts_at": "2026-06-08T10:00:00Z", "city": "Potsdam", "lat": 52.3989, "lng": 13.0657},
		"Chess in Leipzig": {"starts_at": "2026-06-06T10:00:00Z", "city": "Leipzig", "lat": 51.3396, "lng": 12.3713},
		"Tea in Atlantis":  {"starts_at": "2026-06-06T10:00:00Z", "city": "Atlantis"},
	} {
		fields["title"], fields["timezone"] = title, "Europe/Berlin"
		a.As("org").Publish(fields)
	}
	for _, c := range []struct {
		name, path string
		want       []string
	}{
		{"around a typed city", "/?city=potsdam&radius_km=50", []string{"Yoga in Potsdam", "Yoga in Berlin", "not", "Chess in Leipzig"}},
		{"a smaller circle", "/?city=Potsdam&radius_km=10", []string{"Yoga in Potsdam", "not", "Yoga in Berlin"}},
		{"words, weekend and city", "/?q=yoga&date=weekend&city=Potsdam&radius_km=50", []string{"Yoga in Potsdam", "Yoga in Berlin", "not", "Yoga on Monday"}},
		{"a chosen place", "/?city=Potsdam&place=Potsdam&lat=51.34&lng=12.37&radius_km=10", []string{"Chess in Leipzig", "not", "Yoga in Potsdam"}},
		{"a city typed after another", "/?city=Potsdam&place=Leipzig&lat=51.34&lng=12.37&radius_km=10", []string{"Yoga in Potsdam", "not", "Chess in Leipzig"}},
		{"an area", "/?lat=51.34&lng=12.37&radius_km=10", []string{"Chess in Leipzig", "In this area", "not", "Yoga in Potsdam"}},
		{"an unknown city by its name", "/?city=Atlantis&radius_km=25", []string{"Tea in Atlantis", "not", "Yoga in Potsdam"}},
		{"a city without a radius by its name", "/?city=Berlin", []string{"Yoga in Berlin", "not", "Yoga in Potsdam"}},
		{"the nearest, with their distance", "/?q=chess&city=Berlin&radius_km=10", []string{"The nearest events", "Chess in Leipzig", "150 km"}},
		{"another day", "/?q=yoga&date=2026-06-05&city=Potsdam&radius_km=10", []string{"The nearest events", "Yoga in Potsdam"}},
		{"nothing anywhere", "/?q=chess&city=Tokyo&radius_km=10", []string{"Nothing here yet", "not", "The nearest events"}},
		{"the feed", "/feeds/events.atom?city=Potsdam&radius_km=50", []string{"Yoga in Berlin", "not", "Chess in Leipzig"}},
		{"the frame", "/embed/events?city=Potsdam&radius_km=50", []string{"Yoga in Berlin", "not", "Chess in Leipzig"}},
	} {
		t.Run(c.name, func(t *testing.T) { visitor(t, a).open(c.path).want(t, http.StatusOK, c.want...) })
	}
}

// TestListAddressHasNoEmptyParameters opens addresses as a form without scripts sends them.
func TestListAddressHasNoEmptyParameters(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	for _, c := range []struct{ sent, clean string }{
		{"/?q=chess&city=&day=&date=weekend&place=&lat=&lng=&radius_km=25&tz=", "/?date=weekend&q=chess"},
		{"/?q=&city=Potsdam&category=&radius_km=25&tz=UTC", "/?city=Potsdam&radius_km=25"},
		{"/?q=&radius_km=25", "/"},
	} {
		t.Run(c.sent, func(t *testing.T) {
			r := a.Anonymous().In(t).With("Accept", "text/html").Get(c.sent)
			if r.Status != http.StatusSeeOther || r.Header.Get("Location") != c.clean {
				t.Errorf("%d to %s", r.Status, r.Header.Get("Location"))
			}
		})
	}
}
