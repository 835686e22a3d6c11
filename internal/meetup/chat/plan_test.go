package chat_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestUnreadQueriesUseIndexes checks that SQLite reads by index and never scans a table:
// the cost depends on the number of the user's events, not on the length of their chats.
func TestUnreadQueriesUseIndexes(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	small := []string{"mine", "page", "counted", "seen", "s", "newest"} // results of subqueries
	for name, parameters := range map[string]int{"chats_20": 3, "unread": 1, "read_state": 2, "mark_read": 3} {
		explain := db.SQL("chat_test.explain_"+name, "EXPLAIN QUERY PLAN "+dbtest.Statement(t, "chat."+name).Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, parameters)...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, step := range steps {
			if table, scans := strings.CutPrefix(step, "SCAN "); scans && !slices.Contains(small, strings.Fields(table)[0]) {
				t.Errorf("%s: %s\n%s", name, step, strings.Join(steps, "\n"))
			}
		}
	}
}
