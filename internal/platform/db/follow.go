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
// A process trusts its versions for trustTime after it last knew all changes. So a cached value is at most one second old.
//
// SQLite: a check sees all commits before it. So values are at most trustTime (0.4 s) old.
//
// PostgreSQL: all notices arrive everywhere in one order. Process R sends a notice at time a. When it comes back, R knows
// all notices before it, and trusts its versions until a + trustTime. All times are those of R's monotonic clock.
//
//  1. Notice k of sender S has every change that S committed before it began to send k: those that have ended since
//     k-1, and those whose commit is running. So a slow response to a commit delays nothing.
//  2. For each notice, R remembers the latest own notice before it in the order. S sent k after R had sent that one.
//  3. If that time is more than maxSilence (0.3 s) before a, or if those of k-1 and k are more than maxSilence apart,
//     every version of R advances. It also does if a number is missing, and for a sender that R does not know.
//  4. Let c be a change that R does not know while it trusts its versions, and k the latest notice from S. Then S
//     committed c after it began to send k, which is after the server had k-1. By 3, and because R trusts its versions
//     for trustTime, this is less than 0.4 + 0.3 + 0.3 s ago.
//
// Further cases:
//
//   - A process whose notices do not come back, and a command that does not listen, send notices inside their transactions.
//   - After a crash, the server may still run commits of the process. For doubtTime (10 s) after its last notice, every
//     version advances with each notice of R. An orderly shutdown says goodbye instead.
//   - A commit without a response counts as running for doubtTime.
//   - A process that has just connected trusts nothing for trustTime, because it does not know the others. After doubtTime
//     every version advances once: a process may have crashed before the connection. Until then, a value can be up to
//     doubtTime old.
//   - Time in which the whole machine is suspended does not count.
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
