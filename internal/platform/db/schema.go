package db

import (
	"fmt"
	"slices"
	"strings"
)

// What differs between the engines in the definition of tables. Migrations
// are written for PostgreSQL; on SQLite the types become those of STRICT
// tables, and a table marked "-- clustered" after its closing parenthesis is
// stored in its primary key (WITHOUT ROWID). On PostgreSQL texts compare by
// code point, as they do on SQLite, whatever the locale of the database, and a
// table marked "-- unlogged" there is written to no log: fast, and empty after
// a crash. On both a table marked "-- append-only" refuses every change of what
// stands in it.

// schemaStatements cuts a migration at its semicolons and writes each
// statement for the engine.
func schemaStatements(e Engine, sql string) []string {
	var statements []string
	for _, written := range splitStatements(tokenize(sql)) {
		tokens := written
		if e == SQLite {
			tokens = sqliteSchema(tokens)
		} else {
			tokens = postgresSchema(tokens)
		}
		statements = append(statements, strings.TrimSpace(join(tokens)))
		if table, ok := createdTable(written); ok && marked(written, "-- append-only") {
			statements = append(statements, refusals(e, table)...)
		}
	}
	return statements
}

// createdTable gives the name of the table that a statement makes.
func createdTable(tokens []token) (name string, ok bool) {
	next, ok := words(tokens, 0, "CREATE", "TABLE")
	if !ok {
		return "", false
	}
	if end, found := words(tokens, next, "IF", "NOT", "EXISTS"); found {
		next = end
	}
	found, _ := at(tokens, next)
	return found.text, true
}

// refusals make a table take new rows only.
func refusals(e Engine, table string) []string {
	if e == SQLite {
		const refusal = `CREATE TRIGGER %[1]s_refuses_%[2]s BEFORE %[2]s ON %[1]s BEGIN SELECT RAISE(ABORT, 'rows of %[1]s never change'); END`
		return []string{fmt.Sprintf(refusal, table, "update"), fmt.Sprintf(refusal, table, "delete")}
	}
	return []string{
		`CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME; END $$`,
		fmt.Sprintf(`CREATE TRIGGER %[1]s_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %[1]s
			FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`, table),
	}
}

func splitStatements(tokens []token) [][]token {
	var all [][]token
	var current []token
	for _, t := range tokens {
		if t.text == ";" {
			all, current = append(all, current), nil
			continue
		}
		current = append(current, t)
	}
	all = append(all, current)
	kept := all[:0]
	for _, statement := range all {
		if skipSpace(statement, 0) < len(statement) {
			kept = append(kept, statement)
		}
	}
	return kept
}

// definesColumns reports whether the statement names column types.
func definesColumns(tokens []token) bool {
	_, create := words(tokens, 0, "CREATE", "TABLE")
	_, alter := words(tokens, 0, "ALTER", "TABLE")
	return create || alter
}

// afterName reports whether a name stands before token i, as before the type of
// a column, but not before a column that is called like a type.
func afterName(tokens []token, i int) bool {
	for i--; i >= 0 && tokens[i].kind == space; i-- {
	}
	return i >= 0 && (tokens[i].kind == word || tokens[i].kind == literal)
}

func sqliteSchema(tokens []token) []token {
	if !definesColumns(tokens) {
		return tokens
	}
	var out []token
	for i := 0; i < len(tokens); {
		if sqlType, end, ok := sqliteType(tokens, i); ok && afterName(tokens, i) {
			out, i = append(out, token{word, sqlType}), end
			continue
		}
		out, i = append(out, tokens[i]), i+1
	}
	if _, create := words(tokens, 0, "CREATE", "TABLE"); !create {
		return out
	}
	end := lastParenthesis(out)
	options := " STRICT"
	if marked(out, "-- clustered") {
		options = " STRICT, WITHOUT ROWID"
	}
	return append(out[:end:end], token{other, options})
}

// marked reports whether a mark stands after the table's closing parenthesis.
func marked(tokens []token, mark string) bool {
	return strings.Contains(join(tokens[lastParenthesis(tokens):]), mark)
}

// lastParenthesis gives the index after the last closing parenthesis.
func lastParenthesis(tokens []token) int {
	for i := len(tokens); i > 0; i-- {
		if tokens[i-1].text == ")" {
			return i
		}
	}
	return len(tokens)
}

func postgresSchema(tokens []token) []token {
	if !definesColumns(tokens) {
		return tokens
	}
	var out []token
	for i, t := range tokens {
		if t.is("TEXT") && afterName(tokens, i) {
			t.text = `TEXT COLLATE "C"`
		}
		out = append(out, t)
	}
	if afterCreate, ok := words(out, 0, "CREATE"); ok && marked(out, "-- unlogged") {
		out = slices.Insert(out, afterCreate, token{other, " UNLOGGED"})
	}
	return out
}
