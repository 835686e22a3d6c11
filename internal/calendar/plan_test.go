package calendar

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/dbtest"
	"moothall/internal/platform/db"
)

// TestNothingIsScanned asks SQLite how it would run what people read: by keys,
// never through a whole table.
func TestNothingIsScanned(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	small := []string{"mine", "u", "a", "b"} // what has been found so far
	for name, read := range map[string]struct {
		*db.Stmt
		parameters int
	}{
		"entries": {listStmt, 6}, "entry": {entryStmt, 2}, "incoming": {listInvitesStmts[Incoming], 4}, "outgoing": {listInvitesStmts[Outgoing], 4},
		"invite": {readInviteStmt, 2}, "lock": {lockInviteStmt, 2}, "of entries": {entryParticipantsStmt, 2}, "of events": {eventParticipantsStmt, 2},
		"feed": {feedItemsStmt, 2}, "event": {eventItemStmt, 2}, "owner": {feedOwnerStmt, 1}, "part": {partStmt, 3},
	} {
		explain := db.SQL("calendar.test_explain_"+strings.ReplaceAll(name, " ", "_"), "EXPLAIN QUERY PLAN "+read.Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, read.parameters)...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, step := range steps {
			if of, scans := strings.CutPrefix(step, "SCAN "); scans && !slices.Contains(small, of) {
				t.Errorf("%s: %s", name, step)
			}
		}
	}
}
