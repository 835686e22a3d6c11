package testutil

import (
	"os"
	"testing"
)

// Long reports whether this is the long form of the tests: make check sets LONG_TESTS.
func Long() bool { return os.Getenv("LONG_TESTS") != "" }

// OnlyLong skips the test unless this is the long form.
func OnlyLong(t *testing.T) {
	t.Helper()
	if !Long() {
		t.Skip("long: set LONG_TESTS")
	}
}

// Rounds is how often a test repeats what depends on chance.
func Rounds(short, long int) int {
	if Long() {
		return long
	}
	return short
}
