package migrate

import (
	"cmp"
	"context"
	"slices"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/dialect"
)

// Schema returns the migrations that were applied to a database, and its Tables. It returns an error if
// a load into the database has not ended, or if this program does not have the migrations.
func (m *Migrator) Schema(ctx context.Context, q db.Querier) ([]Applied, []Table, error) {
	applied, err := ReadApplied(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if l, err := loading(ctx, q); err != nil || l.id != "" {
		return nil, nil, cmp.Or(err, errLoading)
	}
	tables, err := m.Tables(applied)
	return applied, tables, err
}

// Tables returns the tables that migrations create and whose rows survive a crash, in an order in which rows can be
// inserted: a table comes after those that it references. It returns an error if this program does not have the migrations.
func (m *Migrator) Tables(of []Applied) ([]Table, error) {
	known, err := m.knownOf(of)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, k := range known {
		texts = append(texts, k.text)
	}
	defined, err := dialect.Tables(texts)
	if err != nil {
		return nil, err
	}
	return inOrder(slices.DeleteFunc(defined, func(t Table) bool { return t.Unlogged }))
}

// knownOf returns the migrations that create the tables of another database.
func (m *Migrator) knownOf(of []Applied) ([]migration, error) {
	known, err := readMigrations(m.files)
	if err != nil {
		return nil, err
	}
	return knownOf(known, of)
}
