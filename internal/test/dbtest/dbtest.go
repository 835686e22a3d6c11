// Package dbtest opens migrated databases for tests on every engine.
package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// Engines are all engines.
var Engines = []db.Engine{db.SQLite, db.PostgreSQL}

// RuleEngines are the engines for tests of rules, which are Go code: SQLite, and all engines in the long form.
var RuleEngines = Engines[:testutil.Rounds(1, 2)]

// Each runs a test in parallel on a fresh, migrated database of every engine.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range Engines {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			test(t, Open(t, engine))
		})
	}
}

// Open returns a fresh, migrated database that is closed when the test ends.
// Its callers wait up to a minute for a connection: a busy machine fails no test.
func Open(t testing.TB, engine db.Engine) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), URL(t, engine), db.Options{Wait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// URL returns the address of a fresh, migrated database that is removed when
// the test ends. The database is a copy of a template, which each cluster of PostgreSQL
// has once, and each test process for SQLite.
func URL(t testing.TB, engine db.Engine) string {
	t.Helper()
	if engine == db.PostgreSQL {
		template, err := postgresTemplate()
		if err != nil {
			t.Fatal(err)
		}
		return pgtest.Copy(t, template)
	}
	content, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(tempDir(t), "moothall.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// tempDir returns a directory that is removed when the test ends, in memory if possible.
func tempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(pgtest.TempDir(), "dbtest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Statement returns the registered statement with that name.
func Statement(t testing.TB, name string) *db.Stmt {
	t.Helper()
	all := db.Statements()
	i := slices.IndexFunc(all, func(s *db.Stmt) bool { return s.Name() == name })
	if i < 0 {
		t.Fatalf("no statement %q is registered", name)
	}
	return all[i]
}

// postgresTemplate returns the address of the migrated template database.
var postgresTemplate = sync.OnceValues(func() (string, error) { return pgtest.Template("migrated", create) })

// sqliteTemplate returns the content of the migrated template file. Closing the
// template moves its log into the file.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "dbtest-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "template.db")
	if err := create("sqlite:" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// create migrates a new database.
func create(url string) error {
	ctx := context.Background()
	d, err := db.Open(ctx, url, db.Options{Wait: time.Minute})
	if err != nil {
		return err
	}
	if err := migrate.Run(ctx, d); err != nil {
		_ = d.Close() // the migration's error matters
		return err
	}
	return d.Close()
}
