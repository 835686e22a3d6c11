package calendar

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
)

// TestQueriesUseIndexes checks that SQLite reads by index and never scans a table.
func TestQueriesUseIndexes(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	small := []string{"mine", "u", "a", "b"} // results of subqueries
	for name, query := range map[string]struct {
		*db.Stmt
		parameters int
	}{
		"entries": {listStmt, 6}, "entry": {entryStmt, 2}, "incoming": {listInvitesStmts[Incoming], 4}, "outgoing": {listInvitesStmts[Outgoing], 4},
		"invite": {readInviteStmt, 2}, "lock": {lockInviteStmt, 2}, "of entries": {entryParticipantsStmt, 2}, "of events": {eventParticipantsStmt, 2},
		"feed": {feedItemsStmt, 2}, "event": {eventItemStmt, 2}, "owner": {feedOwnerStmt, 1}, "on block": {declineBetweenStmt, 3},
	} {
		explain := db.SQL("calendar.test_explain_"+strings.ReplaceAll(name, " ", "_"), "EXPLAIN QUERY PLAN "+query.Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, query.parameters)...)
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
