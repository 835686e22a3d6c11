package architecture_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	_ "moothall/internal/ops/app" // registers the statements of every package
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

const migrations = "internal/platform/db/migrations"

var (
	ownerLine  = regexp.MustCompile(`^-- owner: ([a-z]+)\n`)
	newTable   = regexp.MustCompile(`(?i)\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)`)
	otherTable = regexp.MustCompile(`(?i)\b(?:ALTER\s+TABLE|DROP\s+TABLE|CREATE\s+(?:UNIQUE\s+)?INDEX\s+\w+\s+ON)\s+(\w+)`)
	rowLock    = regexp.MustCompile(`\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b`)
	written    = regexp.MustCompile(`\b(?:INSERT\s+INTO|DELETE\s+FROM|UPDATE)\s+(\w+)`)
)

// renamed are owners that migrations name as they were called before.
var renamed = map[string]string{"deliver": "mail", "emailsignin": "email", "mail": "smtp"}

// owners returns the package that owns each table, as the migrations say.
func owners(t *testing.T) map[string]string {
	t.Helper()
	files, err := os.ReadDir(filepath.Join(root, migrations))
	if err != nil {
		t.Fatal(err)
	}
	owner := map[string]string{"schema_migrations": "db", "bench_counter": "floor", "bench_rows": "floor"} // which no migration creates
	for _, f := range files {
		sql := read(t, migrations+"/"+f.Name())
		pkg := ownerLine.FindStringSubmatch(sql)
		if pkg == nil {
			t.Errorf("%s: its first line does not name the owner", f.Name())
			continue
		}
		if now, ok := renamed[pkg[1]]; ok {
			pkg[1] = now
		}
		for _, m := range newTable.FindAllStringSubmatch(sql, -1) {
			owner[m[1]] = pkg[1]
		}
		for _, m := range otherTable.FindAllStringSubmatch(sql, -1) {
			if owner[m[1]] != pkg[1] {
				t.Errorf("%s changes %s, a table of %s", f.Name(), m[1], owner[m[1]])
			}
		}
	}
	return owner
}

func TestStatementsWriteOwnTables(t *testing.T) {
	owner := owners(t)
	for _, s := range db.Statements() {
		pkg, _, _ := strings.Cut(s.Name(), ".")
		for _, table := range s.Writes() {
			if owner[table] != pkg {
				t.Errorf("%s writes %s, a table of %q", s.Name(), table, owner[table])
			}
		}
	}
}

// TestSourceWritesOwnTables reads the source, for statements that are assembled at
// run time and for bulk imports.
func TestSourceWritesOwnTables(t *testing.T) {
	owner := owners(t)
	check := func(n ast.Node, pkg, table string) {
		if owner[table] != pkg {
			t.Errorf("%s writes %s, a table of %q", at(n), table, owner[table])
		}
	}
	for _, f := range project(t) {
		pkg := path.Base(path.Dir(f.name))
		if f.generated() || pkg == "db" || pkg == "dialect" || pkg == "plain" { // plain has a database of its own
			continue
		}
		ast.Inspect(f.File, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok {
				if sql, ok := text(literal); ok {
					for _, m := range written.FindAllStringSubmatch(rowLock.ReplaceAllString(sql, ""), -1) {
						if m[1] != "SET" { // ON CONFLICT DO UPDATE SET
							check(n, pkg, m[1])
						}
					}
				}
			}
			return true
		})
		for _, call := range calls(f, "Bulk") {
			table, ok := text(call.Args[1])
			if !ok {
				t.Errorf("%s: the table is not a literal", at(call))
			}
			check(call, pkg, table)
		}
	}
}

func TestStatementsAreNamedForTheirPackage(t *testing.T) {
	for _, f := range project(t) {
		pkg := path.Base(path.Dir(f.name))
		for _, call := range calls(f, "SQL") {
			if name, ok := text(call.Args[0]); !ok || !strings.HasPrefix(name, pkg+".") {
				t.Errorf("%s: the name does not start with %q", at(call), pkg+".")
			}
		}
	}
}

func TestEveryStatementPrepares(t *testing.T) {
	if len(db.Statements()) == 0 {
		t.Fatal("no package has registered a statement")
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := db.PrepareAll(t.Context(), d); err != nil {
			t.Error(err)
		}
	})
}
