package driver

// Engine is the kind of database behind a Store.
type Engine int

// The engines.
const (
	SQLite Engine = iota
	PostgreSQL
)

// String returns the name for metrics and tests.
func (e Engine) String() string {
	if e == SQLite {
		return "sqlite"
	}
	return "postgresql"
}
