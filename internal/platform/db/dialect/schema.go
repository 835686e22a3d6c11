package dialect

import (
	"fmt"
	"slices"
	"strings"
)

// SQLiteSchema splits a migration into statements for SQLite. Column types become
// those of STRICT tables. A comment after the closing parenthesis of a table is an
// option: "-- clustered" stores the table in its primary key (WITHOUT ROWID), and
// "-- append-only" refuses updates and deletes.
func SQLiteSchema(migration string) []string {
	return schemaStatements(migration, sqliteSchema, func(table string) []string {
		const refusal = `CREATE TRIGGER %[1]s_refuses_%[2]s BEFORE %[2]s ON %[1]s BEGIN SELECT RAISE(ABORT, 'rows of %[1]s never change'); END`
		return []string{fmt.Sprintf(refusal, table, "update"), fmt.Sprintf(refusal, table, "delete")}
	})
}

// PostgresSchema splits a migration into statements for PostgreSQL. Text compares by
// code point, as on SQLite, whatever the locale of the database. The option
// "-- unlogged" keeps a table out of the write-ahead log: writes are faster, and the
// table is empty after a crash. The option "-- append-only" refuses updates and deletes.
func PostgresSchema(migration string) []string {
	return schemaStatements(migration, postgresSchema, func(table string) []string {
		return []string{
			`CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME; END $$`,
			fmt.Sprintf(`CREATE TRIGGER %[1]s_refuses_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %[1]s
			FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`, table),
		}
	})
}

// CreatedTables returns the names of the tables that a migration creates.
func CreatedTables(migration string) []string {
	var tables []string
	for _, statement := range splitStatements(tokenize(migration)) {
		if name, ok := createdTable(statement); ok {
			tables = append(tables, name)
		}
	}
	return tables
}

// schemaStatements splits a migration at its semicolons, rewrites each statement
// and adds the triggers of append-only tables.
func schemaStatements(migration string, rewrite func([]token) []token, appendOnly func(table string) []string) []string {
	var statements []string
	for _, written := range splitStatements(tokenize(migration)) {
		statements = append(statements, strings.TrimSpace(join(rewrite(written))))
		if table, ok := createdTable(written); ok && hasOption(written, "-- append-only") {
			statements = append(statements, appendOnly(table)...)
		}
	}
	return statements
}

// createdTable returns the name of the table that a statement creates.
func createdTable(tokens []token) (name string, ok bool) {
	next, ok := words(tokens, 0, "CREATE", "TABLE")
	if !ok {
		return "", false
	}
	if end, found := words(tokens, next, "IF", "NOT", "EXISTS"); found {
		next = end
	}
	table, _ := at(tokens, next)
	return table.text, true
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
	statements := all[:0]
	for _, statement := range all {
		if skipSpace(statement, 0) < len(statement) {
			statements = append(statements, statement)
		}
	}
	return statements
}

// definesColumns reports whether the statement names column types.
func definesColumns(tokens []token) bool {
	_, create := words(tokens, 0, "CREATE", "TABLE")
	_, alter := words(tokens, 0, "ALTER", "TABLE")
	return create || alter
}

// afterName reports whether a name precedes token i. A name precedes the type of a
// column, but not the name of a column, even if that is also the name of a type.
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
	if hasOption(out, "-- clustered") {
		options = " STRICT, WITHOUT ROWID"
	}
	return append(out[:end:end], token{other, options})
}

// hasOption reports whether an option follows the closing parenthesis of the table.
func hasOption(tokens []token, option string) bool {
	return strings.Contains(join(tokens[lastParenthesis(tokens):]), option)
}

// lastParenthesis returns the index after the last closing parenthesis.
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
	if afterCreate, ok := words(out, 0, "CREATE"); ok && hasOption(out, "-- unlogged") {
		out = slices.Insert(out, afterCreate, token{other, " UNLOGGED"})
	}
	return out
}
