package faulttest

import (
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/apptest"
)

// TestOneProcessServesSQLite starts a second service on one file, beside the first and
// after the first was killed.
func TestOneProcessServesSQLite(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
	first, second := newService(t, database, nil), newService(t, database, nil)
	first.start()
	second.launch()
	if state := second.wait(); state.ExitCode() != 1 || !strings.Contains(second.run.output(), "another process already serves") {
		t.Errorf("beside the first: %v, %s", state, second.run.output())
	}
	first.kill()
	apptest.Report(t, "a second process on an SQLite file", "refused; after kill -9 of the first one it serves within %v", second.start())
}
