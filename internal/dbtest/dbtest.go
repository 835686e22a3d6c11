// Package dbtest opens migrated databases for tests, one an engine.
package dbtest

import (
	"path/filepath"
	"testing"

	"moothall/internal/pgtest"
	"moothall/internal/platform/db"
)

// Each runs a test on a fresh, migrated database of every engine, in parallel.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			test(t, Open(t, engine))
		})
	}
}

// Open gives a fresh, migrated database that is closed when the test ends.
func Open(t testing.TB, engine db.Engine) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), URL(t, engine), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// URL names a fresh, empty database that goes when the test ends.
func URL(t testing.TB, engine db.Engine) string {
	t.Helper()
	if engine == db.SQLite {
		return "sqlite:" + filepath.Join(t.TempDir(), "moothall.db")
	}
	return pgtest.Database(t)
}
