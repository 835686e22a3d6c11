package db

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db/dialect"
)

// Table is a table of the schema.
type Table = dialect.Table

// Column is a column of a table.
type Column = dialect.Column

// Schema returns the migrations that were applied to a database, and its Tables. It returns an error if
// a load into the database has not ended, or if this program does not have the migrations.
func (d *DB) Schema(ctx context.Context, q Querier) ([]AppliedMigration, []Table, error) {
	applied, err := AppliedMigrations(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if l, err := loading(ctx, q); err != nil || l.id != "" {
		return nil, nil, firstError(err, errLoading)
	}
	tables, err := d.Tables(applied)
	return applied, tables, err
}

// Tables returns the tables that migrations create and whose rows survive a crash, in an order in which rows can be
// inserted: a table comes after those that it references. It returns an error if this program does not have the migrations.
func (d *DB) Tables(of []AppliedMigration) ([]Table, error) {
	known, err := d.knownOf(of)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, m := range known {
		texts = append(texts, m.text)
	}
	defined, err := dialect.Tables(texts)
	if err != nil {
		return nil, err
	}
	return inOrder(slices.DeleteFunc(defined, func(t Table) bool { return t.Unlogged }))
}

// inOrder puts each table after those that it references.
func inOrder(tables []Table) ([]Table, error) {
	var sorted []Table
	placed := map[string]bool{}
	for len(sorted) < len(tables) {
		before := len(sorted)
		for _, t := range tables {
			if placed[t.Name] || slices.ContainsFunc(t.References, func(name string) bool { return !placed[name] }) {
				continue
			}
			placed[t.Name] = true
			sorted = append(sorted, t)
		}
		if len(sorted) == before {
			return nil, fmt.Errorf("db: tables reference each other: %d of %d can be ordered", before, len(tables))
		}
	}
	return sorted, nil
}

// ReadTable returns the rows of a table in the order of the primary key. A value is nil, or a
// string, int64, float64, bool, []byte or domain.ID[any]. The slice is valid until the next
// iteration.
func ReadTable(ctx context.Context, q Querier, t Table) iter.Seq2[[]any, error] {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	s := newStmt("db.read_table", "SELECT "+strings.Join(names, ", ")+" FROM "+t.Name+" ORDER BY "+strings.Join(t.Key, ", "))
	return func(yield func([]any, error) bool) {
		dest, values, err := destinations(t.Columns)
		if err != nil {
			yield(nil, err)
			return
		}
		for row, err := range q.Query(ctx, s) {
			if err == nil {
				err = row.Scan(dest...)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(values(), nil) {
				return
			}
		}
	}
}

// destinations returns the arguments of Row.Scan for columns, and a function that returns the scanned
// values.
func destinations(columns []dialect.Column) (dest []any, values func() []any, err error) {
	read := make([]func() any, len(columns))
	row := make([]any, len(columns))
	dest = make([]any, len(columns))
	for i, c := range columns {
		switch c.Type {
		case "TEXT":
			dest[i], read[i] = destination[string]()
		case "BIGINT", "INTEGER":
			dest[i], read[i] = destination[int64]()
		case "DOUBLE":
			dest[i], read[i] = destination[float64]()
		case "BOOLEAN":
			dest[i], read[i] = destination[bool]()
		case "UUID":
			dest[i], read[i] = destination[domain.ID[any]]()
		case "BYTEA":
			value := new([]byte)
			dest[i], read[i] = value, func() any {
				if *value == nil {
					return nil
				}
				return *value
			}
		default:
			return nil, nil, fmt.Errorf("db: column %s has the unknown type %s", c.Name, c.Type)
		}
	}
	return dest, func() []any {
		for i, value := range read {
			row[i] = value()
		}
		return row
	}, nil
}

func destination[T any]() (dest any, read func() any) {
	value := new(*T)
	return value, func() any {
		if *value == nil {
			return nil
		}
		return **value
	}
}

// Count returns the number of rows of a table.
func Count(ctx context.Context, q Querier, t Table) (n int64, err error) {
	err = q.One(ctx, newStmt("db.count", "SELECT COUNT(*) FROM "+t.Name)).Scan(&n)
	return n, err
}

// AppliedMigration is a migration that was applied to a database.
type AppliedMigration struct {
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Checksum string `json:"checksum"` // SHA-256 of the file, hexadecimal
}

// AppliedMigrations returns the migrations that were applied to a database, in their order.
func AppliedMigrations(ctx context.Context, q Querier) ([]AppliedMigration, error) {
	return All(ctx, q, func(r Row, m *AppliedMigration) error { return r.Scan(&m.Number, &m.Name, &m.Checksum) }, appliedMigrations)
}

// The row -1 of schema_migrations marks a database that is being loaded. Its name is the id of the
// load, its checksum is "complete" once all rows are loaded.
var (
	loadingStmt      = SQL("db.loading", `SELECT name, checksum FROM schema_migrations WHERE number = -1`)
	beginLoadStmt    = SQL("db.begin_load", `INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (-1, $1, '', 0)`)
	completeLoadStmt = SQL("db.complete_load", `UPDATE schema_migrations SET checksum = 'complete' WHERE number = -1`)
	endLoadStmt      = SQL("db.end_load", `DELETE FROM schema_migrations WHERE number = -1`)
)

// LoadState says how far an interrupted load has come.
type LoadState int

// The states of a load.
const (
	LoadNew      LoadState = iota
	LoadResumed            // the tables that have rows are complete
	LoadComplete           // all tables are complete, and may have changed since
)

// load describes a load that has not ended. The zero value means that there is none.
type load struct{ id, progress string }

func (l load) state() LoadState {
	switch {
	case l.id == "":
		return LoadNew
	case l.progress == "":
		return LoadResumed
	}
	return LoadComplete
}

// BeginLoad prepares a database for the rows of another one, to which the given migrations were
// applied. Until EndLoad, Migrate refuses the database. If a load with the same id was interrupted,
// the state says what remains. BeginLoad returns ErrNotEmpty for any other database that has a schema.
//
// After BeginLoad, call LoadTable for each table, then CompleteLoad, then EndLoad.
func (d *DB) BeginLoad(ctx context.Context, id string, of []AppliedMigration) (LoadState, error) {
	known, err := d.knownOf(of)
	if err != nil {
		return LoadNew, err
	}
	if err := d.prepareLoad(ctx); err != nil {
		return LoadNew, err
	}
	l, err := d.markLoading(ctx, id)
	switch {
	case err != nil:
		return LoadNew, err
	case l.id != "" && l.id != id:
		return LoadNew, fmt.Errorf("%w: it has a part of another backup", ErrNotEmpty)
	case l.state() == LoadComplete: // newer migrations may have been applied
		return LoadComplete, nil
	}
	return l.state(), d.applyAll(ctx, known, id)
}

// prepareLoad creates the table schema_migrations if it does not exist.
func (d *DB) prepareLoad(ctx context.Context) error {
	w, stop := d.watchLocks(ctx)
	defer stop()
	return d.createMigrationsTable(ctx, w)
}

// markLoading marks an empty database. If the database is already marked, markLoading returns the load.
func (d *DB) markLoading(ctx context.Context, id string) (l load, err error) {
	err = d.InTx(ctx, func(tx Tx) error {
		if _, err := lockSchema(ctx, tx); err != nil {
			return err
		}
		if l, err = loading(ctx, tx); err != nil || l.id != "" {
			return err
		}
		applied, err := AppliedMigrations(ctx, tx)
		if err != nil {
			return err
		}
		if len(applied) > 0 {
			return ErrNotEmpty
		}
		_, err = tx.Exec(ctx, beginLoadStmt, id)
		return err
	})
	return l, err
}

// knownOf returns the migrations of this program that create the tables of another database.
func (d *DB) knownOf(of []AppliedMigration) ([]migration, error) {
	known, err := readMigrations(d.migrations)
	if err != nil {
		return nil, err
	}
	var applied []migration
	for _, m := range of {
		applied = append(applied, migration{number: m.Number, name: m.Name, checksum: m.Checksum})
	}
	if isReplaced(applied) {
		return replacements(known), nil
	}
	if err := compareMigrations(known, applied); err != nil {
		return nil, err
	}
	return known[:len(of)], nil
}

// CheckMigrations returns an error if this program does not have the migrations of another database.
func CheckMigrations(of []AppliedMigration) error {
	_, err := (&DB{migrations: embeddedMigrations()}).knownOf(of)
	return err
}

// ErrNotEmpty means that a database already has a schema.
var ErrNotEmpty = errors.New("the database is not empty")

// loading returns the load that has not ended. The table schema_migrations must exist.
func loading(ctx context.Context, q Querier) (l load, err error) {
	_, err = q.One(ctx, loadingStmt).Find(&l.id, &l.progress)
	return l, err
}

// LoadTable inserts all rows of a table, or none. Call it between BeginLoad and CompleteLoad.
func (d *DB) LoadTable(ctx context.Context, t Table, rows iter.Seq2[[]any, error]) (int64, error) {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return d.bulk(ctx, t.Name, names, rows)
}

// CompleteLoad records that all rows are loaded, and applies the migrations that are newer than the rows.
func (d *DB) CompleteLoad(ctx context.Context) error {
	if _, err := d.Exec(ctx, completeLoadStmt); err != nil {
		return err
	}
	known, err := readMigrations(d.migrations)
	if err != nil {
		return err
	}
	l, err := loading(ctx, d)
	if err != nil {
		return err
	}
	return d.applyAll(ctx, known, l.id)
}

// EndLoad ends what BeginLoad began: the database is ready. After an error, the load has not ended.
func (d *DB) EndLoad(ctx context.Context) error {
	if err := d.Analyze(ctx); err != nil {
		return err
	}
	_, err := d.Exec(ctx, endLoadStmt)
	return err
}
