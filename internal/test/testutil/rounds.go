package testutil

import "os"

// Long reports whether this is the long form of the tests: make check sets LONG_TESTS.
func Long() bool { return os.Getenv("LONG_TESTS") != "" }

// Rounds is how often a test repeats what depends on chance.
func Rounds(short, long int) int {
	if Long() {
		return long
	}
	return short
}
