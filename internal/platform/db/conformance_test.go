package db_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
)

// The conformance suite: every test that calls onEngines runs on both engines and
// expects the same result.

// testSchema replaces the migrations of the project.
const testSchema = `-- a comment
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

var (
	addMark     = db.SQL("test.add_mark", `INSERT INTO marks (owner, n) VALUES ($1, $2)`)
	countMarks  = db.SQL("test.count_marks", `SELECT count(*) FROM marks WHERE owner = $1`)
	listMarks   = db.SQL("test.list_marks", `SELECT n FROM marks WHERE owner = $1 ORDER BY n`)
	deleteMarks = db.SQL("test.delete_marks", `DELETE FROM marks WHERE owner = $1`)
)

func onEngines(t *testing.T, test func(t *testing.T, url string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+filepath.Join(t.TempDir(), "data", "test.db")) })
	t.Run("postgresql", func(t *testing.T) { test(t, pgtest.Database(t)) })
}

func testMigrations() fstest.MapFS {
	return fstest.MapFS{"0001_test.sql": {Data: []byte(testSchema)}}
}

// open opens a migrated database that is closed when the test ends. Its long timeouts
// keep a busy machine from failing a test.
func open(t testing.TB, url string, opts db.Options) *db.DB {
	t.Helper()
	if opts.Migrations == nil {
		opts.Migrations = testMigrations()
	}
	if opts.Wait == 0 {
		opts.Wait = time.Minute
	}
	d, err := db.Open(context.Background(), url, opts)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	must(t, d.Migrate(context.Background()))
	return d
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustBe(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}

// marks returns the number of committed rows of an owner.
func marks(t testing.TB, d db.Querier, owner string) (count int) {
	t.Helper()
	must(t, d.One(context.Background(), countMarks, owner).Scan(&count))
	return count
}

func mark(ctx context.Context, q db.Querier, owner string, n int) error {
	_, err := q.Exec(ctx, addMark, owner, n)
	return err
}

type sampleKind struct{}

func newID() domain.ID[sampleKind] { return domain.RandomID[sampleKind]() }
