package datevote_test

import (
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestVotersAreFoundByIndex checks SQLite's plan: counting votes looks up their voters
// and does not scan all participants or invited people.
func TestVotersAreFoundByIndex(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	for name, parameters := range map[string]int{"datevote.options": 2, "datevote.option": 3} {
		explain := db.SQL("test.explain_"+name, "EXPLAIN QUERY PLAN "+dbtest.Statement(t, name).Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, parameters)...)
		if err != nil {
			t.Fatal(err)
		}
		plan := strings.Join(steps, "\n")
		for _, table := range []string{"p", "i"} {
			if !strings.Contains(plan, "SEARCH "+table+" USING PRIMARY KEY (event_id=? AND user_id=?)") {
				t.Errorf("%s scans %s:\n%s", name, table, plan)
			}
		}
	}
}
