package architecture_test

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/dbtest"
)

const migrations = "internal/platform/db/migrations"

var (
	rowLock = regexp.MustCompile(`\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b`)
	written = regexp.MustCompile(`\b(?:INSERT\s+INTO|DELETE\s+FROM|UPDATE)\s+(\w+)`)
)

// roomOfDB reports whether a file is in package db or in one of its subfolders, which own tables together.
func roomOfDB(file string) bool { return strings.HasPrefix(file, "internal/platform/db/") }

// TestSourceWritesOwnTables reads the source, for statements that are assembled at run time. Tests
// may write all tables.
func TestSourceWritesOwnTables(t *testing.T) {
	owner := dbtest.Owners(t)
	check := func(n ast.Node, pkg, table string) {
		if owner[table] != pkg {
			t.Errorf("%s writes %s, a table of %q", at(n), table, owner[table])
		}
	}
	for _, f := range project(t) {
		pkg := path.Base(path.Dir(f.name))
		if f.generated() || roomOfDB(f.name) || strings.HasPrefix(f.name, "internal/test/") {
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
			t.Errorf("%s inserts in bulk: only tests and the benchmark may", at(call))
		}
	}
}

func TestStatementsAreNamedForTheirPackage(t *testing.T) {
	for _, f := range project(t) {
		pkg := path.Base(path.Dir(f.name))
		if roomOfDB(f.name) {
			pkg = "db"
		}
		for _, call := range calls(f, "SQL") {
			if name, ok := text(call.Args[0]); !ok || !strings.HasPrefix(name, pkg+".") {
				t.Errorf("%s: the name does not start with %q", at(call), pkg+".")
			}
		}
	}
}

// TestEventsAreNeverDeleted keeps the promise that no code in the address of an event is used again: the unique index knows the
// codes of all rows.
func TestEventsAreNeverDeleted(t *testing.T) {
	deletion := regexp.MustCompile(`(?i)\bDELETE\s+FROM\s+events\b`)
	for _, f := range project(t) {
		ast.Inspect(f.File, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && deletion.MatchString(literal.Value) {
				t.Errorf("%s deletes events: erase their content instead", at(n))
			}
			return true
		})
	}
}
