package dialect

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a table as migrations define it.
type Table struct {
	Name       string
	Columns    []Column // in the order of their definitions
	Key        []string // the columns of the primary key
	References []string // other tables that its foreign keys name
	Unlogged   bool     // its rows may be lost: see PostgresSchema
}

// Column is a column of a table.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // TEXT, BIGINT, INTEGER, DOUBLE, BOOLEAN, BYTEA or UUID
}

// Tables returns the tables that migrations define, in the order of their creation. It understands
// CREATE TABLE and ALTER TABLE ADD COLUMN; any other ALTER TABLE is an error.
func Tables(migrations []string) ([]Table, error) {
	var tables []Table
	for _, migration := range migrations {
		for _, statement := range splitStatements(tokenize(migration)) {
			if !definesColumns(statement) {
				continue
			}
			var err error
			if tables, err = addDefinition(tables, statement); err != nil {
				return nil, err
			}
		}
	}
	return tables, nil
}

func addDefinition(tables []Table, statement []token) ([]Table, error) {
	if name, ok := createdTable(statement); ok {
		t := Table{Name: name, Unlogged: hasOption(statement, "-- unlogged")}
		for _, item := range items(statement) {
			t.define(item)
		}
		return append(tables, t), nil
	}
	next, _ := words(statement, 0, "ALTER", "TABLE")
	name, next := at(statement, next)
	i := slices.IndexFunc(tables, func(t Table) bool { return t.Name == name.text })
	column, ok := words(statement, next, "ADD", "COLUMN")
	if i < 0 || !ok {
		return nil, fmt.Errorf("dialect: unknown kind of definition: %s", strings.TrimSpace(join(statement)))
	}
	tables[i].define(statement[column:])
	return tables, nil
}

// items returns the definitions between the parentheses of CREATE TABLE.
func items(statement []token) [][]token {
	var all [][]token
	depth, start := 0, 0
	for i, t := range statement {
		switch {
		case t.text == "(":
			if depth++; depth == 1 {
				start = i + 1
			}
		case t.text == ")":
			if depth--; depth == 0 {
				return append(all, statement[start:i])
			}
		case t.text == "," && depth == 1:
			all, start = append(all, statement[start:i]), i+1
		}
	}
	return all
}

// define adds a column or a constraint.
func (t *Table) define(item []token) {
	t.addReference(item)
	if list, ok := words(item, 0, "PRIMARY", "KEY"); ok {
		for _, column := range item[list:] {
			if column.kind == word {
				t.Key = append(t.Key, column.text)
			}
		}
		return
	}
	name, next := at(item, 0)
	if slices.ContainsFunc([]string{"FOREIGN", "UNIQUE", "CHECK", "CONSTRAINT"}, name.is) {
		return
	}
	columnType, next := at(item, next)
	t.Columns = append(t.Columns, Column{name.text, strings.ToUpper(columnType.text)})
	for ; next < len(item); next++ {
		if _, ok := words(item, next, "PRIMARY", "KEY"); ok && item[next].kind == word {
			t.Key = []string{name.text}
			return
		}
	}
}

func (t *Table) addReference(item []token) {
	for i, one := range item {
		if !one.is("REFERENCES") {
			continue
		}
		if table, _ := at(item, i+1); table.text != t.Name && !slices.Contains(t.References, table.text) {
			t.References = append(t.References, table.text)
		}
	}
}
