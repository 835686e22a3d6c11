// Package driver is what package db needs of an engine (Store), and what the engines share: statements (Stmt),
// arguments (Normalize), rows (Row), queued statements (Queued), errors (Classifier) and limits of waits. It knows
// neither engine: packages sqlite and postgres implement Store.
package driver

import (
	"context"
	"iter"
	"time"

	"moothall/internal/platform/db/change"
)

// Config configures a Store.
type Config struct {
	Wait        time.Duration // for a connection, or in the queue of writers
	MustExist   bool          // refuses to create a missing file
	Readers     int           // read connections to a file; if zero, the number of cores, but at least 2
	Connections int           // of a pool; 0: the engine's default
	AllowUnsafe bool          // accepts a server that may lose acknowledged writes
	Waits       Waits
}

// Runner runs statements on a connection, or on any connection of a pool.
// Its errors are the engine's own.
type Runner interface {
	// Exec returns the number of rows that the statement changed or, if it returns rows, returned.
	Exec(ctx context.Context, s *Stmt, args []any) (int64, error)
	// Query calls each for every row until that returns false.
	Query(ctx context.Context, s *Stmt, args []any, each func(Row) bool) error
}

// Tx runs statements on the connection of a transaction.
type Tx interface {
	Runner
	// Batch runs statements in order. PostgreSQL takes one round trip for
	// them and, if commit is set, the commit.
	Batch(ctx context.Context, queue []*Queued, commit bool) error
	// QueryAfter runs the statements of a queue, then a query. PostgreSQL takes one
	// round trip.
	QueryAfter(ctx context.Context, queue []*Queued, s *Stmt, args []any, each func(Row) bool) error
	// Script runs a statement that is not kept prepared, such as one of a migration.
	Script(ctx context.Context, sql string) error
}

// Store is an open database. Its transactions return the errors of fn unchanged.
type Store interface {
	Runner
	Health
	Notices
	Engine() Engine
	InTx(ctx context.Context, fn func(Tx) error) error
	Read(ctx context.Context, fn func(Tx) error) error
	Prepare(ctx context.Context, s *Stmt) error
	// CopyRows inserts rows into a table, all or none, and returns their number.
	CopyRows(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (int64, error)
	// SchemaLocks returns what runs the transactions of migrations. A statement of theirs waits for a lock at most as
	// long as limit, if the engine locks tables.
	SchemaLocks(limit time.Duration) SchemaLocks
	TruncateLog(ctx context.Context) error
	// ServerTime returns the time of the server, and by how much it may be wrong.
	ServerTime(ctx context.Context) (now time.Time, uncertainty time.Duration, err error)
	// HasPooler reports whether a connection pooler is between this program and the server.
	HasPooler(ctx context.Context) (bool, error)
	Close() error
}

// Health is how a store is watched.
type Health interface {
	// Probe returns nil if the store keeps what is written to it. If write is set and the store is not busy, it writes.
	Probe(ctx context.Context, write bool) (wrote bool, err error)
	// CheckTables calls fn with the names of all tables, and a function that reads a table and finds damaged pages.
	CheckTables(ctx context.Context, fn func(names []string, check func(name string) error) error) error
	// Damaged returns the first damage that was found.
	Damaged() error
	// Await takes a connection for reads and gives it back.
	Await(ctx context.Context)
	Usage() Usage
}

// Notices keep the versions and the topics of several processes together.
type Notices interface {
	// Follow follows the changes and topics of other processes until Close.
	Follow(v *change.Versions, s *change.Subscribers)
	// Publish sends the names of shared topics to other processes.
	Publish(names []string)
	// Notice returns a statement that the transaction needs to send its changes to
	// other processes, or nil.
	Notice(cells []change.Cell) *Queued
	// Changed sends committed changes to other processes.
	Changed(cells []change.Cell)
}

// SchemaLocks run the transactions of migrations, and know what these wait for.
type SchemaLocks interface {
	// InTx is Store.InTx. Only one goroutine may call it.
	InTx(ctx context.Context, fn func(Tx) error) error
	// Holders describes who holds the lock that InTx waits for. It returns "" if InTx does not wait for a lock, or if
	// the holders are unknown. Only one goroutine may call it, and Close.
	Holders(ctx context.Context) string
	// Close closes the connection of Holders.
	Close(ctx context.Context)
}
