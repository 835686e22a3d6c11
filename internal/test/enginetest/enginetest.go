// Package enginetest opens databases with a small schema on each engine, for the tests of package db and its rooms.
package enginetest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
	"moothall/internal/test/pgtest"
)

// schema replaces the migrations of the project.
const schema = `-- a comment
CREATE TABLE samples (
	id      UUID PRIMARY KEY,
	text    TEXT,
	number  BIGINT,
	small   INTEGER,
	flag    BOOLEAN,
	ratio   DOUBLE PRECISION, -- of something
	bytes   BYTEA,
	moment  BIGINT
);
CREATE TABLE marks (
	owner TEXT NOT NULL,
	n     BIGINT NOT NULL,
	PRIMARY KEY (owner, n)
) -- clustered
;
CREATE TABLE counters (
	name TEXT PRIMARY KEY,
	n    BIGINT NOT NULL CHECK (n >= 0)
);
CREATE TABLE IF NOT EXISTS scratch (
	name TEXT PRIMARY KEY
) -- clustered, -- unlogged
;
`

// The statements on the table marks.
var (
	AddMark    = db.SQL("enginetest.add_mark", `INSERT INTO marks (owner, n) VALUES ($1, $2)`)
	CountMarks = db.SQL("enginetest.count_marks", `SELECT count(*) FROM marks WHERE owner = $1`)
)

// OnEngines runs a test on an empty database of each engine and expects the same result.
func OnEngines(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+filepath.Join(t.TempDir(), "data", "test.db")) })
	t.Run("postgresql", func(t *testing.T) { test(t, pgtest.Database(t)) })
}

// Migrations returns the migrations that create the schema.
func Migrations() fstest.MapFS { return fstest.MapFS{"0001_test.sql": File(schema)} }

// File returns a file of migrations.
func File(sql string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(sql)} }

// Open opens a migrated database that is closed when the test ends. By default it has the schema, and long timeouts, so
// that a busy machine fails no test.
func Open(t testing.TB, url string, o db.Options, options ...migrate.Options) *db.DB {
	t.Helper()
	migrations := migrate.Options{Files: Migrations()}
	for _, other := range options {
		if migrations = other; migrations.Files == nil {
			migrations.Files = Migrations()
		}
	}
	if o.Wait == 0 {
		o.Wait = time.Minute
	}
	d, err := db.Open(context.Background(), url, o)
	Must(t, err)
	t.Cleanup(func() { Must(t, d.Close()) })
	Must(t, migrate.New(d, migrations).Run(context.Background()))
	return d
}

// Must ends the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// MustBe ends the test if the error is another one.
func MustBe(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

// Mark inserts a row of an owner.
func Mark(ctx context.Context, q db.Querier, owner string, n int) error {
	_, err := q.Exec(ctx, AddMark, owner, n)
	return err
}

// Marks returns the number of committed rows of an owner.
func Marks(t testing.TB, d db.Querier, owner string) (count int) {
	t.Helper()
	Must(t, d.One(context.Background(), CountMarks, owner).Scan(&count))
	return count
}

// Together runs fn n times concurrently.
func Together(n int, fn func(i int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			fn(i)
		})
	}
	close(start)
	all.Wait()
}

// Hold keeps a transaction open until release is called, so that on SQLite the
// following transactions form one group.
func Hold(t *testing.T, d *db.DB) (release func()) {
	t.Helper()
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- d.InTx(context.Background(), func(db.Tx) error {
			close(begun)
			<-end
			return nil
		})
	}()
	<-begun
	return func() {
		t.Helper()
		close(end)
		Must(t, <-ended)
	}
}
