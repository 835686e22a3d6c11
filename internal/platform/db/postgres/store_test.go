package postgres_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"moothall/internal/platform/db"
	"moothall/internal/test/pgtest"
)

// admin runs SQL on a connection of its own.
func admin(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	must(t, err)
	defer func() { must(t, conn.Close(context.Background())) }()
	_, err = conn.Exec(context.Background(), sql)
	must(t, err)
}

// failFirst creates a function fail_first(n) that raises 40001 in its first n calls. A
// sequence counts the calls, because a rollback does not undo it.
const failFirst = `CREATE SEQUENCE calls;
CREATE FUNCTION fail_first(n BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
	IF nextval('calls') <= n THEN RAISE EXCEPTION 'not now' USING ERRCODE = '40001'; END IF;
	RETURN n;
END $$`

func TestPostgresRetriesSerializationFailures(t *testing.T) {
	failing := db.SQL("test.fail_first", `SELECT fail_first($1)`)
	for name, swallow := range map[string]bool{"told": false, "swallowed": true} {
		t.Run(name, func(t *testing.T) {
			url := pgtest.Database(t)
			admin(t, url, failFirst)
			d := open(t, url, db.Options{})
			runs := 0
			must(t, d.InTx(t.Context(), func(tx db.Tx) error {
				runs++
				must(t, mark(t.Context(), tx, "a", runs))
				err := tx.One(t.Context(), failing, 3).Scan(new(int))
				if swallow && err != nil {
					return errRefused
				}
				return err
			}))
			if n := marks(t, d, "a"); runs != 4 || n != 1 {
				t.Errorf("%d runs, %d rows, want 4 and 1", runs, n)
			}
			runs = 0
			err := d.InTx(t.Context(), func(tx db.Tx) error {
				runs++
				return tx.One(t.Context(), failing, 1_000_000).Scan(new(int))
			})
			mustBe(t, err, db.ErrUnavailable)
			if runs != 10 {
				t.Errorf("InTx gave up after %d runs", runs)
			}
		})
	}
}

func TestPostgresRetriesDeadlocks(t *testing.T) {
	url := pgtest.Database(t)
	d := open(t, url, db.Options{Connections: 4})
	insert := db.SQL("test.insert_counter", `INSERT INTO counters (name, n) VALUES ($1, 1)`)
	up := db.SQL("test.up", `UPDATE counters SET n = n + 1 WHERE name = $1`)
	for _, name := range []string{"a", "b"} {
		_, err := d.Exec(t.Context(), insert, name)
		must(t, err)
	}
	admin(t, url, `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET deadlock_timeout = ''50ms'''; END $$`)
	d = open(t, url, db.Options{Connections: 4})
	var runs atomic.Int64
	var locked sync.WaitGroup // by the first run of both
	locked.Add(2)
	together(2, func(i int) {
		names := []string{"a", "b"}
		lock := sync.OnceFunc(func() { locked.Done(); locked.Wait() })
		err := d.InTx(t.Context(), func(tx db.Tx) error {
			runs.Add(1)
			if _, err := tx.Exec(t.Context(), up, names[i]); err != nil {
				return err
			}
			lock()
			_, err := tx.Exec(t.Context(), up, names[1-i])
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
	if runs.Load() < 3 {
		t.Errorf("%d runs: there was no deadlock", runs.Load())
	}
	get := db.SQL("test.get_count", `SELECT n FROM counters WHERE name = $1`)
	for _, name := range []string{"a", "b"} {
		var n int
		must(t, d.One(t.Context(), get, name).Scan(&n))
		if n != 3 {
			t.Errorf("%s = %d, want 3", name, n)
		}
	}
}

const terminateOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
	AND pid <> pg_backend_pid()`

func TestPostgresRecoversFromKilledConnections(t *testing.T) {
	url := pgtest.Database(t)
	d := open(t, url, db.Options{})
	fill := func() { // opens all connections
		together(30, func(int) { must(t, d.One(t.Context(), countMarks, "a").Scan(new(int))) })
	}
	for _, next := range []func() error{
		func() error { return d.One(t.Context(), countMarks, "a").Scan(new(int)) },
		func() error {
			return d.Read(t.Context(), func(q db.Querier) error { return q.One(t.Context(), countMarks, "a").Scan(new(int)) })
		},
		func() error {
			return d.InTx(t.Context(), func(tx db.Tx) error { return mark(t.Context(), tx, "a", 1) })
		},
	} {
		fill()
		admin(t, url, terminateOthers)
		must(t, next())
	}
	runs := 0
	must(t, d.InTx(t.Context(), func(tx db.Tx) error {
		if runs++; runs == 1 {
			admin(t, url, terminateOthers) // including the connection of the transaction
		}
		return mark(t.Context(), tx, "b", runs)
	}))
	if n := marks(t, d, "b"); runs != 2 || n != 1 {
		t.Errorf("%d runs, %d rows, want 2 and 1", runs, n)
	}
}

func TestPostgresOutageIsUnavailable(t *testing.T) {
	dir, err := os.MkdirTemp("", "db-test-")
	must(t, err)
	must(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { must(t, os.RemoveAll(dir)) })
	server, err := pgtest.Start(filepath.Join(dir, "data"), pgtest.Options{})
	must(t, err)
	d := open(t, server.URL("postgres"), db.Options{})
	must(t, mark(t.Context(), d, "a", 1))
	must(t, server.Kill())
	mustBe(t, d.One(t.Context(), countMarks, "a").Scan(new(int)), db.ErrUnavailable)
	mustBe(t, mark(t.Context(), d, "a", 2), db.ErrUnavailable)
	mustBe(t, d.Read(t.Context(), func(db.Querier) error { return nil }), db.ErrUnavailable)
	mustBe(t, d.Health(t.Context()), db.ErrUnavailable)
	_, err = db.Open(t.Context(), server.URL("postgres"), db.Options{})
	mustBe(t, err, db.ErrUnavailable)
	must(t, server.Restart())
	if n := marks(t, d, "a"); n != 1 {
		t.Errorf("%d rows, want the acknowledged one", n)
	}
	must(t, mark(t.Context(), d, "a", 2))
	must(t, server.Stop())
}

func TestPostgresTablesAreLogged(t *testing.T) {
	d := open(t, pgtest.Database(t), db.Options{})
	persistence := db.SQL("test.persistence", `SELECT CAST(relpersistence AS TEXT) FROM pg_class WHERE relname = $1`)
	for name, want := range map[string]string{"samples": "p", "marks": "p", "scratch": "u"} {
		var got string
		must(t, d.One(t.Context(), persistence, name).Scan(&got))
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestOpenRefusesPostgresThatIsNotDurable(t *testing.T) {
	url := pgtest.Database(t)
	admin(t, url, `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET synchronous_commit = off'; END $$`)
	if _, err := db.Open(t.Context(), url, db.Options{}); err == nil || !strings.Contains(err.Error(), "synchronous_commit = off") {
		t.Errorf("got %v", err)
	}
	open(t, url, db.Options{AllowUnsafe: true})
}

// TestPostgresCommitInDoubt cuts the connection after a COMMIT. The outcome is
// unknown to the client, so InTx must neither succeed nor run again.
func TestPostgresCommitInDoubt(t *testing.T) {
	url := pgtest.Database(t)
	direct := open(t, url, db.Options{})
	p := pgtest.NewProxy(t, url)
	d := open(t, p.URL, db.Options{})
	p.CutCommits.Store(true)
	runs := 0
	err := d.InTx(t.Context(), func(tx db.Tx) error {
		runs++
		return mark(t.Context(), tx, "a", runs)
	})
	p.CutCommits.Store(false)
	mustBe(t, err, db.ErrInDoubt)
	if n := marks(t, direct, "a"); n != 1 || runs != 1 {
		t.Errorf("%d rows after %d runs", n, runs)
	}
	must(t, mark(t.Context(), d, "a", 2))
}
