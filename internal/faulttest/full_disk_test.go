package faulttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/dbtest"
	"moothall/internal/disktest"
	"moothall/internal/platform/db"
)

// TestStartOnFullDisk starts, migrates and restores while the disk of the SQLite file is full: each command ends with
// the cause, does not wait for a lock that nobody holds, and succeeds when the disk has space again.
func TestStartOnFullDisk(t *testing.T) {
	t.Parallel()
	disktest.OnSmall(t, 24<<20, func(t *testing.T, disk string) {
		backup := filepath.Join(t.TempDir(), "backup")
		newService(t, dbtest.URL(t, db.SQLite), nil).mustRun("backup", backup)
		older := strings.TrimPrefix(olderDatabase(t, db.SQLite), "sqlite:")
		for _, c := range []struct {
			name, database string // a database that lacks the latest migration; empty: there is none
			free           int
			command        []string
		}{
			{"migrate", older, 40 << 10, []string{"migrate"}},
			{"start", "", 0, []string{"serve"}},
			{"restore", "", 64 << 10, []string{"restore", backup}},
		} {
			path := filepath.Join(disk, strings.ReplaceAll(c.name, " ", "_")+".db")
			if c.database != "" {
				content, err := os.ReadFile(c.database)
				must(t, err)
				must(t, os.WriteFile(path, content, 0o600))
			}
			filler := fillDisk(t, disk, c.free)
			s := newService(t, "sqlite:"+path, map[string]string{"MIGRATION_LOCK_TIMEOUT": "4s", "MEDIA": filepath.Join(t.TempDir(), "media")})
			out, err := s.command(c.command...).CombinedOutput()
			if said := string(out); err == nil || strings.Contains(said, "lock") || strings.Contains(said, "LOCK") || !strings.Contains(said, "Is the disk full or read-only?") {
				t.Errorf("%s: %v\n%s", c.name, err, out)
			}
			must(t, os.Remove(filler))
			if c.command[0] == "serve" {
				s.start()
				s.kill()
			} else {
				s.mustRun(c.command...)
			}
			left, err := filepath.Glob(path + "*")
			must(t, err)
			for _, name := range left {
				must(t, os.Remove(name))
			}
		}
		apptest.Report(t, "a start on a full disk", "migrate, serve and restore ended with the cause and did not wait")
	})
}
