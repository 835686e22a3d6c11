// Package dialect translates SQL that is written once into the SQL of SQLite and of
// PostgreSQL.
//
// Statements are written in PostgreSQL's dialect as far as SQLite shares it. For
// SQLite three things are rewritten:
//
//   - Parameters: $1 becomes ?1, because a statement may repeat a parameter.
//   - The types in CAST(... AS type).
//   - Row locks: they are dropped, because SQLite has one writer.
//
// On both engines texts($1), ints($1) and ids($1), used in FROM with an alias, turn
// a Go list into rows of (value, ord), with ord from 1. unseen_texts($1), unseen_ints($1)
// and unseen_ids($1) do the same, but PostgreSQL's planner does not see the list: it may
// then keep one plan instead of planning each execution (docs/adr/0039).
//
// Migrations are written for PostgreSQL too; see SQLiteSchema.
package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Statement is one SQL text for both engines, with the parameters and names in it.
type Statement struct {
	SQLite     string
	PostgreSQL string
	Params     int      // the highest parameter number; every lower one occurs
	Writes     []string // the tables that it changes, in the order of their mention
	Names      []string // everything that may be the name of a table, in lower case
}

// Parse parses a statement. It returns an error when the text leaves out a parameter
// number: $1 and $3 without $2.
func Parse(text string) (Statement, error) {
	tokens := tokenize(text)
	params, err := countParams(tokens)
	return Statement{
		SQLite: sqliteStatement(tokens), PostgreSQL: postgresStatement(tokens),
		Params: params, Writes: writtenTables(tokens), Names: names(tokens),
	}, err
}

// countParams returns the highest parameter number.
func countParams(tokens []token) (highest int, err error) {
	used := map[int]bool{}
	for _, t := range tokens {
		if t.kind == param {
			n, _ := strconv.Atoi(t.text[1:]) // digits only
			used[n] = true
			highest = max(highest, n)
		}
	}
	for n := 1; n <= highest; n++ {
		if !used[n] {
			return 0, fmt.Errorf("does not use $%d", n)
		}
	}
	return highest, nil
}

var (
	writes   = [][]string{{"INSERT", "INTO"}, {"DELETE", "FROM"}, {"UPDATE"}}
	rowLocks = [][]string{{"FOR", "UPDATE"}, {"FOR", "SHARE"}, {"FOR", "NO", "KEY", "UPDATE"}, {"FOR", "KEY", "SHARE"}}
)

// writtenTables finds the names after INSERT INTO, DELETE FROM and UPDATE.
func writtenTables(tokens []token) []string {
	var tables []string
	for i := 0; i < len(tokens); i++ {
		if end, ok := rowLock(tokens, i); ok {
			i = end - 1
			continue
		}
		if tokens[i].kind != word {
			continue
		}
		for _, verb := range writes {
			next, ok := words(tokens, i, verb...)
			if !ok {
				continue
			}
			name, _ := at(tokens, next)
			if table := tableName(name); !name.is("SET") && !slices.Contains(tables, table) { // DO UPDATE SET names no table
				tables = append(tables, table)
			}
		}
	}
	return tables
}

// names returns every word and quoted text once.
func names(tokens []token) []string {
	var all []string
	for _, t := range tokens {
		if name := tableName(t); (t.kind == word || t.kind == literal) && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// tableName returns a name without quotes and in lower case, as migrations write it.
func tableName(t token) string { return strings.ToLower(strings.Trim(t.text, `"`)) }

// list is a call like texts($1) or unseen_texts($1).
type list struct {
	kind   string // texts, ints or ids
	param  token
	unseen bool
}

var (
	sqliteValues  = map[string]string{"texts": "value", "ints": "value", "ids": "unhex(value) AS value"}
	postgresTypes = map[string]string{"texts": "text[]", "ints": "bigint[]", "ids": "uuid[]"}
)

func (l list) sqlite() string {
	return "(SELECT " + sqliteValues[l.kind] + ", key + 1 AS ord FROM json_each(" + sqliteParam(l.param) + "))"
}

func (l list) postgres() string {
	array := l.param.text + "::" + postgresTypes[l.kind]
	if l.unseen {
		array = "(SELECT " + array + ")"
	}
	return "(SELECT * FROM unnest(" + array + ") WITH ORDINALITY AS list (value, ord))"
}

// sqliteTypes maps the types in statements to the types of SQLite's STRICT tables.
var sqliteTypes = map[string]string{
	"UUID": "BLOB", "BYTEA": "BLOB",
	"BIGINT": "INTEGER", "INTEGER": "INTEGER", "SMALLINT": "INTEGER", "BOOLEAN": "INTEGER",
	"DOUBLE": "REAL", // the second word of DOUBLE PRECISION is dropped
}

func sqliteStatement(tokens []token) string {
	var out []token
	for i := 0; i < len(tokens); {
		if end, ok := rowLock(tokens, i); ok {
			i = end
			continue
		}
		if l, end, ok := listCall(tokens, i); ok {
			out, i = append(out, token{other, l.sqlite()}), end
			continue
		}
		if tokens[i].is("AS") {
			if sqlType, end, ok := castType(tokens, i+1); ok {
				out, i = append(out, token{word, "AS " + sqlType}), end
				continue
			}
		}
		out, i = append(out, token{tokens[i].kind, sqliteParam(tokens[i])}), i+1
	}
	return join(out)
}

func postgresStatement(tokens []token) string {
	var out []token
	for i := 0; i < len(tokens); {
		if l, end, ok := listCall(tokens, i); ok {
			out, i = append(out, token{other, l.postgres()}), end
			continue
		}
		out, i = append(out, tokens[i]), i+1
	}
	return join(out)
}

func sqliteParam(t token) string {
	if t.kind == param {
		return "?" + t.text[1:]
	}
	return t.text
}

// listCall recognises texts($1), ints($1), ids($1), and the same with unseen_.
func listCall(tokens []token, i int) (l list, end int, ok bool) {
	if tokens[i].kind != word {
		return l, 0, false
	}
	l.kind, l.unseen = strings.CutPrefix(strings.ToLower(tokens[i].text), "unseen_")
	open, next := at(tokens, i+1)
	if postgresTypes[l.kind] == "" || open.text != "(" {
		return l, 0, false
	}
	l.param, next = at(tokens, next)
	closing, next := at(tokens, next)
	return l, next, l.param.kind == param && closing.text == ")"
}

// rowLock recognises FOR UPDATE and the other row locks, with OF and SKIP LOCKED.
func rowLock(tokens []token, i int) (end int, ok bool) {
	for _, strength := range rowLocks {
		if end, ok = words(tokens, i, strength...); ok {
			break
		}
	}
	if !ok {
		return 0, false
	}
	if next, found := words(tokens, end, "OF"); found {
		_, end = at(tokens, next)
	}
	if next, found := words(tokens, end, "SKIP", "LOCKED"); found {
		end = next
	}
	return end, true
}

// castType recognises the type and the closing parenthesis of CAST(... AS type).
func castType(tokens []token, i int) (sqlType string, end int, ok bool) {
	sqlType, end, ok = sqliteType(tokens, skipSpace(tokens, i))
	closing, _ := at(tokens, end)
	return sqlType, end, ok && closing.text == ")"
}

func sqliteType(tokens []token, i int) (sqlType string, end int, ok bool) {
	if i >= len(tokens) || tokens[i].kind != word {
		return "", i, false
	}
	sqlType, ok = sqliteTypes[strings.ToUpper(tokens[i].text)]
	end = i + 1
	if next, found := words(tokens, end, "PRECISION"); ok && found {
		end = next
	}
	return sqlType, end, ok
}
