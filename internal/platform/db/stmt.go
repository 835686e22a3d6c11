package db

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"moothall/internal/platform/db/dialect"
)

// Stmt is one registered statement. Every connection that runs it prepares it once.
type Stmt struct {
	sql    dialect.Statement
	name   string
	source string
	reads  []string // the tables of the schema that the text mentions
	keys   []Key
}

var registry = struct {
	sync.RWMutex
	byName map[string]*Stmt
}{byName: map[string]*Stmt{}}

// SQL registers a statement and returns it. The name begins with the package that owns
// the statement: "attendance.join". The text is in the language of package dialect.
// Keys narrow the rows that the statement reads and changes, for caches.
//
// SQL may be called at any time by any goroutine. The same name and text return the
// same statement. SQL panics if the same name has another text, or if the text leaves
// out a parameter number.
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

// register returns the statement of that name that was registered first.
func register(s *Stmt) *Stmt {
	registry.Lock()
	defer registry.Unlock()
	if first := registry.byName[s.name]; first != nil {
		return first
	}
	registry.byName[s.name] = s
	return s
}

// Statements returns every registered statement, ordered by name.
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
	parsed, err := dialect.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("db: the statement %q %v", name, err))
	}
	s := &Stmt{sql: parsed, name: name, source: text, keys: keys}
	for _, table := range parsed.Names {
		if schemaTables()[table] {
			s.reads = append(s.reads, table)
		}
	}
	for _, key := range keys {
		if key.Param < 1 || key.Param > s.sql.Params || !slices.Contains(s.reads, key.Table) {
			panic(fmt.Sprintf("db: the statement %q has no parameter or no table for %v", name, key))
		}
	}
	return s
}

// Name returns the name under which the statement is registered.
func (s *Stmt) Name() string { return s.name }

// Text returns the SQL that the engine runs.
func (s *Stmt) Text(e Engine) string {
	if e == SQLite {
		return s.sql.SQLite
	}
	return s.sql.PostgreSQL
}

// Writes returns the tables that the statement changes, in the order of the text.
func (s *Stmt) Writes() []string { return slices.Clone(s.sql.Writes) }

// Keys returns the keys that the statement was registered with.
func (s *Stmt) Keys() []Key { return slices.Clone(s.keys) }

// schemaTables are the names of all tables that the embedded migrations create.
var schemaTables = sync.OnceValue(func() map[string]bool {
	migrations, err := readMigrations(embeddedMigrations())
	if err != nil {
		panic(err) // they are part of the program
	}
	tables := map[string]bool{}
	for _, m := range migrations {
		for _, table := range dialect.CreatedTables(m.text) {
			tables[table] = true
		}
	}
	return tables
})
