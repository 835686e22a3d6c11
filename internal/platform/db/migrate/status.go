package migrate

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/driver"
)

// Migration is one step of the schema.
type Migration struct {
	Number    int
	Name      string    // of its file
	AppliedAt time.Time // zero: it is pending
}

// Status is Migrator.Status for the migrations of this program.
func Status(ctx context.Context, d *db.DB) ([]Migration, error) { return New(d, Options{}).Status(ctx) }

// Status returns the applied migrations, then the pending ones, and changes nothing. It also
// returns an error if Run would refuse the database.
func (m *Migrator) Status(ctx context.Context) ([]Migration, error) {
	known, err := readMigrations(m.files)
	if err != nil {
		return nil, fmt.Errorf("db: migrations: %w", err)
	}
	all, err := db.All(ctx, m.db, func(r db.Row, s *Migration) error { return r.Scan(&s.Number, &s.Name, &s.AppliedAt) }, migrationTimes)
	var l load
	if db.ClassOf(err).Has(driver.NoTable) { // there is no schema yet
		err = nil
	} else if err == nil {
		l, err = loading(ctx, m.db)
	}
	switch {
	case err != nil:
		return all, err
	case l.id != "":
		return all, errLoading
	}
	for _, k := range known[min(len(all), len(known)):] {
		all = append(all, Migration{Number: k.Number, Name: k.Name})
	}
	_, err = m.isMigrated(ctx, known)
	return all, err
}
