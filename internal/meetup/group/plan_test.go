package group_test

import (
	"strings"
	"testing"

	_ "moothall/internal/meetup/group" // has the statements
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestHostsAreFoundAmongManyMembers checks that SQLite finds the hosts of a group by their own index, without reading the members.
func TestHostsAreFoundAmongManyMembers(t *testing.T) {
	d := dbtest.Open(t, db.SQLite)
	for name, parameters := range map[string]int{
		"group.hosts": 2, "group.heirs": 1, "group.count_hosts": 1, "notify.size.group_hosts": 1,
	} {
		explain := db.SQL("group_test.explain_"+name, "EXPLAIN QUERY PLAN "+dbtest.Statement(t, name).Text(db.PostgreSQL))
		scan := func(row db.Row, step *string) error {
			var id, parent, unused int64
			return row.Scan(&id, &parent, &unused, step)
		}
		steps, err := db.All(t.Context(), d, scan, explain, make([]any, parameters)...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if plan := strings.Join(steps, "\n"); !strings.Contains(plan, "group_members_hosts ") || strings.Contains(plan, "group_members_since ") {
			t.Errorf("%s:\n%s", name, plan)
		}
	}
}
