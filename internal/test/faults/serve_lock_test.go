package faults

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/test/testutil"
)

// TestOneProcessServesSQLite starts a second service on one file, beside the first and
// after the first was killed, by every name that a file can have.
func TestOneProcessServesSQLite(t *testing.T) {
	t.Parallel()
	path, folder := filepath.Join(t.TempDir(), "moothall.db"), t.TempDir() // beside each other
	data := filepath.Base(filepath.Dir(path))
	first := newService(t, "sqlite:"+path, nil)
	first.start()
	must(t, os.Symlink(path, filepath.Join(folder, "link.db")))
	must(t, os.Symlink(filepath.Dir(path), filepath.Join(folder, "folder")))
	for _, name := range []string{
		path,
		folder + "/../" + data + "//moothall.db",
		"../" + data + "/moothall.db", // each process starts in a folder beside these two
		folder + "/link.db",
		folder + "/folder/moothall.db",
	} {
		expectRefused(t, name, nil, "another process already serves")
	}
	hard := filepath.Join(folder, "hard.db")
	must(t, os.Link(path, hard))
	expectRefused(t, hard, nil, "has 2 hard links")
	must(t, os.Remove(hard))
	first.kill()
	second := newService(t, "sqlite:"+folder+"/link.db", nil)
	testutil.Fault(t, "a second process on an SQLite file", "refused by six names; after kill -9 of the first one it serves within %v",
		second.start())
}

// expectRefused starts a service on an SQLite file, which must end with an error.
func expectRefused(t *testing.T, path string, settings map[string]string, want string) {
	t.Helper()
	s := newService(t, "sqlite:"+path, settings)
	s.launch()
	if state := s.wait(); state.ExitCode() != 1 || !strings.Contains(s.run.output(), want) {
		t.Errorf("%s: %v, %s", path, state, s.run.output())
	}
}
