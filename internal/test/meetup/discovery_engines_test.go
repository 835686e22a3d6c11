package meetup_test

import (
	"slices"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestSameOrderOnBothEngines compares the lists of both engines with the same
// data.
func TestSameOrderOnBothEngines(t *testing.T) {
	events := mixedEvents([]domain.UserID{{}}, testutil.Rounds(250, 1500))
	for i := 0; i < len(events); i += 7 {
		events[i].Title = "Вальс"
	}
	var apps []*apptest.App
	for _, engine := range dbtest.Engines {
		a := apptest.New(t, engine, apptest.StartAt(apptest.Today))
		organizer := userOf(t, a.As("org"))
		for i := range events {
			events[i].OrganizerID = organizer
		}
		insertEvents(t, a, events)
		apps = append(apps, a)
	}
	for _, query := range []string{
		"limit=100", "limit=100&price=paid", "limit=100&city=Moscow", "limit=100&category=games", "limit=100&q=al",
		"limit=100&q=вал", "limit=100&q=alpha%20beta", "limit=100&lat=55.75&lng=37.62&radius_km=20",
		"limit=100&lat=55.2&lng=37.3&radius_km=50&price=free",
		"limit=100&city=Berlin&q=alps", "limit=100&starts_from=2026-06-02T00:00:00Z&starts_to=2026-06-03T00:00:00Z",
	} {
		one, other := discoveryWalk(t, apps[0].Anonymous(), query, nil), discoveryWalk(t, apps[1].Anonymous(), query, nil)
		if !slices.Equal(one, other) {
			t.Errorf("%s: SQLite finds %d and PostgreSQL %d events, or their order differs", query, len(one), len(other))
		}
		if len(one) == 0 {
			t.Errorf("%s finds no event", query)
		}
	}
}
