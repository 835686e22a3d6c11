package event

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/dbtest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// TestSearchesWalkPostings asks SQLite how it would answer every shape of a
// filter: posting lists are walked by their keys in time order, never the
// table of events or an index of all of them.
func TestSearchesWalkPostings(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	person, to := domain.NewID[domain.UserKind](now), now.Add(time.Hour)
	circle, box := &Circle{Lat: 55.75, Lng: 37.62, RadiusKm: 5}, &Box{West: 37, South: 55, East: 38, North: 56}
	shapes := 0
	for _, words := range []int{0, 1, 2, 5, 8} {
		for _, price := range []string{"", Free, Paid} {
			for _, place := range []Filter{{}, {Circle: circle}, {Box: box}} {
				for _, who := range []Filter{{}, {Organizer: &person}, {Participant: &person}} {
					for _, common := range []bool{false, true} {
						f := Filter{Price: price, Circle: place.Circle, Box: place.Box, Organizer: who.Organizer, Participant: who.Participant, To: &to, Limit: 20}
						shapes++
						checkPlan(t, d, f, words, common, now)
					}
				}
			}
		}
	}
	t.Logf("%d shapes", shapes)
}

func checkPlan(t *testing.T, d *db.DB, f Filter, words int, common bool, now time.Time) {
	t.Helper()
	var groups []group
	for range words {
		g := group{terms: []int64{1, 2, 3}, df: 1}
		if common {
			g.df = 10 * fewEnough
		}
		groups = append(groups, g)
	}
	s := search{Filter: f, plan: arrange(f, groups), viewer: domain.Viewer{UserID: domain.RandomID[domain.UserKind]()}, now: now, most: farthest}
	text := s.text()
	explain := db.SQL("event.test_explain "+hash(text), "EXPLAIN QUERY PLAN "+text)
	scan := func(row db.Row, step *string) error {
		var id, parent, unused int64
		return row.Scan(&id, &parent, &unused, step)
	}
	steps, err := db.All(t.Context(), d, scan, explain, s.args...)
	if err != nil {
		t.Fatalf("%d words, %+v: %v", words, f, err)
	}
	first := map[bool]string{true: "SEARCH d USING PRIMARY KEY", false: "SEARCH e USING"}[s.key == "d.starts_key"]
	if f.Participant != nil {
		first = "SEARCH p USING"
	}
	if f.Organizer != nil && f.Participant == nil {
		first = "SEARCH e USING INDEX events_organizer"
	}
	for _, step := range steps {
		byKey := strings.Contains(step, "starts_key=?")
		if s.key == "d.starts_key" && (strings.HasPrefix(step, "SCAN e") || strings.HasPrefix(step, "SEARCH e") && !byKey) {
			t.Errorf("%d words, %+v: %s", words, f, step)
		}
	}
	if !strings.Contains(strings.Join(steps, "\n"), first) {
		t.Errorf("%d words, %+v does not %q:\n%s", words, f, first, strings.Join(steps, "\n"))
	}
}
