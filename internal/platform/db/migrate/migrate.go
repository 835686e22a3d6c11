// Package migrate applies the migrations of a program to a database, and loads the rows of a backup into one. It is
// above package db: features do not import it.
package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/db/migrations"
)

// Options configure a Migrator; the zero value is a good default.
type Options struct {
	// Files replaces the migrations of this program.
	Files fs.FS
	// LockTimeout limits how long Run waits for locks, and for a busy or unreachable store. 5 min if zero.
	LockTimeout time.Duration
	// Log gets warnings about what Run waits for. If nil, there are none.
	Log *slog.Logger
}

// defaultLockTimeout is Options.LockTimeout. A running migration has no limit, because building the index of a large
// table takes long. Other instances wait for it.
const defaultLockTimeout = 5 * time.Minute

// Migrator applies migrations to a database.
type Migrator struct {
	db          *db.DB
	files       fs.FS
	lockTimeout time.Duration
	log         *slog.Logger
}

// New returns the Migrator of a database.
func New(d *db.DB, o Options) *Migrator {
	m := &Migrator{db: d, files: o.Files, lockTimeout: cmp.Or(o.LockTimeout, defaultLockTimeout), log: o.Log}
	if m.files == nil {
		m.files = migrations.Files
	}
	if m.log == nil {
		m.log = slog.New(slog.DiscardHandler)
	}
	return m
}

// Run is Migrator.Run with the zero Options.
func Run(ctx context.Context, d *db.DB) error { return New(d, Options{}).Run(ctx) }

// Run applies the missing migrations, each in a transaction of its own. Any number
// of instances may call it at once. It returns an error if the database is newer than
// the program, or if an applied migration differs from the program's.
//
// Without a missing migration it needs no lock. Otherwise it waits for locks at most
// Options.LockTimeout, logs what it waits for, and blocks readers of a table for at most ddlLockTimeout at a time.
func (m *Migrator) Run(ctx context.Context) error {
	known, err := readMigrations(m.files)
	if err != nil {
		return fmt.Errorf("db: migrations: %w", err)
	}
	if err := m.applyAll(ctx, known, ""); err != nil {
		return err
	}
	w, stop := m.watchLocks(ctx)
	defer stop()
	return w.retryWhileBusy(ctx, func(ctx context.Context) error { return mustLoad(ctx, m.db, "") })
}

// applyAll is Run for some of the migrations. The id is that of the load that needs them; empty if there is none.
func (m *Migrator) applyAll(ctx context.Context, known []migration, load string) error {
	if done, err := m.isMigrated(ctx, known); err != nil || done {
		return err
	}
	w, stop := m.watchLocks(ctx)
	defer stop()
	if err := w.retryWhileBusy(ctx, func(ctx context.Context) error { return createTable(ctx, w) }); err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	for done := false; !done; {
		err := w.retryWhileBusy(ctx, func(ctx context.Context) (err error) {
			done, err = applyNext(ctx, w, known, load)
			return err
		})
		if err != nil {
			return fmt.Errorf("db: migrate: %w", err)
		}
	}
	return nil
}

func (m *Migrator) watchLocks(ctx context.Context) (w *lockWait, stop func()) {
	return watchLocks(ctx, m.db, m.lockTimeout, m.log)
}

// isMigrated reports whether no migration is missing. It does not wait for locks: if the store is
// busy, or there is no table yet, it returns false.
func (m *Migrator) isMigrated(ctx context.Context, known []migration) (bool, error) {
	reading, cancel := context.WithTimeout(ctx, ddlLockTimeout)
	defer cancel()
	applied, err := ReadApplied(reading, m.db)
	switch {
	case db.ClassOf(err).Has(driver.NoTable), errors.Is(err, db.ErrUnavailable):
		return false, nil // the caller continues with the migrations, which wait or fail
	case err != nil:
		return false, err
	}
	return len(applied) == len(known), compare(known, applied)
}
