package calendar_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestQueriesUseIndexes checks that SQLite reads by index and never scans a table.
func TestQueriesUseIndexes(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	small := []string{"mine", "u", "a", "b"} // results of subqueries
	for name, parameters := range map[string]int{
		"entries": 6, "entry": 2, "invites_user_id": 4, "invites_invited_by": 4, "invite": 2, "lock_invite": 2,
		"entry_participants": 2, "event_participants": 2, "feed_items": 2, "event_item": 2, "feed_owner": 2, "decline_between": 3,
	} {
		explain := db.SQL("calendar.test_explain_"+name, "EXPLAIN QUERY PLAN "+dbtest.Statement(t, "calendar."+name).Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, parameters)...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, step := range steps {
			if table, scans := strings.CutPrefix(step, "SCAN "); scans && !slices.Contains(small, table) {
				t.Errorf("%s: %s", name, step)
			}
		}
	}
}
