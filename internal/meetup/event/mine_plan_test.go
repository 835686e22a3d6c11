package event_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestMyEventsUseIndexes checks that SQLite finds the events of a user in each role by an index of the user, and scans no table.
func TestMyEventsUseIndexes(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	small := []string{"page", "part0", "part1", "part2", "part3"} // results of subqueries
	for role, index := range map[string]string{
		"going": "participants_user", "hosting": "events_organizer", "draft": "events_drafts", "invited": "invitations_pending",
		"past": "participants_user",
	} {
		explain := db.SQL("event_test.explain_"+role, "EXPLAIN QUERY PLAN "+dbtest.Statement(t, "event.mine_"+role+"_20").Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, 3)...)
		if err != nil {
			t.Fatalf("%s: %v", role, err)
		}
		plan := strings.Join(steps, "\n")
		if !strings.Contains(plan, index+" ") {
			t.Errorf("%s does not use %s:\n%s", role, index, plan)
		}
		for _, step := range steps {
			if table, scans := strings.CutPrefix(step, "SCAN "); scans && !slices.Contains(small, strings.Fields(table)[0]) {
				t.Errorf("%s: %s\n%s", role, step, plan)
			}
		}
	}
}
