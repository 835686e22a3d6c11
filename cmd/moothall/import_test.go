package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestImportCommand imports a calendar twice, as drafts and published.
func TestImportCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "events.ics")
	if err := os.WriteFile(file, []byte(apptest.Calendar), 0o600); err != nil {
		t.Fatal(err)
	}
	environment := map[string]string{"DATABASE_URL": "sqlite:" + dir + "/moothall.db"}
	call := func(code int, out, complaint string, args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		got, stdout := invokeWith(t, t.Context(), environment, strings.ReplaceAll(apptest.Calendar, "tea@", "more@"), &stderr, args...)
		if got != code || !strings.Contains(stdout, out) || !strings.Contains(stderr.String(), complaint) {
			t.Errorf("%v: code %d, %q, %q", args, got, stdout, stderr.String())
		}
	}
	as := []string{"--as", "anna@example.org"}
	with := func(args ...string) []string { return append(append([]string{"import"}, args...), as...) }
	call(0, "", "", "migrate")
	call(1, "", "there is no such account", with(file)...)
	call(0, "", "", "user", "create", "--email", as[1])
	call(0, "1 of 1\n1 created, 0 updated, 0 unchanged, 0 skipped, 0 over, 0 beyond the limit.\n", "", with(file)...)
	call(0, "0 created, 0 updated, 1 unchanged", "", with(file)...)
	call(0, "1 created", "", with("-", "--publish", "--timezone", "Europe/Berlin")...)
	call(0, `"status": "published"`, "", "user", "export", "--email", as[1])
	call(1, "", "must be an iCalendar file", with(filepath.Join(dir, "moothall.db"))...)
	call(1, "", "no such file", with(filepath.Join(dir, "none.ics"))...)
	call(2, "", "--timezone must be", with(file, "--timezone", "Mars")...)
	call(2, "", `required flag(s) "as"`, "import", file)
	call(2, "", "needs FILE", "import")
	call(0, "moothall import events.ics --as", "", "import", "--help")
}
