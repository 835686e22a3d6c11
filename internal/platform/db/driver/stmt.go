package driver

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
}

var registry = struct {
	sync.RWMutex
	byName map[string]*Stmt
}{byName: map[string]*Stmt{}}

// SQL registers a statement and returns it. The name begins with the package that owns
// the statement: "attendance.join". The text is in the language of package dialect.
//
// SQL may be called at any time by any goroutine. The same name and text return the
// same statement. SQL panics if the same name has another text, or if the text leaves
// out a parameter number.
func SQL(name, text string) *Stmt {
	registry.RLock()
	s := registry.byName[name]
	registry.RUnlock()
	if s == nil {
		s = register(NewStmt(name, text))
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

// NewStmt returns a statement without registering it: for statements of one engine, which the other one may not
// understand.
func NewStmt(name, text string) *Stmt {
	parsed, err := dialect.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("db: the statement %q %v", name, err))
	}
	return &Stmt{sql: parsed, name: name, source: text}
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

// IsWrite reports whether the statement changes a table.
func (s *Stmt) IsWrite() bool { return len(s.sql.Writes) > 0 }

// CheckCount returns an error for a wrong number of arguments.
func (s *Stmt) CheckCount(args []any) error {
	if len(args) != s.sql.Params {
		return fmt.Errorf("takes %d arguments, got %d", s.sql.Params, len(args))
	}
	return nil
}
