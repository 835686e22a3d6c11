package faults

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// olderDatabase returns a database that lacks the latest migration.
func olderDatabase(t *testing.T, engine db.Engine) (url string) {
	t.Helper()
	url = "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
	if engine == db.PostgreSQL {
		url = pgtest.Database(t)
	}
	files := os.DirFS("../../platform/db/migrations")
	names, err := fs.Glob(files, "*.sql") // sorted
	must(t, err)
	older := fstest.MapFS{}
	for _, name := range names[:len(names)-1] {
		text, err := fs.ReadFile(files, name)
		must(t, err)
		older[name] = &fstest.MapFile{Data: text}
	}
	d, err := db.Open(t.Context(), url, db.Options{})
	must(t, err)
	must(t, migrate.New(d, migrate.Options{Files: older}).Run(t.Context()))
	must(t, d.Close())
	return url
}

// lockMigrations holds the lock that a migration needs, like an instance that migrates,
// until release.
func lockMigrations(t *testing.T, url string) (release func()) {
	t.Helper()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
		must(t, err)
		must(t, sqlitex.ExecuteTransient(conn, "BEGIN IMMEDIATE", nil))
		return func() { must(t, conn.Close()) }
	}
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	_, err = conn.Exec(t.Context(), "BEGIN; UPDATE schema_migrations SET applied_at = 0 WHERE number = 0")
	must(t, err)
	return func() { must(t, conn.Close(context.Background())) }
}

// TestStartReportsLockOfMigrations starts the program while somebody holds the lock that the migrations
// need: it says so, gives up with exit code 1, and succeeds when the lock is free.
func TestStartReportsLockOfMigrations(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			database := olderDatabase(t, engine)
			release := lockMigrations(t, database)
			s := newService(t, database, map[string]string{"MIGRATION_LOCK_TIMEOUT": "4s", "DATABASE_ACQUIRE_TIMEOUT": "200ms"})
			for _, command := range []string{"migrate", "serve"} {
				began := time.Now()
				s.launchCommand(command)
				code := s.wait().ExitCode()
				said := s.run.output()
				for _, part := range []string{"waiting for a lock before migrations can run", "held_by", "MIGRATION_LOCK_TIMEOUT"} {
					if code != 1 || !strings.Contains(said, part) {
						t.Errorf("%s ended with %d; %q should be in\n%s", command, code, part, said)
					}
				}
				if command == "serve" {
					testutil.Fault(t, "somebody holds the lock of the migrations", "the start says who after a second, and gave up after %v (limit 4s)",
						time.Since(began).Round(100*time.Millisecond))
				}
			}
			release()
			s.start()
		})
	}
}
