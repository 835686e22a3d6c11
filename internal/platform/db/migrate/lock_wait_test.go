package migrate_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

// holdLock takes a lock that the next migration of the database needs, until release.
func holdLock(t *testing.T, url string) (release func()) {
	t.Helper()
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
		must(t, err)
		must(t, sqlitex.ExecuteTransient(conn, "BEGIN IMMEDIATE", nil))
		return func() { must(t, conn.Close()) }
	}
	config, err := pgx.ParseConfig(url)
	must(t, err)
	config.RuntimeParams["application_name"] = "nightly report"
	conn, err := pgx.ConnectConfig(t.Context(), config)
	must(t, err)
	_, err = conn.Exec(t.Context(), "BEGIN; SELECT 'secret', count(*) FROM marks")
	must(t, err)
	return func() { must(t, conn.Close(context.Background())) }
}

// safeBuffer is a buffer that may be read while it is written.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// withColumn returns the migrations of the tests and one that changes a table.
func withColumn() fstest.MapFS {
	files := testMigrations()
	files["0002_note.sql"] = file("ALTER TABLE marks ADD COLUMN note TEXT;")
	return files
}

// TestMigrationWaitsForLock holds the lock that a migration needs until the wait is logged
// and another instance has read the table many times. Then the migration goes on.
func TestMigrationWaitsForLock(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, url string) {
		running := open(t, url, db.Options{})
		release := holdLock(t, url)
		var log safeBuffer
		next, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute})
		must(t, err)
		defer func() { must(t, next.Close()) }()
		began := time.Now()
		migrated := make(chan error, 1)
		go func() {
			o := migrate.Options{Files: withColumn(), Log: slog.New(slog.NewTextHandler(&log, nil))}
			migrated <- migrate.New(next, o).Run(t.Context())
		}()

		reading, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var reads int
		var slowest, reported time.Duration
		for reads < 20 || reported == 0 {
			if time.Since(began) > time.Minute {
				t.Fatalf("the wait was not logged, or %d reads were too few: %s", reads, log.String())
			}
			start := time.Now()
			must(t, running.One(reading, countMarks, "a").Scan(new(int)))
			slowest = max(slowest, time.Since(start))
			if strings.Contains(log.String(), "waiting for a lock") && reported == 0 {
				reported = time.Since(began)
			}
			if reported != 0 {
				reads++
			}
			time.Sleep(5 * time.Millisecond)
		}
		line := log.String()
		for _, part := range map[db.Engine][]string{
			db.SQLite:     {"another process that writes to the SQLite file"},
			db.PostgreSQL: {`nightly report`, "client local", "state idle in transaction", "latest query from 20"},
		}[running.Engine()] {
			if !strings.Contains(line, part) {
				t.Errorf("%q is missing in %s", part, line)
			}
		}
		if strings.Contains(line, "secret") {
			t.Errorf("the log shows the statement of the holder: %s", line)
		}
		release()
		must(t, <-migrated)
		t.Logf("the wait was logged after %v; meanwhile reads of the running version took at most %v",
			reported.Round(100*time.Millisecond), slowest.Round(time.Millisecond))
	})
}

func TestMigrationGivesUpWaiting(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, url string) {
		open(t, url, db.Options{})
		release := holdLock(t, url)
		next, err := db.Open(t.Context(), url, db.Options{Wait: 100 * time.Millisecond})
		must(t, err)
		defer func() { must(t, next.Close()) }()
		m := migrate.New(next, migrate.Options{Files: withColumn(), LockTimeout: time.Second})
		if err := m.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "MIGRATION_LOCK_TIMEOUT") ||
			!strings.Contains(err.Error(), "held by ") {
			t.Errorf("got %v", err)
		}
		release()
		must(t, m.Run(t.Context()))
	})
}

// TestMigratedDatabaseNeedsNoLock starts while a lock is held and no migration is missing.
func TestMigratedDatabaseNeedsNoLock(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		open(t, url, db.Options{}, migrate.Options{Files: withColumn()})
		release := holdLock(t, url)
		defer release()
		open(t, url, db.Options{}, migrate.Options{Files: withColumn(), LockTimeout: time.Millisecond})
	})
}
