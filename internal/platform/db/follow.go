package db

import (
	"context"
	"time"
)

// FollowChanges lets caches trust the versions: it starts to follow the changes of other
// processes, until Close. Without it, Unchanged always returns false.
//
// On SQLite, the write connection regularly asks whether another connection has changed
// the file. If so, every version advances. On PostgreSQL, processes send each other
// notices: see notices.go.
//
// A process trusts its versions for trustTime after it last knew all changes. So a
// cached value is at most one second old: the proof is in docs/adr.
func (d *DB) FollowChanges() { d.store.follow(d.versions, d.subscribers) }

const (
	trustTime  = 400 * time.Millisecond
	fileChecks = 200 * time.Millisecond // between two checks of SQLite's file
)

func (s *sqliteStore) follow(v *versions, _ *subscribers) { s.writer.follow(v) }

func (s *sqliteStore) notice([]versionCell) *Queued { return nil }

func (s *sqliteStore) changed([]versionCell) {}

func (s *sqliteStore) publish([]string) {} // one process serves

// follow checks the file until the writer stops.
func (w *writer) follow(v *versions) {
	w.following.Do(func() {
		go func() {
			ticker := time.NewTicker(fileChecks)
			defer ticker.Stop()
			for {
				began := sinceStart()
				select {
				case w.checks <- func() { w.check(v, began) }:
				case <-w.stopped:
					return
				}
				select {
				case <-ticker.C:
				case <-w.stopped:
					return
				}
			}
		}()
	})
}

var dataVersion = newStmt("db.data_version", "PRAGMA data_version")

// check advances every version if another connection has changed the file. The write
// connection does not see its own commits that way.
func (w *writer) check(v *versions, began time.Duration) {
	var seen int64
	err := w.conn.query(context.Background(), dataVersion, nil, func(r Row) bool { return r.Scan(&seen) == nil })
	if err != nil || seen == 0 {
		return
	}
	if seen != w.dataVersion {
		w.dataVersion = seen
		v.advance(everything)
	}
	v.trustedUntil.Store(int64(began + trustTime))
}
