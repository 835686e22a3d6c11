package migrate

import (
	"context"
	"errors"

	"moothall/internal/platform/db"
)

// The row -1 of schema_migrations marks a database that is being loaded. Its name is the id of the
// load, its checksum is "complete" once all rows are loaded.
var (
	loadingStmt      = db.SQL("db.loading", `SELECT name, checksum FROM schema_migrations WHERE number = -1`)
	beginLoadStmt    = db.SQL("db.begin_load", `INSERT INTO schema_migrations (number, name, checksum, applied_at) VALUES (-1, $1, '', 0)`)
	completeLoadStmt = db.SQL("db.complete_load", `UPDATE schema_migrations SET checksum = 'complete' WHERE number = -1`)
	endLoadStmt      = db.SQL("db.end_load", `DELETE FROM schema_migrations WHERE number = -1`)
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

// loading returns the load that has not ended. The table schema_migrations must exist.
func loading(ctx context.Context, q db.Querier) (l load, err error) {
	_, err = q.One(ctx, loadingStmt).Find(&l.id, &l.progress)
	return l, err
}

var errLoading = errors.New("db: a restore into this database has not ended: run it again, with the same backup")

// mustLoad returns errLoading if a database is being loaded, unless the load has this id.
func mustLoad(ctx context.Context, q db.Querier, id string) error {
	l, err := loading(ctx, q)
	if err == nil && l.id != id {
		err = errLoading
	}
	return err
}
