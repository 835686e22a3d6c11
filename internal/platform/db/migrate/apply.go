package migrate

import (
	"context"
	"fmt"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/db/dialect"
	"moothall/internal/platform/db/driver"
)

// creations is how often createTable tries.
const creations = 10

// createTable creates the table schema_migrations if it does not exist. It retries because CREATE TABLE IF NOT EXISTS
// can fail on PostgreSQL when another instance creates the table at the same time.
func createTable(ctx context.Context, w *lockWait) (err error) {
	for range creations {
		err = w.inTx(ctx, func(tx db.SchemaTx) error {
			return tx.Script(ctx, statements(tx.Engine(), migrationsTable)[0])
		})
		if !db.ClassOf(err).Has(driver.UniqueViolation | driver.TableExists) {
			return err
		}
	}
	return err
}

// lockSchema lets no other process migrate or begin a load until the transaction ends.
func lockSchema(ctx context.Context, tx db.Tx) (now time.Time, err error) {
	now = time.Now()
	_, err = tx.Exec(ctx, lockMigrations, now)
	return now, err
}

// applyNext applies the first missing migration. done is true if none was missing.
func applyNext(ctx context.Context, w *lockWait, known []migration, load string) (done bool, err error) {
	p := &progress{log: w.log}
	defer func() { p.end(ctx, err) }()
	err = w.inTx(ctx, func(tx db.SchemaTx) error {
		now, err := lockSchema(ctx, tx)
		if err != nil {
			return err
		}
		if err := mustLoad(ctx, tx, load); err != nil {
			return err
		}
		applied, err := ReadApplied(ctx, tx)
		if err != nil {
			return err
		}
		if err := compare(known, applied); err != nil {
			return err
		}
		if done = len(applied) == len(known); done {
			return nil
		}
		return apply(ctx, tx, known[len(applied)], now, p)
	})
	return done, err
}

func apply(ctx context.Context, tx db.SchemaTx, m migration, now time.Time, p *progress) error {
	p.begin(ctx, m.Name)
	tx.Changed(db.Everything)
	for _, statement := range statements(tx.Engine(), m.text) {
		p.run(statement)
		if err := tx.Script(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	p.run("COMMIT")
	_, err := tx.Exec(ctx, recordMigration, m.Number, m.Name, m.Checksum, now)
	return err
}

// statements splits a migration into statements for the engine.
func statements(engine db.Engine, migration string) []string {
	if engine == db.SQLite {
		return dialect.SQLiteSchema(migration)
	}
	return dialect.PostgresSchema(migration)
}
