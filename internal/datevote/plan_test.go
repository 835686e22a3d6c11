package datevote

import (
	"strings"
	"testing"

	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
)

// TestVotersAreFoundByIndex checks SQLite's plan: counting votes looks up their voters
// and does not scan all participants or invited people.
func TestVotersAreFoundByIndex(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	for name, read := range map[string]struct {
		*db.Stmt
		parameters int
	}{"options": {optionsStmt, 2}, "option": {optionStmt, 3}} {
		explain := db.SQL("datevote.test_explain_"+name, "EXPLAIN QUERY PLAN "+read.Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, read.parameters)...)
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
