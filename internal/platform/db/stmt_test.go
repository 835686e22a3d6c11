package db_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
)

func TestSQLRegistersStatementOnce(t *testing.T) {
	first := db.SQL("test.registered", "SELECT 1")
	together(20, func(int) {
		if db.SQL("test.registered", "SELECT 1") != first {
			t.Error("the same name and text gave another statement")
		}
	})
	if !slices.Contains(db.Statements(), first) || first.Name() != "test.registered" {
		t.Error("the statement is not listed")
	}
	if !slices.IsSortedFunc(db.Statements(), func(a, b *db.Stmt) int { return strings.Compare(a.Name(), b.Name()) }) {
		t.Error("the list is not in order")
	}
	panics(t, "another text", func() { db.SQL("test.registered", "SELECT 2") })
	panics(t, "a missing parameter", func() { db.SQL("test.hole", "SELECT $1, $3") })
}

func panics(t *testing.T, what string, fn func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s was accepted", what)
		}
	}()
	fn()
}
