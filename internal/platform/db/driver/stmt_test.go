package driver_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db/driver"
	"moothall/internal/test/enginetest"
)

func TestSQLRegistersStatementOnce(t *testing.T) {
	first := driver.SQL("test.registered", "SELECT 1")
	enginetest.Together(20, func(int) {
		if driver.SQL("test.registered", "SELECT 1") != first {
			t.Error("the same name and text gave another statement")
		}
	})
	if !slices.Contains(driver.Statements(), first) || first.Name() != "test.registered" {
		t.Error("the statement is not listed")
	}
	if !slices.IsSortedFunc(driver.Statements(), func(a, b *driver.Stmt) int { return strings.Compare(a.Name(), b.Name()) }) {
		t.Error("the list is not in order")
	}
	panics(t, "another text", func() { driver.SQL("test.registered", "SELECT 2") })
	panics(t, "a missing parameter", func() { driver.SQL("test.hole", "SELECT $1, $3") })
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
