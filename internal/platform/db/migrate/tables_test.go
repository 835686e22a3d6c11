package migrate_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/dbtest"
)

var (
	sqliteColumns = db.SQL("db_test.sqlite_columns", `
		SELECT m.name || '.' || c.name || ' ' || c.type FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name,
			c.cid`)
	postgresColumns = db.SQL("db_test.postgres_columns", `
		SELECT c.table_name || '.' || c.column_name || ' ' || c.data_type FROM information_schema.columns c
		WHERE c.table_schema = current_schema() ORDER BY c.table_name, c.ordinal_position`)
)

// catalogTypes are the names of types in the catalog of each engine.
var catalogTypes = map[db.Engine]map[string]string{
	db.SQLite: {"TEXT": "TEXT", "BIGINT": "INTEGER", "INTEGER": "INTEGER", "DOUBLE": "REAL", "BOOLEAN": "INTEGER", "BYTEA": "BLOB",
		"UUID": "BLOB"},
	db.PostgreSQL: {
		"TEXT": "text", "BIGINT": "bigint", "INTEGER": "integer", "DOUBLE": "double precision", "BOOLEAN": "boolean", "BYTEA": "bytea",
		"UUID": "uuid",
	},
}

// lossy are the tables that Tables leaves out.
var lossy = []string{"schema_migrations", "rate_limits"}

// TestTablesAreThoseOfTheCatalog compares the tables that are read from the migrations with those
// of a migrated database.
func TestTablesAreThoseOfTheCatalog(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		catalog := map[db.Engine]*db.Stmt{db.SQLite: sqliteColumns, db.PostgreSQL: postgresColumns}[d.Engine()]
		want, err := db.All(t.Context(), d, func(r db.Row, s *string) error { return r.Scan(s) }, catalog)
		if err != nil {
			t.Fatal(err)
		}
		want = slices.DeleteFunc(want, func(column string) bool {
			table, _, _ := strings.Cut(column, ".")
			return slices.Contains(lossy, table)
		})
		_, tables, err := migrate.New(d, migrate.Options{}).Schema(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		placed := map[string]bool{}
		for _, table := range tables {
			for _, name := range table.References {
				if !placed[name] {
					t.Errorf("%s is before %s, which it references", table.Name, name)
				}
			}
			placed[table.Name] = true
			if len(table.Key) == 0 {
				t.Errorf("%s has no primary key", table.Name)
			}
			for _, c := range table.Columns {
				got = append(got, table.Name+"."+c.Name+" "+catalogTypes[d.Engine()][c.Type])
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("only in one of both: %q", difference(got, want))
		}
	})
}

func difference(a, b []string) (only []string) {
	for _, s := range slices.Concat(a, b) {
		if slices.Contains(a, s) != slices.Contains(b, s) {
			only = append(only, s)
		}
	}
	return only
}
