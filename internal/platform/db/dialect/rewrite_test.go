package dialect_test

import (
	"slices"
	"testing"

	"moothall/internal/platform/db/dialect"
)

func TestParseTranslatesToBothEngines(t *testing.T) {
	const texts = "(SELECT value, key + 1 AS ord FROM json_each(?2))"
	cases := []struct{ in, sqlite, postgres string }{
		{"SELECT $2, $1, $2, $10, $3, $4, $5, $6, $7, $8, $9", "SELECT ?2, ?1, ?2, ?10, ?3, ?4, ?5, ?6, ?7, ?8, ?9", ""},
		{"SELECT '$1 FOR UPDATE ''texts($1)', \"$1\" -- $1 'it\n, $1 /* $1 */", "SELECT '$1 FOR UPDATE ''texts($1)', \"$1\" -- $1 'it\n, ?1 /* $1 */", ""},
		{"SELECT n FROM t FOR UPDATE SKIP LOCKED", "SELECT n FROM t", ""},
		{"SELECT n FROM t WHERE n IN (SELECT m FROM u for update of u) LIMIT 1", "SELECT n FROM t WHERE n IN (SELECT m FROM u) LIMIT 1", ""},
		{"SELECT n FROM t FOR NO KEY UPDATE", "SELECT n FROM t", ""},
		{"SELECT CAST($1 AS UUID), CAST($1 AS double  precision), CAST($1 AS BOOLEAN)", "SELECT CAST(?1 AS BLOB), CAST(?1 AS REAL), CAST(?1 AS INTEGER)", ""},
		{"SELECT n AS boolean FROM t", "SELECT n AS boolean FROM t", ""},
		{"SELECT l.value FROM texts($2) AS l, t WHERE texts = $1", "SELECT l.value FROM " + texts + " AS l, t WHERE texts = ?1",
			"SELECT l.value FROM (SELECT * FROM unnest($2::text[]) WITH ORDINALITY AS list (value, ord)) AS l, t WHERE texts = $1"},
		{"SELECT l.value FROM unseen_ids($1) AS l", "SELECT l.value FROM (SELECT unhex(value) AS value, key + 1 AS ord FROM json_each(?1)) AS l",
			"SELECT l.value FROM (SELECT * FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS list (value, ord)) AS l"},
	}
	for _, c := range cases {
		if c.postgres == "" {
			c.postgres = c.in
		}
		s, err := dialect.Parse(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		}
		if s.SQLite != c.sqlite {
			t.Errorf("SQLite\n got %s\nwant %s", s.SQLite, c.sqlite)
		}
		if s.PostgreSQL != c.postgres {
			t.Errorf("PostgreSQL\n got %s\nwant %s", s.PostgreSQL, c.postgres)
		}
	}
}

func TestParseFindsWrittenTables(t *testing.T) {
	for in, want := range map[string][]string{
		"SELECT update_count FROM t FOR UPDATE":                                     nil,
		"INSERT INTO a (n) SELECT n FROM b ON CONFLICT (n) DO UPDATE SET n = 1":     {"a"},
		"WITH x AS (SELECT n FROM c FOR UPDATE) UPDATE a SET n = (SELECT n FROM x)": {"a"},
		"delete from a":                           {"a"},
		`UPDATE "a" SET n = 1`:                    {"a"},
		"UPDATE A SET n = 1":                      {"a"},
		"SELECT 'INSERT INTO a' -- DELETE FROM b": nil,
	} {
		if got, err := dialect.Parse(in); err != nil || !slices.Equal(got.Writes, want) {
			t.Errorf("%s: %v, %v, want %v", in, got.Writes, err, want)
		}
	}
}

func TestParseRefusesMissingParameter(t *testing.T) {
	if _, err := dialect.Parse("SELECT $1, $3"); err == nil {
		t.Error("a statement without $2 was accepted")
	}
}
