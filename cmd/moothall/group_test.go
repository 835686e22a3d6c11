package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestGroupActions suspends and restores the group of the demo.
func TestGroupActions(t *testing.T) {
	environment := copyDemo(t)
	call := func(code int, out, complaint string, args ...string) string {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invoke(t, t.Context(), environment, &stderr, append([]string{"group"}, args...)...)
		if got != code || !strings.Contains(stdout, out) || !strings.Contains(stderr.String(), complaint) {
			t.Errorf("%v: code %d, %q, %q", args, got, stdout, stderr.String())
		}
		return stdout
	}
	slug := []string{"--slug", "readers-of-berlin"}
	call(0, " is suspended.\n", "", append([]string{"suspend"}, slug...)...)
	id, _, _ := strings.Cut(call(0, " is suspended.\n", "", append([]string{"suspend"}, slug...)...), " ")
	call(0, id+" is not suspended.\n", "", "restore", "--id", id)
	call(1, "", "there is no such group", "restore", "--slug", "nothing")
	call(1, "", "there is no such group", "suspend", "--id", "018f3b0a-5c1d-7000-8000-0000000000f9")
	call(2, "", "--id", "suspend", "--id", "board-games")
	call(2, "", "[id slug] is required", "suspend")
	call(2, "", "[id slug] were all set", "suspend", "--id", id, "--slug", slug[1])
	call(2, "", "the commands are restore, suspend")
	call(0, "moothall group suspend --slug", "", "--help")
}
