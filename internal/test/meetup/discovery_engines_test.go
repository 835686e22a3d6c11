package meetup_test

import (
	"slices"
	"testing"

	"moothall/internal/ops/demo"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/testutil"
)

// TestSameOrderOnBothEngines compares the lists of both engines with the same
// data.
func TestSameOrderOnBothEngines(t *testing.T) {
	var apps []*apptest.App
	for _, engine := range dbtest.Engines {
		a := apptest.New(t, engine, apptest.StartAt(apptest.Today))
		world, err := demo.NewDataset(demo.Plan{Seed: 11, Users: 200, Events: testutil.Rounds(250, 1500), Now: apptest.Today})
		if err != nil {
			t.Fatal(err)
		}
		if err := demo.Fill(t.Context(), demo.Into(a.DB, apptest.Today), world, demo.Options{}); err != nil {
			t.Fatal(err)
		}
		apps = append(apps, a)
	}
	for _, query := range []string{
		"limit=100", "limit=100&price=paid", "limit=100&city=Moscow", "limit=100&category=games", "limit=100&q=a",
		"limit=100&q=в", "limit=100&q=meet%20the", "limit=100&lat=55.75&lng=37.62&radius_km=20", "limit=100&lat=52.5&lng=13.4&radius_km=500&price=free",
		"limit=100&city=Berlin&q=and", "limit=100&starts_from=2026-09-01T00:00:00Z&starts_to=2026-09-30T00:00:00Z",
	} {
		one, other := discoveryWalk(t, apps[0].Anonymous(), query, nil), discoveryWalk(t, apps[1].Anonymous(), query, nil)
		if !slices.Equal(one, other) {
			t.Errorf("%s: SQLite finds %d and PostgreSQL %d events, or their order differs", query, len(one), len(other))
		}
		t.Logf("%s: %d events", query, len(one))
	}
}
