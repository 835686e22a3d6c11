package dbtest

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

// Rows returns the rows of each table in the order of the primary key, as text. Both engines return the same text for
// the same rows.
func Rows(t testing.TB, d *db.DB) map[string]string {
	t.Helper()
	_, tables, err := migrate.New(d, migrate.Options{}).Schema(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, table := range tables {
		var text strings.Builder
		for row, err := range migrate.ReadTable(t.Context(), d, table) {
			if err != nil {
				t.Fatal(err)
			}
			_, _ = fmt.Fprintf(&text, "%q\n", row)
		}
		all[table.Name] = text.String()
	}
	return all
}

// CompareRows reports the tables whose rows differ, and those of the tables full that have none in want.
func CompareRows(t testing.TB, got, want map[string]string, full ...string) {
	t.Helper()
	for _, table := range full {
		if want[table] == "" {
			t.Errorf("table %s is empty", table)
		}
	}
	for table, rows := range want {
		if got[table] != rows {
			t.Errorf("table %s differs: %d and %d bytes", table, len(got[table]), len(rows))
		}
	}
}
