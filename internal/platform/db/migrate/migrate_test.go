package migrate_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/disktest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

func TestConcurrentMigrateAppliesEachMigrationOnce(t *testing.T) {
	const instances = 48
	onEngines(t, func(t *testing.T, url string) {
		together(instances, func(int) {
			d, err := db.Open(t.Context(), url, db.Options{Connections: 2, Wait: time.Minute})
			if err != nil {
				t.Error(err)
				return
			}
			if err := migrate.Run(t.Context(), d); err != nil {
				t.Error(err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		count := db.SQL("test.count_migrations", `SELECT count(*), count(DISTINCT name) FROM schema_migrations WHERE number > 0`)
		d, err := db.Open(t.Context(), url, db.Options{})
		must(t, err)
		defer func() { must(t, d.Close()) }()
		files, err := filepath.Glob("../migrations/*.sql")
		must(t, err)
		var applied, different int
		must(t, d.One(t.Context(), count).Scan(&applied, &different))
		if applied == 0 || applied != len(files) || different != len(files) {
			t.Errorf("%d migrations are recorded, %d different ones, of %d", applied, different, len(files))
		}
	})
}

// TestMigrationsListsAppliedAndPending also shows that listing creates nothing.
func TestMigrationsListsAppliedAndPending(t *testing.T) {
	two := fstest.MapFS{"0001_a.sql": file("CREATE TABLE a (n BIGINT)"), "0002_b.sql": file("CREATE TABLE b (n BIGINT)")}
	one := fstest.MapFS{"0001_a.sql": two["0001_a.sql"]}
	tables := db.SQL("test.count_migrations_applied", `SELECT count(*) FROM schema_migrations`)
	onEngines(t, func(t *testing.T, url string) {
		list := func(files fstest.MapFS, run bool, want, complaint string) {
			t.Helper()
			d, err := db.Open(t.Context(), url, db.Options{})
			must(t, err)
			defer func() { must(t, d.Close()) }()
			m := migrate.New(d, migrate.Options{Files: files})
			if run {
				must(t, m.Run(t.Context()))
			}
			all, err := m.Status(t.Context())
			var got []string
			for _, step := range all {
				state := "applied"
				if step.AppliedAt.IsZero() {
					state = "pending"
				}
				got = append(got, step.Name+" "+state)
			}
			if strings.Join(got, ", ") != want || err == nil != (complaint == "") || err != nil && !strings.Contains(err.Error(), complaint) {
				t.Errorf("%v, %v; want %s", got, err, want)
			}
			if exists := d.One(t.Context(), tables).Scan(new(int)) == nil; exists != strings.Contains(want, "applied") {
				t.Errorf("%s: the table exists: %t", want, exists)
			}
		}
		list(two, false, "0001_a.sql pending, 0002_b.sql pending", "")
		list(one, true, "0001_a.sql applied", "")
		list(two, false, "0001_a.sql applied, 0002_b.sql pending", "")
		list(two, true, "0001_a.sql applied, 0002_b.sql applied", "")
		list(one, false, "0001_a.sql applied, 0002_b.sql applied", "the database is newer than this program")
	})
}

// TestMigrateRefusesLoadOnBusyStore uses the only connection while Run looks for a load that has not ended.
func TestMigrateRefusesLoadOnBusyStore(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		loading, err := db.Open(t.Context(), url, db.Options{Wait: time.Minute})
		must(t, err)
		_, err = migrate.New(loading, migrate.Options{Files: testMigrations()}).BeginLoad(t.Context(), "a restore", nil)
		must(t, err)
		must(t, loading.Close())
		d, err := db.Open(t.Context(), url, db.Options{Readers: 1, Connections: 1, Wait: 20 * time.Millisecond})
		must(t, err)
		defer func() { must(t, d.Close()) }()
		holding, released := make(chan struct{}), make(chan error)
		go func() {
			err := db.ErrUnavailable
			for errors.Is(err, db.ErrUnavailable) { // if a busy machine takes longer than Wait for the connection
				err = d.Read(t.Context(), func(db.Querier) error {
					close(holding)
					time.Sleep(100 * time.Millisecond) // longer than Wait
					return nil
				})
			}
			released <- err
		}()
		<-holding
		err = migrate.New(d, migrate.Options{Files: testMigrations()}).Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), "a restore into this database has not ended") {
			t.Errorf("Run: %v", err)
		}
		must(t, <-released)
	})
}

// TestFailedEndOfLoadCanBeRepeated cancels EndLoad while PostgreSQL updates its statistics.
func TestFailedEndOfLoadCanBeRepeated(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d, err := db.Open(t.Context(), pgtest.Database(t), db.Options{Wait: time.Minute,
		OnStatement: func(_ context.Context, s *db.Stmt, _ []any) {
			if s.Name() == "db.analyze" {
				cancel()
			}
		}})
	must(t, err)
	defer func() { must(t, d.Close()) }()
	m := migrate.New(d, migrate.Options{Files: testMigrations()})
	_, err = m.BeginLoad(t.Context(), "a restore", nil)
	must(t, err)
	must(t, m.CompleteLoad(t.Context()))
	if err := m.EndLoad(ctx); err == nil {
		t.Error("EndLoad was canceled and succeeds")
	}
	if state, err := m.BeginLoad(t.Context(), "a restore", nil); state != migrate.LoadComplete || err != nil {
		t.Errorf("after the failure: state %v, %v", state, err)
	}
	must(t, m.EndLoad(t.Context()))
	must(t, m.Run(t.Context()))
}

func TestMigrateRefusesOtherMigrations(t *testing.T) {
	two := fstest.MapFS{"0001_a.sql": file("CREATE TABLE a (n BIGINT)"), "0002_b.sql": file("CREATE TABLE b (n BIGINT)")}
	cases := []struct {
		name  string
		files fstest.MapFS
		want  string
	}{
		{"newer database", fstest.MapFS{"0001_a.sql": two["0001_a.sql"]}, "the database is newer than this program: it has migration 0002_b.sql, this program has only 1; run a newer version"},
		{"changed file", fstest.MapFS{"0001_a.sql": file("CREATE TABLE a (n TEXT)"), "0002_b.sql": two["0002_b.sql"]}, "an applied migration must not change"},
		{"doubled number", fstest.MapFS{"0001_a.sql": two["0001_a.sql"], "0001_c.sql": two["0002_b.sql"]}, "0001_c.sql must have a number above 0001"},
		{"no number", fstest.MapFS{"a.sql": two["0001_a.sql"]}, "a.sql must have a number above 0000"},
	}
	onEngines(t, func(t *testing.T, url string) {
		open(t, url, db.Options{}, migrate.Options{Files: two})
		for _, c := range cases {
			d, err := db.Open(t.Context(), url, db.Options{})
			must(t, err)
			if err := migrate.New(d, migrate.Options{Files: c.files}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.name, err)
			}
			must(t, d.Close())
		}
		open(t, url, db.Options{}, migrate.Options{Files: two}) // the refusals changed nothing
	})
}

func TestFailedMigrationIsRolledBack(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		files := testMigrations()
		files["0002_broken.sql"] = file("CREATE TABLE half (n BIGINT);\nCREATE TABLE marks (n BIGINT);")
		d, err := db.Open(t.Context(), url, db.Options{})
		must(t, err)
		err = migrate.New(d, migrate.Options{Files: files}).Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), "0002_broken.sql") {
			t.Fatal(err)
		}
		must(t, d.Close())
		files["0002_broken.sql"] = file("CREATE TABLE half (n BIGINT);")
		open(t, url, db.Options{}, migrate.Options{Files: files})
	})
}

func TestEmbeddedMigrationsApply(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		d, err := db.Open(t.Context(), url, db.Options{})
		must(t, err)
		defer func() { must(t, d.Close()) }()
		must(t, migrate.Run(t.Context(), d))
		must(t, migrate.Run(t.Context(), d)) // nothing more to do
	})
}

func TestPrepareAllNamesTheBrokenStatement(t *testing.T) {
	db.SQL("test.unpreparable", `SELECT missing FROM marks`)
	onEngines(t, func(t *testing.T, url string) {
		d := open(t, url, db.Options{})
		err := db.PrepareAll(t.Context(), d, db.Statements())
		if err == nil || !strings.Contains(err.Error(), "test.unpreparable on "+d.Engine().String()) ||
			strings.Contains(err.Error(), "enginetest.add_mark") {
			t.Error(err)
		}
	})
}

// TestAppendOnlyTablesNeverChange covers two tables, because the function of their
// triggers is shared.
func TestAppendOnlyTablesNeverChange(t *testing.T) {
	onEngines(t, func(t *testing.T, url string) {
		files := testMigrations()
		files["0002_trail.sql"] = file("CREATE TABLE trail (n BIGINT) -- append-only\n;\nCREATE TABLE IF NOT EXISTS other (n BIGINT) -- append-only\n;")
		d := open(t, url, db.Options{}, migrate.Options{Files: files})
		for _, table := range []string{"trail", "other"} {
			run := func(text string) error {
				_, err := d.Exec(t.Context(), db.SQL("test."+text, text))
				return err
			}
			must(t, run("INSERT INTO "+table+" (n) VALUES (1)"))
			for _, change := range []string{"UPDATE " + table + " SET n = 2", "DELETE FROM " + table} {
				if err := run(change); err == nil || !strings.Contains(err.Error(), "rows of "+table+" never change") {
					t.Errorf("%s: %v", change, err)
				}
			}
		}
	})
}

// TestSlowMigrationIsLogged lets a migration wait: on SQLite for the flush of its commit, on PostgreSQL in a statement. The
// log says which migration runs, what it does, and when it has ended.
func TestSlowMigrationIsLogged(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, url string) {
		open(t, url, db.Options{})
		var log safeBuffer
		logged := func(text string) bool { return strings.Contains(log.String(), text) }
		files, statement := withColumn(), "statement=COMMIT"
		if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
			flush := func() {
				testutil.Until(t, "a line about the migration", func() bool { return logged(`msg="applying a migration"`) })
			}
			disktest.New(t, filepath.Dir(path)).OnFlush.Store(&flush)
		} else {
			files["0003_slow.sql"] = file("CREATE TABLE slow (n TEXT); INSERT INTO slow (n) SELECT CAST(pg_sleep(3) AS TEXT);")
			statement = `statement="INSERT INTO slow (n)`
		}
		open(t, url, db.Options{}, migrate.Options{Files: files, Log: slog.New(slog.NewTextHandler(&log, nil))})
		for _, text := range []string{statement, `msg="applied a migration"`} {
			if !logged(text) {
				t.Errorf("%q is missing in %s", text, log.String())
			}
		}
	})
}

// TestMigrationDoesNotWaitForRefusedWrites migrates a database that refuses writes: it ends at once with the cause, and
// says nothing about locks.
func TestMigrationDoesNotWaitForRefusedWrites(t *testing.T) {
	t.Parallel()
	onEngines(t, func(t *testing.T, url string) {
		open(t, url, db.Options{})
		cause := "Is the disk full or read-only?"
		refuse := func() {}
		if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
			disk := disktest.New(t, filepath.Dir(path))
			refuse = func() { disk.ReadOnly.Store(true) }
			defer disk.ReadOnly.Store(false)
		} else {
			url += "&default_transaction_read_only=on"
			cause = "read-only transaction"
		}
		d, err := db.Open(t.Context(), url, db.Options{})
		must(t, err)
		defer func() { must(t, d.Close()) }()
		refuse()
		patience, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err = migrate.New(d, migrate.Options{Files: withColumn()}).Run(patience)
		if err == nil || !strings.Contains(err.Error(), cause) || strings.Contains(err.Error(), "lock") ||
			patience.Err() != nil {
			t.Errorf("got %v, %v", err, patience.Err())
		}
	})
}
