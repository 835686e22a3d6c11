package faults

import (
	"bytes"
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
	"moothall/internal/test/pgtest"
	"moothall/internal/test/testutil"
)

// TestDailyCheckFindsDamage damages a page of a table or of an index that no request reads. The daily check
// finds it. Then a metric, /healthz and doctor report the damage.
func TestDailyCheckFindsDamage(t *testing.T) {
	for _, name := range []string{"reviews", "reviews_author"} {
		t.Run("sqlite "+name, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, db.SQLite)
			a := apptest.New(t, db.SQLite, apptest.Setting("DATABASE_URL", url))
			path := strings.TrimPrefix(url, "sqlite:")
			overwrite(t, path, bytes.Repeat([]byte{0xa5}, pageSize), pageSize*(rootPage(t, path, name)-1))
			expectDamageFound(t, a, url)
		})
	}
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		cluster := pgtest.Private(t, pgtest.Options{Checksums: true})
		url := cluster.URL("postgres")
		a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_URL", url))
		a.As("ann") // a row of users
		conn, err := pgx.Connect(t.Context(), url)
		must(t, err)
		var folder, file string
		must(t, conn.QueryRow(t.Context(), "SELECT current_setting('data_directory'), pg_relation_filepath('users')").Scan(&folder, &file))
		_, err = conn.Exec(t.Context(), "CHECKPOINT")
		must(t, err)
		must(t, conn.Close(context.Background()))
		must(t, cluster.Stop())
		overwrite(t, filepath.Join(folder, file), []byte{0xa5}, 8000) // in a row
		must(t, cluster.Restart())
		expectDamageFound(t, a, url)
	})
}

// TestRequestFindsDamage lets PostgreSQL report a damaged page or index to a request. From then on the metric and
// /healthz report the damage, as after the daily check.
func TestRequestFindsDamage(t *testing.T) {
	for _, code := range []string{"XX001", "XX002"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, db.PostgreSQL)
			a := apptest.New(t, db.PostgreSQL, apptest.Setting("DATABASE_URL", url))
			org := a.As("org").Allow5xx()
			conn, err := pgx.Connect(t.Context(), url)
			must(t, err)
			defer func() { _ = conn.Close(context.Background()) }()
			_, err = conn.Exec(t.Context(), `
				CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'invalid page in block 7' USING ERRCODE = '`+code+`'; END $$;
				CREATE TRIGGER fail BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION fail()`)
			must(t, err)
			a.Anonymous().Get("/healthz").Want(http.StatusOK)
			org.Post("/events", map[string]string{"title": "Chess", "starts_at": "2099-01-01T10:00:00Z"}).Want(http.StatusInternalServerError)
			if !strings.Contains(a.Metrics(), "\nmoothall_database_damaged 1\n") {
				t.Error("the metric does not report the damage")
			}
			awaitUnhealthy(t, a)
			testutil.Fault(t, "PostgreSQL reports a damaged page or index to a request", "%s: then the metric, and /healthz 503", code)
		})
	}
}

// pageSize is the size in bytes of SQLite's pages.
const pageSize = 4096

// rootPage returns the number of the first page of a table or index. An empty one has no other pages.
func rootPage(t *testing.T, path, name string) (page int64) {
	t.Helper()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadOnly)
	must(t, err)
	defer func() { _ = conn.Close() }()
	must(t, sqlitex.Execute(conn, "SELECT rootpage FROM sqlite_schema WHERE name = ?", &sqlitex.ExecOptions{
		Args:       []any{name},
		ResultFunc: func(s *sqlite.Stmt) error { page = s.ColumnInt64(0); return nil },
	}))
	if page == 0 {
		t.Fatalf("no table or index %s", name)
	}
	return page
}

// expectDamageFound runs the daily check and expects that it finds the damage.
func expectDamageFound(t *testing.T, a *apptest.App, url string) {
	t.Helper()
	a.Clock.Advance(24 * time.Hour)
	began := time.Now()
	testutil.Until(t, "the metric", func() bool { return strings.Contains(a.Metrics(), "\nmoothall_database_damaged 1\n") })
	took := time.Since(began)
	awaitUnhealthy(t, a)
	if out, err := newService(t, url, nil).command("doctor").CombinedOutput(); err == nil || !strings.Contains(string(out), "damaged") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	testutil.Fault(t, "damaged pages that no request reads", "the daily check found them in %v; then the metric, /healthz 503 and doctor",
		took)
}

// awaitUnhealthy waits until /healthz responds 503: its answer may be a second old.
func awaitUnhealthy(t *testing.T, a *apptest.App) {
	t.Helper()
	testutil.Until(t, "/healthz 503", func() bool { return a.Anonymous().Allow5xx().Get("/healthz").Status == http.StatusServiceUnavailable })
}
