package ops_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// statements returns the statements of the service: those of tests have names like app_test.all.
func statements() []*db.Stmt {
	return slices.DeleteFunc(db.Statements(), func(s *db.Stmt) bool { return strings.HasSuffix(owningPackage(s), "test") })
}

func owningPackage(s *db.Stmt) string {
	name, _, _ := strings.Cut(s.Name(), ".")
	return name
}

func TestStatementsWriteOwnTables(t *testing.T) {
	owner := dbtest.Owners(t)
	for _, s := range statements() {
		for _, table := range s.Writes() {
			if owner[table] != owningPackage(s) {
				t.Errorf("%s writes %s, a table of %q", s.Name(), table, owner[table])
			}
		}
	}
}

func TestEveryStatementPrepares(t *testing.T) {
	if len(statements()) < 500 {
		t.Fatal("the statements of packages are missing")
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := db.PrepareAll(t.Context(), d, statements()); err != nil {
			t.Error(err)
		}
	})
}
