package db_test

import (
	"slices"
	"strings"
	"testing"

	"moothall/internal/platform/db"
)

func TestDialect(t *testing.T) {
	const texts = "(SELECT value, key + 1 AS ord FROM json_each(?2))"
	cases := []struct{ in, sqlite, postgres string }{
		{"SELECT $2, $1, $2, $10, $3, $4, $5, $6, $7, $8, $9", "SELECT ?2, ?1, ?2, ?10, ?3, ?4, ?5, ?6, ?7, ?8, ?9", ""},
		{"SELECT '$1 FOR UPDATE ''texts($1)', \"$1\" -- $1 'it\n, $1 /* $1 */", "SELECT '$1 FOR UPDATE ''texts($1)', \"$1\" -- $1 'it\n, ?1 /* $1 */", ""},
		{"SELECT n FROM t FOR UPDATE SKIP LOCKED", "SELECT n FROM t", ""},
		{"SELECT n FROM t WHERE n IN (SELECT m FROM u for update of u) LIMIT 1", "SELECT n FROM t WHERE n IN (SELECT m FROM u) LIMIT 1", ""},
		{"SELECT n FROM t FOR NO KEY UPDATE", "SELECT n FROM t", ""},
		{"SELECT CAST($1 AS UUID), CAST($1 AS double  precision), CAST($1 AS BOOLEAN)", "SELECT CAST(?1 AS BLOB), CAST(?1 AS REAL), CAST(?1 AS INTEGER)", ""},
		{"SELECT written_now FROM t k WHERE k.n = $1 AND written_now(k)", "SELECT written_now FROM t k WHERE k.n = ?1 AND TRUE",
			"SELECT written_now FROM t k WHERE k.n = $1 AND k.xmin = CAST(pg_current_xact_id_if_assigned() AS xid)"},
		{"SELECT n AS boolean FROM t", "SELECT n AS boolean FROM t", ""},
		{"SELECT l.value FROM texts($2) AS l, t WHERE texts = $1", "SELECT l.value FROM " + texts + " AS l, t WHERE texts = ?1",
			"SELECT l.value FROM (SELECT * FROM unnest($2::text[]) WITH ORDINALITY AS list (value, ord)) AS l, t WHERE texts = $1"},
	}
	for _, c := range cases {
		if c.postgres == "" {
			c.postgres = c.in
		}
		s := db.SQL("dialect: "+c.in, c.in)
		if got := s.Text(db.SQLite); got != c.sqlite {
			t.Errorf("SQLite\n got %s\nwant %s", got, c.sqlite)
		}
		if got := s.Text(db.PostgreSQL); got != c.postgres {
			t.Errorf("PostgreSQL\n got %s\nwant %s", got, c.postgres)
		}
	}
}

func TestWrites(t *testing.T) {
	for in, want := range map[string][]string{
		"SELECT update_count FROM t FOR UPDATE":                                     nil,
		"INSERT INTO a (n) SELECT n FROM b ON CONFLICT (n) DO UPDATE SET n = 1":     {"a"},
		"WITH x AS (SELECT n FROM c FOR UPDATE) UPDATE a SET n = (SELECT n FROM x)": {"a"},
		"delete from a":                           {"a"},
		`UPDATE "a" SET n = 1`:                    {"a"},
		"UPDATE A SET n = 1":                      {"a"},
		"SELECT 'INSERT INTO a' -- DELETE FROM b": nil,
	} {
		if got := db.SQL("writes: "+in, in).Writes(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", in, got, want)
		}
	}
}

func TestRegistry(t *testing.T) {
	first := db.SQL("test.registered", "SELECT 1")
	together(20, func(int) {
		if db.SQL("test.registered", "SELECT 1") != first {
			t.Error("the same name and text gave another statement")
		}
	})
	if !slices.Contains(db.Statements(), first) || first.Name() != "test.registered" {
		t.Error("the statement is not listed")
	}
	if !slices.IsSortedFunc(db.Statements(), func(a, b *db.Stmt) int { return strings.Compare(a.Name(), b.Name()) }) {
		t.Error("the list is not in order")
	}
	panics(t, "another text", func() { db.SQL("test.registered", "SELECT 2") })
	panics(t, "a missing parameter", func() { db.SQL("test.hole", "SELECT $1, $3") })
}

func panics(t *testing.T, what string, fn func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s was accepted", what)
		}
	}()
	fn()
}
