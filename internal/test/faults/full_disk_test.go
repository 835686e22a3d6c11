package faults

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/disktest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
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
			if said := string(out); err == nil || strings.Contains(said, "lock") || strings.Contains(said, "LOCK") ||
				!strings.Contains(said, "Is the disk full or read-only?") {
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
		testutil.Fault(t, "a start on a full disk", "migrate, serve and restore ended with the cause and did not wait")
	})
}

// TestHealthOnFullDisk fills the disk of the database under a running service. When writes are refused, /healthz says so;
// when the disk has space again, both recover. The write-ahead log of PostgreSQL is on another disk: it is
// allocated ahead, so a probe that writes only to it would notice nothing.
func TestHealthOnFullDisk(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			disktest.OnSmall(t, 48<<20, func(t *testing.T, disk string) {
				url := "sqlite:" + filepath.Join(disk, "moothall.db")
				if engine == db.PostgreSQL {
					url = databaseOnDisk(t, disk)
				}
				a := apptest.New(t, engine, apptest.Setting("DATABASE_URL", url))
				host, health := a.As("ann").Allow5xx(), a.Anonymous().Allow5xx()
				write := func() int {
					return host.Post("/events", map[string]string{"title": "Chess", "starts_at": "2030-01-01T10:00:00Z",
						"description": strings.Repeat("chess ", 300)}).Status
				}
				getHealth := func() int { return health.Get("/healthz").Status }
				awaitStatus(t, http.StatusOK, getHealth)
				filler := fillDisk(t, disk, 0)
				awaitStatus(t, http.StatusServiceUnavailable, write) // at first the pages and the log have space
				noticed := awaitStatus(t, http.StatusServiceUnavailable, getHealth)
				host.Get("/events").Want(http.StatusOK)
				testutil.Until(t, "the cause in the log", func() bool { return strings.Contains(a.Log(), "a write failed") })
				must(t, os.Remove(filler))
				recovered := awaitStatus(t, http.StatusOK, getHealth)
				if status := write(); status != http.StatusCreated {
					t.Errorf("afterwards a write got %d", status)
				}
				testutil.Fault(t, "the disk of the database is full", "%s: /healthz 503 within %v of a refused write, 200 within %v of the end", engine,
					noticed, recovered)
			})
		})
	}
}

// databaseOnDisk returns a database of PostgreSQL whose tables are on a disk, and whose write-ahead log is not.
func databaseOnDisk(t *testing.T, disk string) (url string) {
	t.Helper()
	cluster := pgtest.Private(t, pgtest.Options{})
	conn, err := pgx.Connect(t.Context(), cluster.URL("postgres"))
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	var data string
	must(t, conn.QueryRow(t.Context(), "SHOW data_directory").Scan(&data))
	folder := filepath.Join(disk, "tables")
	must(t, os.Mkdir(folder, 0o700))
	must(t, os.Chmod(filepath.Dir(disk), 0o755)) // the user of the server must reach the folder
	must(t, exec.Command("chown", "--reference", data, folder).Run())
	for _, sql := range []string{"CREATE TABLESPACE small LOCATION '" + folder + "'", "CREATE DATABASE moothall TABLESPACE small"} {
		_, err := conn.Exec(t.Context(), sql)
		must(t, err)
	}
	t.Cleanup(func() { must(t, cluster.Stop()) }) // before the disk is unmounted
	return cluster.URL("moothall")
}
