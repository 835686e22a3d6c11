package db

import (
	"fmt"
	"strings"
)

// This file is everything that differs between the two engines' SQL.
//
// Statements are written in PostgreSQL's dialect as far as SQLite shares it.
// Rewritten for SQLite are parameters ($1 to ?1; bare ? would break on
// repeated ones), row locks (dropped: there is one writer) and the types in
// CAST(... AS type). On both engines texts($1), ints($1) and ids($1), used in
// FROM with an alias, give a Go list as rows of (value, ord), ord from 1.
// written_now(alias), for the steps of DB.Together after the first, is the
// condition that this very transaction has written the row.

var sqliteLists = map[string]string{
	"texts": "(SELECT value, key + 1 AS ord FROM json_each(%s))",
	"ints":  "(SELECT value, key + 1 AS ord FROM json_each(%s))",
	"ids":   "(SELECT unhex(value) AS value, key + 1 AS ord FROM json_each(%s))",
}

var postgresLists = map[string]string{
	"texts": "(SELECT * FROM unnest(%s::text[]) WITH ORDINALITY AS list (value, ord))",
	"ints":  "(SELECT * FROM unnest(%s::bigint[]) WITH ORDINALITY AS list (value, ord))",
	"ids":   "(SELECT * FROM unnest(%s::uuid[]) WITH ORDINALITY AS list (value, ord))",
}

// sqliteTypes are the types of a STRICT table for the types we write.
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
		if list, end, ok := listCall(tokens, i, sqliteLists); ok {
			out, i = append(out, token{other, list}), end
			continue
		}
		if _, end, ok := writtenNow(tokens, i); ok {
			out, i = append(out, token{word, "TRUE"}), end // see oneByOne
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
		if list, end, ok := listCall(tokens, i, postgresLists); ok {
			out, i = append(out, token{other, list}), end
			continue
		}
		if alias, end, ok := writtenNow(tokens, i); ok {
			out, i = append(out, token{other, alias + ".xmin = CAST(pg_current_xact_id_if_assigned() AS xid)"}), end
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

// listCall recognises texts($1), ints($1), ids($1).
func listCall(tokens []token, i int, lists map[string]string) (sql string, end int, ok bool) {
	if tokens[i].kind != word {
		return "", 0, false
	}
	form, known := lists[strings.ToLower(tokens[i].text)]
	open, next := at(tokens, i+1)
	arg, next := at(tokens, next)
	closing, next := at(tokens, next)
	if !known || open.text != "(" || arg.kind != param || closing.text != ")" {
		return "", 0, false
	}
	if strings.HasPrefix(form, "(SELECT *") {
		return fmt.Sprintf(form, arg.text), next, true
	}
	return fmt.Sprintf(form, sqliteParam(arg)), next, true
}

// writtenNow recognises written_now(alias).
func writtenNow(tokens []token, i int) (alias string, end int, ok bool) {
	open, next := at(tokens, i+1)
	arg, next := at(tokens, next)
	closing, next := at(tokens, next)
	ok = tokens[i].is("WRITTEN_NOW") && open.text == "(" && arg.kind == word && closing.text == ")"
	return arg.text, next, ok
}

// rowLock recognises FOR UPDATE and its kin, with OF and SKIP LOCKED.
func rowLock(tokens []token, i int) (end int, ok bool) {
	for _, strength := range [][]string{{"FOR", "UPDATE"}, {"FOR", "SHARE"}, {"FOR", "NO", "KEY", "UPDATE"}, {"FOR", "KEY", "SHARE"}} {
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
