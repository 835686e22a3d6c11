package migrate

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"moothall/internal/platform/db"
)

// ErrNotEmpty means that a database already has a schema.
var ErrNotEmpty = errors.New("the database is not empty")

// BeginLoad prepares a database for the rows of another one, to which the given migrations were
// applied. Until EndLoad, Run refuses the database. If a load with the same id was interrupted,
// the state says what remains. BeginLoad returns ErrNotEmpty for any other database that has a schema.
//
// After BeginLoad, call LoadTable for each table, then CompleteLoad, then EndLoad.
func (m *Migrator) BeginLoad(ctx context.Context, id string, of []Applied) (LoadState, error) {
	known, err := m.knownOf(of)
	if err != nil {
		return LoadNew, err
	}
	if err := m.prepareLoad(ctx); err != nil {
		return LoadNew, err
	}
	l, err := m.markLoading(ctx, id)
	switch {
	case err != nil:
		return LoadNew, err
	case l.id != "" && l.id != id:
		return LoadNew, fmt.Errorf("%w: it has a part of another backup", ErrNotEmpty)
	case l.state() == LoadComplete: // newer migrations may have been applied
		return LoadComplete, nil
	}
	return l.state(), m.applyAll(ctx, known, id)
}

// prepareLoad creates the table schema_migrations if it does not exist.
func (m *Migrator) prepareLoad(ctx context.Context) error {
	w, stop := m.watchLocks(ctx)
	defer stop()
	return createTable(ctx, w)
}

// markLoading marks an empty database. If the database is already marked, markLoading returns the load.
func (m *Migrator) markLoading(ctx context.Context, id string) (l load, err error) {
	err = m.db.InTx(ctx, func(tx db.Tx) error {
		if _, err := lockSchema(ctx, tx); err != nil {
			return err
		}
		if l, err = loading(ctx, tx); err != nil || l.id != "" {
			return err
		}
		applied, err := ReadApplied(ctx, tx)
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

// LoadTable inserts all rows of a table, or none. Call it between BeginLoad and CompleteLoad.
func (m *Migrator) LoadTable(ctx context.Context, t Table, rows iter.Seq2[[]any, error]) (int64, error) {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return m.db.CopyRows(ctx, t.Name, names, rows)
}

// CompleteLoad records that all rows are loaded, and applies the migrations that are newer than the rows.
func (m *Migrator) CompleteLoad(ctx context.Context) error {
	if _, err := m.db.Exec(ctx, completeLoadStmt); err != nil {
		return err
	}
	known, err := readMigrations(m.files)
	if err != nil {
		return err
	}
	l, err := loading(ctx, m.db)
	if err != nil {
		return err
	}
	return m.applyAll(ctx, known, l.id)
}

// EndLoad ends what BeginLoad began: the database is ready. After an error, the load has not ended.
func (m *Migrator) EndLoad(ctx context.Context) error {
	if err := m.db.Analyze(ctx); err != nil {
		return err
	}
	_, err := m.db.Exec(ctx, endLoadStmt)
	return err
}
