package db

import (
	"context"
	"time"
)

// FindDamage reads the whole database, a table at a time, and returns an error if pages are damaged.
// From then on Damaged and Health return the error, too. It blocks no writer, and pauses between tables. It ends
// with the first table that has damage, and reads nothing if damage is already known: the job that calls it is retried.
//
// On SQLite it examines tables and their indexes. On PostgreSQL it reads the tables, and asks whether any
// session has read a page with a wrong checksum.
func (d *DB) FindDamage(ctx context.Context) error {
	names, err := All(ctx, d, func(r Row, name *string) error { return r.Scan(name) }, listTables[d.engine])
	if err == nil {
		err = d.store.checkTables(ctx, func(check func(name string) error) error {
			work := pace{began: sinceStart()}
			for _, name := range names {
				if err := firstError(d.Damaged(), work.rest(ctx)); err != nil {
					return err
				}
				if err := check(name); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return explain(ctx, "db: find damage", firstError(d.Damaged(), err))
}

// Damaged returns an error if damaged pages were found. It does not look for them.
func (d *DB) Damaged() error { return d.store.damaged() }

var listTables = map[Engine]*Stmt{
	SQLite: newStmt("db.list_tables", "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"),
	PostgreSQL: newStmt("db.list_tables", `SELECT quote_ident(relname) FROM pg_class
		WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND has_table_privilege(oid, 'SELECT')`),
}

// pace lets background work pause for restRatio times as long as it has worked.
type pace struct{ began time.Duration } // by sinceStart

const (
	restAfter = 50 * time.Millisecond
	restRatio = 4
)

// rest pauses if the work since the latest pause has taken restAfter or longer.
func (p *pace) rest(ctx context.Context) error {
	worked := sinceStart() - p.began
	if worked < restAfter {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
	case <-time.After(restRatio * worked):
	}
	p.began = sinceStart()
	return ctx.Err()
}
