package db

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"moothall/internal/platform/db/dialect"
)

//go:embed migrations
var migrationFiles embed.FS

func embeddedMigrations() fs.FS {
	sub, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the directory is embedded
	}
	return sub
}

// migration is one numbered file: 0004_event.sql.
type migration struct {
	number   int
	name     string
	text     string
	checksum string
}

// Row 0 of the table is the lock: an instance updates it in the transaction in which
// it applies a migration. Not every engine has advisory locks.
var (
	migrationsTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
	number     BIGINT PRIMARY KEY,
	name       TEXT NOT NULL,
	checksum   TEXT NOT NULL,
	applied_at BIGINT NOT NULL
)`
	lockMigrations = SQL("db.lock_migrations", `INSERT INTO schema_migrations (number, name, checksum, applied_at)
		VALUES (0, 'lock', '', $1) ON CONFLICT (number) DO UPDATE SET applied_at = excluded.applied_at`)
	appliedMigrations = SQL("db.applied_migrations", `SELECT number, name, checksum FROM schema_migrations WHERE number > 0 ORDER BY number`)
	migrationTimes    = SQL("db.migration_times", `SELECT number, name, applied_at FROM schema_migrations WHERE number > 0 ORDER BY number`)
	recordMigration   = SQL("db.record_migration", `INSERT INTO schema_migrations (number, name, checksum, applied_at)
		VALUES ($1, $2, $3, $4)`)
)

// defaultLockTimeout limits how long Migrate waits for locks, and for a busy or unreachable store. A
// running migration has no limit, because building the index of a large table takes
// long. Other instances wait for it.
const defaultLockTimeout = 5 * time.Minute

// Migrate applies the missing migrations, each in a transaction of its own. Any number
// of instances may call it at once. It returns an error if the database is newer than
// the program, or if an applied migration differs from the program's.
//
// Without a missing migration it needs no lock. Otherwise it waits for locks at most
// Options.LockTimeout, logs what it waits for, and blocks readers of a table for at most ddlLockTimeout at a time.
func (d *DB) Migrate(ctx context.Context) error {
	known, err := readMigrations(d.migrations)
	if err != nil {
		return fmt.Errorf("db: migrations: %w", err)
	}
	if err := d.applyAll(ctx, known, ""); err != nil {
		return err
	}
	w, stop := d.watchLocks(ctx)
	defer stop()
	return d.retryWhileBusy(ctx, w, func(ctx context.Context) error { return mustLoad(ctx, d, "") })
}

var errLoading = errors.New("db: a restore into this database has not ended: run it again, with the same backup")

// lockSchema lets no other process migrate or begin a load until the transaction ends.
func lockSchema(ctx context.Context, tx Tx) (now time.Time, err error) {
	now = time.Now()
	_, err = tx.Exec(ctx, lockMigrations, now)
	return now, err
}

// mustLoad returns errLoading if a database is being loaded, unless the load has this id.
func mustLoad(ctx context.Context, q Querier, id string) error {
	l, err := loading(ctx, q)
	if err == nil && l.id != id {
		err = errLoading
	}
	return err
}

// applyAll is Migrate for some of the migrations. The id is that of the load that needs them; empty if there is none.
func (d *DB) applyAll(ctx context.Context, known []migration, load string) error {
	if done, err := d.isMigrated(ctx, known); err != nil || done {
		return err
	}
	w, stop := d.watchLocks(ctx)
	defer stop()
	if err := d.retryWhileBusy(ctx, w, func(ctx context.Context) error { return d.createMigrationsTable(ctx, w) }); err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	for done := false; !done; {
		err := d.retryWhileBusy(ctx, w, func(ctx context.Context) (err error) {
			done, err = d.migrateOne(ctx, w, known, load)
			return err
		})
		if err != nil {
			return fmt.Errorf("db: migrate: %w", err)
		}
	}
	return nil
}

// isMigrated reports whether no migration is missing. It does not wait for locks: if the store is
// busy, or there is no table yet, it returns false.
func (d *DB) isMigrated(ctx context.Context, known []migration) (bool, error) {
	reading, cancel := context.WithTimeout(ctx, ddlLockTimeout)
	defer cancel()
	applied, err := All(reading, d, scanMigration, appliedMigrations)
	switch {
	case undefinedTable(err), errors.Is(err, ErrUnavailable): // the caller continues with the migrations, which wait or fail
		return false, nil
	case err != nil:
		return false, err
	}
	return len(applied) == len(known), compareMigrations(known, applied)
}

// Migration is one step of the schema.
type Migration struct {
	Number    int
	Name      string    // of its file
	AppliedAt time.Time // zero: it is pending
}

// Migrations returns the applied migrations, then the pending ones, and changes nothing. It also
// returns an error if Migrate would refuse the database.
func (d *DB) Migrations(ctx context.Context) ([]Migration, error) {
	known, err := readMigrations(d.migrations)
	if err != nil {
		return nil, fmt.Errorf("db: migrations: %w", err)
	}
	all, err := All(ctx, d, func(r Row, m *Migration) error { return r.Scan(&m.Number, &m.Name, &m.AppliedAt) }, migrationTimes)
	var l load
	if undefinedTable(err) { // there is no schema yet
		err = nil
	} else if err == nil {
		l, err = loading(ctx, d)
	}
	switch {
	case err != nil:
		return all, err
	case l.id != "":
		return all, errLoading
	}
	for _, m := range known[min(len(all), len(known)):] {
		all = append(all, Migration{Number: m.number, Name: m.name})
	}
	_, err = d.isMigrated(ctx, known)
	return all, err
}

// duplicateTable and duplicateObject are codes of PostgreSQL: a table or its row type exists.
const (
	duplicateTable  = "42P07"
	duplicateObject = "42710"
)

// createMigrationsTable retries because CREATE TABLE IF NOT EXISTS can fail on
// PostgreSQL when another instance creates the table at the same time.
func (d *DB) createMigrationsTable(ctx context.Context, w *lockWait) error {
	create := func(tx Tx) error {
		return tx.(txQuerier).run.script(ctx, d.schemaStatements(migrationsTable)[0])
	}
	err := w.inTx(ctx, d, create)
	for range attempts {
		if code := postgresCode(err); err == nil || !UniqueViolation(err) && code != duplicateTable && code != duplicateObject {
			return err
		}
		err = w.inTx(ctx, d, create)
	}
	return err
}

// migrateOne applies the first missing migration. done is true if none was missing.
func (d *DB) migrateOne(ctx context.Context, w *lockWait, known []migration, load string) (done bool, err error) {
	progress := &migrationProgress{log: d.log}
	defer func() { progress.end(ctx, err) }()
	err = w.inTx(ctx, d, func(tx Tx) error {
		now, err := lockSchema(ctx, tx)
		if err != nil {
			return err
		}
		if err := mustLoad(ctx, tx, load); err != nil {
			return err
		}
		applied, err := All(ctx, tx, scanMigration, appliedMigrations)
		if err != nil {
			return err
		}
		if err := compareMigrations(known, applied); err != nil {
			return err
		}
		if done = len(applied) == len(known); done {
			return nil
		}
		return apply(ctx, tx, known[len(applied)], now, progress)
	})
	return done, err
}

func apply(ctx context.Context, tx Tx, m migration, now time.Time, progress *migrationProgress) error {
	progress.begin(ctx, m.name)
	changes := tx.(txQuerier).changes
	changes.cells = append(changes.cells, everything)
	for _, statement := range tx.(txQuerier).schemaStatements(m.text) {
		progress.run(statement)
		if err := tx.(txQuerier).run.script(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	progress.run("COMMIT")
	_, err := tx.Exec(ctx, recordMigration, m.number, m.name, m.checksum, now)
	return err
}

// schemaStatements splits a migration into statements for the engine.
func (q querier) schemaStatements(migration string) []string {
	if q.engine == SQLite {
		return dialect.SQLiteSchema(migration)
	}
	return dialect.PostgresSchema(migration)
}

func scanMigration(r Row, m *migration) error {
	return r.Scan(&m.number, &m.name, &m.checksum)
}

// compareMigrations refuses a database whose migrations differ from the program's.
func compareMigrations(known, applied []migration) error {
	if isReplaced(applied) {
		return ErrReplaced
	}
	for i, a := range applied[:min(len(applied), len(known))] {
		if k := known[i]; a.number != k.number || a.checksum != k.checksum {
			return fmt.Errorf("migration %d in the database (%s) differs from %s in this program: an applied migration must not change",
				a.number, a.name, k.name)
		}
	}
	if len(applied) > len(known) {
		return fmt.Errorf("the database is newer than this program: it has migration %s, this program has only %d; run a newer version",
			applied[len(applied)-1].name, len(known))
	}
	return nil
}

// readMigrations returns the migrations in order. Numbers may have gaps.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []migration
	last := 0
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		digits, _, _ := strings.Cut(name, "_")
		number, err := strconv.Atoi(digits)
		if err != nil || number <= last {
			return nil, fmt.Errorf("%s must have a number above %04d", name, last)
		}
		last = number
		sum := sha256.Sum256(text)
		all = append(all, migration{number, name, string(text), hex.EncodeToString(sum[:])})
	}
	return all, nil
}

// NewestMigration returns the number of the newest migration of this program.
func NewestMigration() int {
	all, err := readMigrations(embeddedMigrations())
	if err != nil || len(all) == 0 {
		return 0 // Migrate returns the error
	}
	return all[len(all)-1].number
}

// retryWhileBusy retries fn while a lock is held or the store is busy: many instances may
// start at once. It returns the error of a store that refuses writes at once: waiting does not help.
func (d *DB) retryWhileBusy(ctx context.Context, w *lockWait, fn func(context.Context) error) error {
	var failed time.Time // for the first time
	for {
		err := fn(ctx)
		if !errors.Is(err, ErrUnavailable) || refusesWrites(err) || ctx.Err() != nil {
			return adviseDisk(err)
		}
		if failed.IsZero() {
			failed = time.Now()
		}
		if time.Since(failed) > d.lockTimeout {
			return w.explain(err, d.lockTimeout)
		}
		pause := busyPause
		if postgresCode(err) == lockNotAvailable {
			pause = lockPause
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

const (
	busyPause        = 50 * time.Millisecond
	lockNotAvailable = "55P03"
)
