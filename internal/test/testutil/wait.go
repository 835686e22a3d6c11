// Package testutil has what tests of several packages need, and nothing of the service.
package testutil

import (
	"testing"
	"time"
)

// Until waits until done returns true, for effects that no event announces.
// It ends the test after a minute: no machine is so busy.
func Until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited a minute for %s", what)
		}
	}
}
