package migrate

import (
	"context"

	"moothall/internal/platform/db"
)

// Row 0 of the table is the lock: an instance updates it in the transaction in which
// it applies a migration. Not every engine has advisory locks.
var (
	migrationsTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
	number     BIGINT PRIMARY KEY,
	name       TEXT NOT NULL,
	checksum   TEXT NOT NULL,
	applied_at BIGINT NOT NULL
)`
	lockMigrations = db.SQL("db.lock_migrations", `INSERT INTO schema_migrations (number, name, checksum, applied_at)
		VALUES (0, 'lock', '', $1) ON CONFLICT (number) DO UPDATE SET applied_at = excluded.applied_at`)
	appliedMigrations = db.SQL("db.applied_migrations", `SELECT number, name, checksum FROM schema_migrations
		WHERE number > 0 ORDER BY number`)
	migrationTimes = db.SQL("db.migration_times", `SELECT number, name, applied_at FROM schema_migrations
		WHERE number > 0 ORDER BY number`)
	recordMigration = db.SQL("db.record_migration", `INSERT INTO schema_migrations (number, name, checksum, applied_at)
		VALUES ($1, $2, $3, $4)`)
)

// ReadApplied returns the migrations that were applied to a database, in their order.
func ReadApplied(ctx context.Context, q db.Querier) ([]Applied, error) {
	return db.All(ctx, q, func(r db.Row, m *Applied) error { return r.Scan(&m.Number, &m.Name, &m.Checksum) }, appliedMigrations)
}
