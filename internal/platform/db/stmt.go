package db

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Stmt is one registered statement: its text is written once and prepared on
// every connection that runs it.
type Stmt struct {
	name     string
	source   string
	sqlite   string
	postgres string
	params   int
	writes   []string
	reads    []string
	keys     []Key
}

var registry = struct {
	sync.RWMutex
	byName map[string]*Stmt
}{byName: map[string]*Stmt{}}

// SQL registers a statement under a name like "attendance.join" and gives it; the
// part before the dot is the room that owns it. The text follows the dialect
// described in dialect.go. It may be called at any time by any goroutine: the
// same name and text give the same statement, the same name with another text
// panics, as does a text that leaves out a parameter number. Keys make its
// changes, and its part in a Trace, those of some rows only.
func SQL(name, text string, keys ...Key) *Stmt {
	registry.RLock()
	s := registry.byName[name]
	registry.RUnlock()
	if s == nil {
		s = register(newStmt(name, text, keys...))
	}
	if s.source != text {
		panic(fmt.Sprintf("db: two texts for the statement %q", name))
	}
	return s
}

// register keeps the first of several statements with one name.
func register(s *Stmt) *Stmt {
	registry.Lock()
	defer registry.Unlock()
	if first := registry.byName[s.name]; first != nil {
		return first
	}
	registry.byName[s.name] = s
	return s
}

// Statements gives every registered statement, ordered by name.
func Statements() []*Stmt {
	registry.RLock()
	defer registry.RUnlock()
	all := make([]*Stmt, 0, len(registry.byName))
	for _, s := range registry.byName {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Stmt) int { return strings.Compare(a.name, b.name) })
	return all
}

// newStmt makes a statement without registering it.
func newStmt(name, text string, keys ...Key) *Stmt {
	tokens := tokenize(text)
	s := &Stmt{
		name:     name,
		source:   text,
		sqlite:   sqliteStatement(tokens),
		postgres: postgresStatement(tokens),
		params:   countParams(name, tokens),
		writes:   writtenTables(tokens),
		reads:    mentionedTables(tokens),
		keys:     keys,
	}
	for _, key := range keys {
		if key.Param < 1 || key.Param > s.params || !slices.Contains(s.reads, key.Table) {
			panic(fmt.Sprintf("db: the statement %q has no parameter or no table for %v", name, key))
		}
	}
	return s
}

// Name gives the name it was registered under.
func (s *Stmt) Name() string { return s.name }

// Text gives what the engine is asked to run.
func (s *Stmt) Text(e Engine) string {
	if e == SQLite {
		return s.sqlite
	}
	return s.postgres
}

// Writes gives the tables that the statement changes, in order of mention.
func (s *Stmt) Writes() []string { return slices.Clone(s.writes) }

// Keys gives what was declared when the statement was registered.
func (s *Stmt) Keys() []Key { return slices.Clone(s.keys) }

// countParams gives the highest parameter number and panics when a lower one
// is missing.
func countParams(name string, tokens []token) int {
	seen := map[int]bool{}
	highest := 0
	for _, t := range tokens {
		if t.kind == param {
			n, _ := strconv.Atoi(t.text[1:]) // digits only
			seen[n] = true
			highest = max(highest, n)
		}
	}
	for n := 1; n <= highest; n++ {
		if !seen[n] {
			panic(fmt.Sprintf("db: the statement %q does not use $%d", name, n))
		}
	}
	return highest
}

// writtenTables finds the names after INSERT INTO, DELETE FROM and UPDATE.
func writtenTables(tokens []token) []string {
	var tables []string
	for i := 0; i < len(tokens); i++ {
		if end, ok := rowLock(tokens, i); ok {
			i = end - 1
			continue
		}
		for _, verb := range [][]string{{"INSERT", "INTO"}, {"DELETE", "FROM"}, {"UPDATE"}} {
			next, ok := words(tokens, i, verb...)
			if !ok || tokens[i].kind == space {
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

// mentionedTables finds every table that the statement may read, and perhaps
// one more: whatever is called like a table of the schema.
func mentionedTables(tokens []token) []string {
	var tables []string
	for _, t := range tokens {
		name := tableName(t)
		if (t.kind == word || t.kind == literal) && schemaTables()[name] && !slices.Contains(tables, name) {
			tables = append(tables, name)
		}
	}
	return tables
}

// tableName is a name as the schema writes it.
func tableName(t token) string { return strings.ToLower(strings.Trim(t.text, `"`)) }

// schemaTables are the names of all tables that the embedded migrations make.
var schemaTables = sync.OnceValue(func() map[string]bool {
	migrations, err := readMigrations(embeddedMigrations())
	if err != nil {
		panic(err) // they are part of the program
	}
	tables := map[string]bool{}
	for _, m := range migrations {
		for _, statement := range splitStatements(tokenize(m.text)) {
			if name, ok := createdTable(statement); ok {
				tables[name] = true
			}
		}
	}
	return tables
})
